/** Follows a path through a schema; in a union, through the branch that fits the given value. */
import * as z from 'zod';
import type { Path } from './problem.ts';

/** Returns the value at a path; undefined if it does not exist. Follows own properties only. */
export function valueAt(value: unknown, path: Path): unknown {
  let here: unknown = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Object.getOwnPropertyDescriptor(here, step)?.value;
  }
  return here;
}

/**
 * Unwraps defaults and unions. Returns the inner schema with the given value, or with the default
 * if the value is undefined.
 */
export function settle(
  schema: unknown,
  given: unknown,
): { readonly schema: unknown; readonly value: unknown } {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return settle(schema.unwrap(), given === undefined ? schema.def.defaultValue : given);
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return settle(schema.unwrap(), given);
  }
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return { schema, value: given };
  const key = schema.def.discriminator;
  const value = valueAt(given, [key]);
  const option = schema.options.find((each) => {
    const literal = each instanceof z.ZodObject ? each.shape[key] : undefined;
    return literal instanceof z.ZodType && literal.safeParse(value).success;
  });
  return { schema: option, value: given };
}

/** Returns the schema at each step of a path, unwrapped; undefined beyond the end of the schema. */
export function settledAlong(schema: unknown, value: unknown, path: Path): readonly unknown[] {
  let here = settle(schema, value);
  const along = [here.schema];
  for (const step of path) {
    here = settle(stepInto(here.schema, step), valueAt(here.value, [step]));
    along.push(here.schema);
  }
  return along;
}

/** Returns the keys that a schema has at a path; empty where any key is allowed. */
export function knownKeys(schema: unknown, value: unknown, path: Path): readonly string[] {
  const last = settledAlong(schema, value, path).at(-1);
  return last instanceof z.ZodObject ? Object.keys(last.shape) : [];
}

function stepInto(schema: unknown, step: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(step)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}
