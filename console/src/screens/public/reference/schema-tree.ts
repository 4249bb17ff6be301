/**
 * Reads a JSON schema for display: fields with type, limits and description, one level at a time.
 */
import { asList, isObject } from '#api/json.ts';
import type { Schema } from './openapi.ts';

type Schemas = Readonly<Record<string, unknown>>;

export type Field = {
  readonly name: string;
  /** The type, such as `string`, `integer or null` or `array of Model`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The limits, such as `at least 1` or `at most 200 characters`, in English like the schema. */
  readonly limits: readonly string[];
  /** The allowed values; empty for any value of the type. */
  readonly values: readonly string[];
  /** The schema of nested fields, or null. */
  readonly inner: Schema | null;
};

const REFERENCE = /^#\/components\/schemas\/(.+)$/;

/** Returns the schema that a `$ref` refers to, or the schema itself if it has no `$ref`. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = nameOf(schema);
  if (name === null) return schema;
  const target = schemas[name];
  return isObject(target) ? { ...target, ...withoutReference(schema) } : {};
}

function withoutReference({ $ref: _, ...rest }: Schema): Schema {
  return rest;
}

function nameOf({ $ref: reference }: Schema): string | null {
  return typeof reference === 'string' ? (REFERENCE.exec(reference)?.[1] ?? null) : null;
}

/**
 * Returns the fields of an object. For an array or a union, returns those of its items or
 * alternatives.
 */
export function fieldsOf(schema: Schema, schemas: Schemas): readonly Field[] {
  const { properties, required, items, additionalProperties } = resolved(schema, schemas);
  if (isObject(properties)) {
    const needed = asList(required);
    return Object.entries(properties)
      .filter((entry): entry is [string, Schema] => isObject(entry[1]))
      .map(([name, inner]) => fieldOf(name, inner, needed.includes(name), schemas));
  }
  if (isObject(items)) return fieldsOf(items, schemas);
  if (isObject(additionalProperties)) {
    return [fieldOf('*', additionalProperties, false, schemas)];
  }
  return alternativesOf(schema, schemas).flatMap((each) => fieldsOf(each, schemas));
}

export function fieldOf(
  name: string,
  schema: Schema,
  isRequired: boolean,
  schemas: Schemas,
): Field {
  const whole = resolved(schema, schemas);
  const { description } = whole;
  return {
    ...{ name, isRequired },
    type: typeOf(schema, schemas),
    description: typeof description === 'string' ? description : '',
    limits: limitsOf(whole),
    values: valuesOf(whole),
    inner: hasFields(schema, schemas) ? schema : null,
  };
}

/** Whether the schema, its items or one of its alternatives has nested fields. */
function hasFields(schema: Schema, schemas: Schemas): boolean {
  const { properties, items, additionalProperties } = resolved(schema, schemas);
  if (isObject(properties)) return Object.keys(properties).length > 0;
  if (isObject(items)) return hasFields(items, schemas);
  if (isObject(additionalProperties)) return true;
  return alternativesOf(schema, schemas).some((each) => hasFields(each, schemas));
}

const alternativesOf = (schema: Schema, schemas: Schemas): readonly Schema[] => {
  const { anyOf, oneOf, allOf } = resolved(schema, schemas);
  return [...asList(anyOf), ...asList(oneOf), ...asList(allOf)].filter(isObject);
};

export function typeOf(schema: Schema, schemas: Schemas): string {
  const name = nameOf(schema);
  const whole = resolved(schema, schemas);
  const { type, items, const: constant } = whole;
  if (constant !== undefined) return JSON.stringify(constant);
  const alternatives = alternativesOf(schema, schemas);
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map((each) => typeOf(each, schemas)))].join(' or ');
  }
  if (type === 'array') return `array of ${isObject(items) ? typeOf(items, schemas) : 'anything'}`;
  const names = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  if (names.length > 0) return name !== null && type === 'object' ? name : names.join(' or ');
  return valuesOf(whole).length > 0 ? 'string' : (name ?? 'anything');
}

const valuesOf = ({ enum: values }: Schema): readonly string[] =>
  asList(values).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));

const LIMITS = [
  ['minimum', (value: number) => `at least ${value}`],
  ['exclusiveMinimum', (value: number) => `more than ${value}`],
  ['maximum', (value: number) => `at most ${value}`],
  ['exclusiveMaximum', (value: number) => `less than ${value}`],
  ['minLength', (value: number) => (value === 1 ? 'not empty' : `at least ${value} characters`)],
  ['maxLength', (value: number) => `at most ${value} characters`],
  ['minItems', (value: number) => (value === 1 ? 'not empty' : `at least ${value} items`)],
  ['maxItems', (value: number) => `at most ${value} items`],
] as const;

function limitsOf(schema: Schema): readonly string[] {
  const limits = LIMITS.flatMap(([name, words]) => {
    const value = schema[name];
    // Omits the bounds of JavaScript's safe integers, which are not limits of the API.
    const isOurs = typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
    return isOurs ? [words(value)] : [];
  });
  const { format, pattern, default: byDefault } = schema;
  return [
    ...limits,
    ...(typeof format === 'string' ? [format] : []),
    ...(typeof pattern === 'string' ? [`like ${pattern}`] : []),
    ...(byDefault === undefined ? [] : [`default ${JSON.stringify(byDefault)}`]),
  ];
}
