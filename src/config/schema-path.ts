/** Looks up the schema at a path. In a union, follows the branch that matches the given value. */
import * as z from 'zod';
import type { Path } from './problem.ts';
import { secrets } from './values.ts';

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
 * Removes the wrappers of a schema (optional, nullable, default), and chooses the branch of a
 * union. Returns the inner schema and `given`, or the default if `given` is undefined. Returns the
 * union itself if no branch matches, for example if the kind is written as `${KIND}`.
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
  return { schema: option ?? schema, value: given };
}

/**
 * Returns the unwrapped schema at each part of a path; undefined for parts that the schema does not
 * have.
 */
export function settledAlong(schema: unknown, value: unknown, path: Path): readonly unknown[] {
  let here = settle(schema, value);
  const along = [here.schema];
  for (const step of path) {
    here = settle(stepInto(here.schema, step), valueAt(here.value, [step]));
    along.push(here.schema);
  }
  return along;
}

/** Returns the keys that the schema allows at a path; empty if it allows any key. */
export function knownKeys(schema: unknown, value: unknown, path: Path): readonly string[] {
  const last = settledAlong(schema, value, path).at(-1);
  return last instanceof z.ZodObject ? Object.keys(last.shape) : [];
}

/**
 * Returns the schema of an entry. If no branch of a union was chosen, prefers a branch where the
 * entry has a secret, so that a secret is never shown.
 */
export function stepInto(schema: unknown, step: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(step)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const steps = schema.options.flatMap((option) => stepInto(option, step) ?? []);
    return steps.find(hasSecret) ?? steps[0];
  }
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

/** Whether the schema is that of a secret, or a part of it is. */
export function hasSecret(schema: unknown): boolean {
  if (schema instanceof z.ZodType && secrets.has(schema)) return true;
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
  )
    return hasSecret(schema.unwrap());
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.some(hasSecret);
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(hasSecret);
  if (schema instanceof z.ZodRecord) return hasSecret(schema.valueType);
  return schema instanceof z.ZodArray && hasSecret(schema.element);
}
