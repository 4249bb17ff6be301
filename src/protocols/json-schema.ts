/** Adapts callers' JSON Schemas so that upstreams accept them. */
import { asArray, asJsonObject, isJsonObject, type JsonObject } from '../json/object.ts';

/** The input schema of a tool without input. */
export const NO_INPUT_SCHEMA = { type: 'object', properties: {} } as const;

/** Returns a tool's input schema, with the object type and `properties` that upstreams require. */
export function toolInputSchema(schema: JsonObject | null): JsonObject {
  if (schema === null) return NO_INPUT_SCHEMA;
  const type = schema['type'] ?? null;
  const isLoose = type === null || (Array.isArray(type) && type.includes('object'));
  if (!isLoose && (type !== 'object' || isJsonObject(schema['properties']))) return schema;
  const { type: _t, properties, ...rest } = schema;
  return { type: 'object', properties: isJsonObject(properties) ? properties : {}, ...rest };
}

/** Members whose value is a schema, or a list of schemas, for nested values. */
const INNER = ['items', 'prefixItems'] as const;
/** Members whose value is an object that maps names to schemas. */
const NAMED = ['properties', '$defs', 'definitions'] as const;
/**
 * Members with alternative schemas for one value. Beside `properties`, the alternatives do not get
 * `additionalProperties: false`: they would refuse properties that are listed outside of them.
 */
const CHOICES = ['anyOf', 'oneOf'] as const;
/**
 * Members that may allow further properties. An object schema with such a member does not get
 * `additionalProperties: false`, because the schema might then refuse all values.
 */
const ADDING = ['allOf', 'anyOf', 'oneOf', 'if', '$ref', 'patternProperties'] as const;

/** Adds `additionalProperties: false` to objects that list properties. Only narrows the schema. */
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
 * Whether chat's strict mode accepts the schema: each object is closed, and all its properties are
 * required.
 */
export function canBeStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(canBeStrict);
  const object = asJsonObject(schema);
  if (object === null) return true;
  const properties = asJsonObject(object['properties']);
  const required = new Set(asArray(object['required']));
  const isClosed =
    properties === null ||
    (object['additionalProperties'] === false &&
      Object.keys(properties).every((name) => required.has(name)));
  return isClosed && Object.values(object).every(canBeStrict);
}
