/** Reads members of Gemini messages. Their names may be in camel case or in snake case. */
import { isJsonObject, type JsonObject } from '../../json/object.ts';
import { invalid, unsupportedParameter } from '../validation.ts';

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns a name in camel case. */
export const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns the member with this name in camel case or in snake case; undefined if there is neither.
 * @param name the name in camel case.
 */
export const member = (object: JsonObject, name: string): unknown =>
  object[name] ?? object[snake(name)];

/**
 * Returns a member that must be an object; null if it is absent.
 * @throws GatewayError if it is not an object.
 */
export function objectAt(object: JsonObject, name: string, path: string): JsonObject | null {
  const value = member(object, name);
  if (value === undefined || value === null) return null;
  if (isJsonObject(value)) return value;
  throw invalid(at(path, name), 'must be an object');
}

/**
 * Returns the elements of a member that is a list; an empty list if it is absent. Like Google,
 * takes a value that is not a list for a list with this one element.
 */
export function listAt(object: JsonObject, name: string): readonly unknown[] {
  const value = member(object, name) ?? [];
  return Array.isArray(value) ? value : [value];
}

/**
 * Refuses objects with unknown members, as Google does.
 * @throws GatewayError naming the unknown member.
 */
export function onlyMembers(object: JsonObject, known: readonly string[], path: string): void {
  for (const name in object) {
    if (!known.includes(camel(name)) && object[name] !== null)
      throw unsupportedParameter(at(path, name), 'this field is unknown; omit it');
  }
}

export const at = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
