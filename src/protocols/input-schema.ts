/** The schema of a tool's input, fit for upstreams of either dialect. */
import { isJsonObject, type JsonObject } from '../json/object.ts';

/** Of a tool that takes nothing. */
export const NO_ARGUMENTS = { type: 'object', properties: {} } as const;

/**
 * An input is always an object, and upstreams want to be told so with its properties, if there are none too;
 * tools of many makers leave out one or the other, or say that it may be null as well.
 */
export function inputSchema(schema: JsonObject | null): JsonObject {
  if (schema === null) return NO_ARGUMENTS;
  const type = schema['type'] ?? null;
  const isLoose = type === null || (Array.isArray(type) && type.includes('object'));
  if (!isLoose && (type !== 'object' || isJsonObject(schema['properties']))) return schema;
  const { type: _t, properties, ...rest } = schema;
  return { type: 'object', properties: isJsonObject(properties) ? properties : {}, ...rest };
}
