/**
 * Compiles schemas to checks that take a tenth of zod's time, because they do not copy values or
 * collect issues. Types that this file cannot compile are checked with their zod schema.
 */
import * as z from 'zod';
import { isJsonObject } from '../json/object.ts';

type Check = (value: unknown) => boolean;

const compiled = new WeakMap<z.core.$ZodType, Check>();

/**
 * Whether the value matches the schema. The schema must not transform values. It is compiled when
 * it is first used.
 */
export function fits<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): value is z.output<Schema> {
  return checkFor(schema)(value);
}

function checkFor(schema: z.core.$ZodType): Check {
  let check = compiled.get(schema);
  if (check === undefined) {
    check = checkOf(schema);
    compiled.set(schema, check);
  }
  return check;
}

function checkOf(schema: z.core.$ZodType): Check {
  if (schema instanceof z.ZodOptional) {
    const inner = checkFor(schema.def.innerType);
    return (value) => value === undefined || inner(value);
  }
  if (schema instanceof z.ZodNullable) {
    const inner = checkFor(schema.def.innerType);
    return (value) => value === null || inner(value);
  }
  const asked: Check = (value) => z.core.safeParse(schema, value).success;
  return plainCheck(schema, schema._zod.def.checks ?? []) ?? asked;
}

type Checks = readonly z.core.$ZodCheck<never>[];

/**
 * Returns the check of a simple type; null if this file cannot compile the type or its refinements.
 */
function plainCheck(schema: z.core.$ZodType, checks: Checks): Check | null {
  if (schema instanceof z.ZodUnknown) return () => true;
  if (schema instanceof z.ZodString) return stringCheck(checks);
  if (schema instanceof z.ZodNumber) return numberCheck(schema, checks);
  if (schema instanceof z.ZodArray) return arrayCheck(schema, checks);
  if (checks.length > 0) return null;
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean';
  if (schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum) {
    const values: ReadonlySet<unknown> = schema._zod.values;
    return (value) => values.has(value);
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.def.options.map(checkFor);
    return (value) => options.some((option) => option(value));
  }
  return schema instanceof z.ZodObject ? objectCheck(schema) : null;
}

function stringCheck(checks: Checks): Check | null {
  const [first] = checks;
  if (first === undefined) return (value) => typeof value === 'string';
  if (checks.length > 1) return null;
  if (first instanceof z.core.$ZodCheckMinLength) {
    const least = first._zod.def.minimum;
    return (value) => typeof value === 'string' && value.length >= least;
  }
  if (!(first instanceof z.core.$ZodCheckRegex) || first._zod.def.pattern.global) return null;
  const { pattern } = first._zod.def;
  return (value) => typeof value === 'string' && pattern.test(value);
}

function numberCheck(schema: z.ZodNumber, checks: Checks): Check | null {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  for (const check of checks) {
    if (check instanceof z.core.$ZodCheckGreaterThan && check._zod.def.inclusive)
      least = Math.max(least, Number(check._zod.def.value));
    else if (check instanceof z.core.$ZodCheckLessThan && check._zod.def.inclusive)
      most = Math.min(most, Number(check._zod.def.value));
    else return null;
  }
  const isOfFormat = schema instanceof z.ZodNumberFormat ? wholeNumber(schema) : Number.isFinite;
  if (isOfFormat === null) return null;
  return (value) =>
    typeof value === 'number' && value >= least && value <= most && isOfFormat(value);
}

const wholeNumber = (schema: z.ZodNumberFormat): ((value: unknown) => boolean) | null =>
  schema._zod.def.format === 'safeint' ? Number.isSafeInteger : null;

function arrayCheck(schema: z.ZodArray, checks: Checks): Check | null {
  let least = 0;
  let most = Number.POSITIVE_INFINITY;
  for (const check of checks) {
    if (check instanceof z.core.$ZodCheckMinLength) least = Math.max(least, check._zod.def.minimum);
    else if (check instanceof z.core.$ZodCheckMaxLength)
      most = Math.min(most, check._zod.def.maximum);
    else return null;
  }
  const isPlain = schema.element instanceof z.ZodUnknown;
  const element = checkFor(schema.element);
  return (value) =>
    Array.isArray(value) &&
    value.length >= least &&
    value.length <= most &&
    (isPlain || value.every(element));
}

/**
 * Compiles an object's schema. The check tests the required members, and then only the members that
 * the value has, because the schema may have many more.
 */
function objectCheck(schema: z.ZodObject): Check | null {
  // Only loose objects can be compiled, because others refuse or drop unknown members.
  if (!(schema.def.catchall instanceof z.ZodUnknown)) return null;
  const checks = new Map<string, Check>();
  const required: string[] = [];
  for (const [name, member] of Object.entries(schema.shape)) {
    checks.set(name, checkFor(member));
    if (member._zod.optin !== 'optional') required.push(name);
  }
  return (value) => {
    if (!isJsonObject(value)) return false;
    for (const name of required) if (!(name in value)) return false;
    for (const name in value) {
      const check = checks.get(name);
      if (check !== undefined && !check(value[name])) return false;
    }
    return true;
  };
}
