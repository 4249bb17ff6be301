/** Changes callers' JSON Schemas so that upstreams accept them. */
import { asArray, asJsonObject, isJsonObject, type JsonObject } from '../json/object.ts';

/** The input schema of a tool that has no input. */
export const NO_INPUT_SCHEMA = { type: 'object', properties: {} } as const;

/**
 * Returns the input schema of a tool, with the type `object` and the `properties` that upstreams
 * require.
 */
export function toolInputSchema(schema: JsonObject | null): JsonObject {
  if (schema === null) return NO_INPUT_SCHEMA;
  const type = schema['type'] ?? null;
  const isLoose = type === null || (Array.isArray(type) && type.includes('object'));
  if (!isLoose && (type !== 'object' || isJsonObject(schema['properties']))) return schema;
  const { type: _t, properties, ...rest } = schema;
  return { type: 'object', properties: isJsonObject(properties) ? properties : {}, ...rest };
}

/** Members of a schema whose value is a schema, or a list of schemas, for nested values. */
const INNER = ['items', 'prefixItems'] as const;
/** Members of a schema whose value maps names to schemas. */
const NAMED = ['properties', '$defs', 'definitions'] as const;
/**
 * Members of a schema with alternative schemas for the same value. If the schema also has
 * `properties`, the alternatives do not get `additionalProperties: false`, because they would then
 * refuse these properties.
 */
const CHOICES = ['anyOf', 'oneOf'] as const;
/**
 * Members of an object schema that may allow more properties. A schema with such a member does not
 * get `additionalProperties: false`, because the schema might then refuse all values.
 */
const ADDING = ['allOf', 'anyOf', 'oneOf', 'if', '$ref', 'patternProperties'] as const;

/**
 * Adds `additionalProperties: false` to object schemas that list properties. The result never
 * accepts a value that the given schema refuses.
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
 * Whether chat's strict mode accepts the schema. In strict mode, each object must have
 * `additionalProperties: false`, and all its properties must be required.
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
