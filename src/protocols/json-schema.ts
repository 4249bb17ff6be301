/** Changes callers' JSON Schemas so that upstreams accept them. */
import {
  asArray,
  asFilledString,
  asJsonObject,
  isJsonObject,
  type JsonObject,
} from '../json/object.ts';

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

/** Constraints that Messages upstreams refuse in a schema that limits what the model can write. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'maxItems', 'uniqueItems', 'contains'],
  ...['minProperties', 'maxProperties', 'propertyNames', 'not'],
]);
/** The formats of strings that Messages upstreams accept. */
const FORMATS: ReadonlySet<unknown> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
]);
const ALONE: ReadonlySet<string> = new Set([...INNER, ...CHOICES, 'allOf']);
const MAPS: ReadonlySet<string> = new Set(NAMED);

type Stringify = (value: unknown) => string;

/**
 * Returns the schema of an output format or of a strict tool in the form that Messages upstreams
 * accept. Constraints that they refuse move into the description, as Anthropic's own client does.
 * @param stringify writes the value of a constraint as JSON text.
 */
export const acceptedSchema = (schema: JsonObject, stringify: Stringify): JsonObject =>
  closeSchema(describedSchema(schema, stringify));

function describedSchema(schema: JsonObject, stringify: Stringify): JsonObject {
  const described: Record<string, unknown> = {};
  const constraints: string[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (isRefused(name, value)) constraints.push(`${name}: ${stringify(value)}`);
    else {
      // Messages upstreams refuse `oneOf`, but accept `anyOf`.
      const to = name === 'oneOf' && schema['anyOf'] === undefined ? 'anyOf' : name;
      described[to] = describedWithin(name, value, stringify);
    }
  }
  if (constraints.length === 0) return described;
  const given = asFilledString(schema['description']);
  const texts = [...(given === null ? [] : [given]), constraints.join(', ')];
  return { ...described, description: texts.join('\n') };
}

function isRefused(name: string, value: unknown): boolean {
  if (name === 'format') return !FORMATS.has(value);
  return name === 'minItems' ? value !== 0 && value !== 1 : REFUSED.has(name);
}

function describedWithin(name: string, value: unknown, stringify: Stringify): unknown {
  const described = (each: unknown): unknown =>
    isJsonObject(each) ? describedSchema(each, stringify) : each;
  if (ALONE.has(name)) return Array.isArray(value) ? value.map(described) : described(value);
  if (!MAPS.has(name) || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, described(each)]));
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
