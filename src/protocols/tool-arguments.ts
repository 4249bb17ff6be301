/**
 * Parses the arguments of a tool call, which chat has as text, into the object that Messages
 * requires. Invalid arguments become one member of an object: the tool rejects them, and the model
 * can correct them. An error would end the agent loop instead.
 */
import { parseExact } from '../json/exact-numbers.ts';
import { type JsonObject, parsedObject } from '../json/object.ts';

/** The member that contains arguments that are not a JSON object. */
export const INVALID_JSON = 'invalid_json';

/** Returns the arguments as an object that keeps every digit of numbers. */
export const argumentsObject = (text: string): JsonObject =>
  text.trim() === '' ? {} : (parsedObject(text, parseExact) ?? wrapped(text));

/**
 * Returns the arguments as the JSON text of an object; an empty string if there are no arguments.
 */
export function validArguments(text: string): string {
  if (text.trim() === '') return '';
  return parsedObject(text) === null ? JSON.stringify(wrapped(text)) : text;
}

const wrapped = (text: string): JsonObject => ({ [INVALID_JSON]: text });
