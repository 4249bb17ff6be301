/** JSON Schemas of callers, adapted to what upstreams accept. */
import { asArray, asJsonObject, isJsonObject, type JsonObject } from '../json/object.ts';

/** Of a tool that takes nothing. */
export const NO_INPUT_SCHEMA = { type: 'object', properties: {} } as const;

/**
 * An input is always an object, and upstreams want to be told so with its properties, if there are none too;
 * tools of many makers leave out one or the other, or say that it may be null as well.
 */
export function toolInputSchema(schema: JsonObject | null): JsonObject {
  if (schema === null) return NO_INPUT_SCHEMA;
  const type = schema['type'] ?? null;
  const isLoose = type === null || (Array.isArray(type) && type.includes('object'));
  if (!isLoose && (type !== 'object' || isJsonObject(schema['properties']))) return schema;
  const { type: _t, properties, ...rest } = schema;
  return { type: 'object', properties: isJsonObject(properties) ? properties : {}, ...rest };
}

/** Members that hold a schema, or a list of them, for values of their own. */
const INNER = ['items', 'prefixItems'] as const;
/** Members that hold such schemas by name. */
const NAMED = ['properties', '$defs', 'definitions'] as const;
/** Members whose schemas speak of the same value; one alone, they may be closed each for itself. */
const CHOICES = ['anyOf', 'oneOf'] as const;
/** Members that add to what an object may have: closed beside them, it could never fit both. */
const ADDING = ['allOf', 'anyOf', 'oneOf', 'if', '$ref', 'patternProperties'] as const;

/**
 * The same schema, in which every object that lists its properties and does not say whether there may be
 * others has no others. Whatever fits it fits the caller's own.
 */
export function closeSchema(schema: JsonObject): JsonObject {
  const closed: Record<string, unknown> = { ...schema };
  const listsProperties = isJsonObject(schema['properties']);
  const alone = listsProperties ? INNER : [...INNER, ...CHOICES];
  for (const name of alone) {
    const value = schema[name];
    if (Array.isArray(value)) closed[name] = value.map(closeIfSchema);
    else if (isJsonObject(value)) closed[name] = closeSchema(value);
  }
  for (const name of NAMED) {
    const value = schema[name];
    if (!isJsonObject(value)) continue;
    const entries = Object.entries(value).map(([key, each]) => [key, closeIfSchema(each)]);
    closed[name] = Object.fromEntries(entries);
  }
  const isOpen = listsProperties && schema['additionalProperties'] === undefined;
  if (isOpen && ADDING.every((name) => schema[name] === undefined)) {
    closed['additionalProperties'] = false;
  }
  return closed;
}

const closeIfSchema = (value: unknown): unknown =>
  isJsonObject(value) ? closeSchema(value) : value;

/**
 * Whether a chat server holds its model to the schema if it is told to: for that every object must be
 * closed and require all it has. Others are followed as well as the model can.
 */
export function canBeStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(canBeStrict);
  const object = asJsonObject(schema);
  if (object === null) return true;
  const properties = asJsonObject(object['properties']);
  const required = asArray(object['required']);
  const isClosed =
    properties === null ||
    (object['additionalProperties'] === false &&
      Object.keys(properties).every((name) => required.includes(name)));
  return isClosed && Object.values(object).every(canBeStrict);
}
