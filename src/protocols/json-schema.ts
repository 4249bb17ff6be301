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

/**
 * Counts the parameters in schemas that cost most to enforce: optional ones, and those of several
 * types.
 */
export function strictCost(value: unknown): { readonly optional: number; readonly unions: number } {
  const object = asJsonObject(value) ?? {};
  const required = new Set(asArray(object['required']));
  const names = Object.keys(asJsonObject(object['properties']) ?? {});
  let optional = names.filter((name) => !required.has(name)).length;
  let unions = ['anyOf', 'oneOf', 'type'].some((name) => Array.isArray(object[name])) ? 1 : 0;
  for (const each of Array.isArray(value) ? value : Object.values(object)) {
    const inner = strictCost(each);
    optional += inner.optional;
    unions += inner.unions;
  }
  return { optional, unions };
}

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
    (properties === null && object['type'] !== 'object') ||
    (object['additionalProperties'] === false &&
      Object.keys(properties ?? {}).every((name) => required.has(name)));
  return isClosed && Object.values(object).every(canBeStrict);
}
