/**
 * Shared parts of answer schemas. A schema stands beside the function that makes the body, whose
 * type is derived from it. A schema with an `id` becomes a component of `/openapi.json` of that
 * name.
 */
import { z } from 'zod';
import { CURRENCIES } from '../../money/amount.ts';

/** A decimal string: no client may read an amount as a float. */
export const amount = z
  .string()
  .meta({ description: 'A decimal string.', examples: ['12.345000000', '0.000123400', '250.00'] });
export const currency = z.enum(CURRENCIES);
export const time = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC.' });
export const date = z.string().meta({ format: 'date', description: 'A day, UTC.' });
export const count = z.int().min(0);
/** The period of a list: from `from` (inclusive) to `to` (exclusive). */
export const span = { from: time, to: time } as const;
/** Milliseconds, with a fraction. */
export const millis = z.number().min(0);
/** The value of `after` for the next page; null on the last page. */
export const next = z.string().nullable();

/** One page of a list. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ data: z.array(item), next });
