/**
 * Parses the arguments of a tool call, because chat sends them as text, but Messages requires an
 * object. Invalid arguments become the only member of an object. The tool then rejects this object
 * and the model can correct its call, whereas an error would end the agent loop.
 */
import { parseExact } from '../json/exact-numbers.ts';
import { type JsonObject, parsedObject } from '../json/object.ts';

/** The name of the member that wraps arguments that are not a JSON object. */
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
