/** Shared parts of response schemas. A schema with an `id` is a component of `/openapi.json`. */
import * as z from 'zod';
import { CURRENCIES } from '../../money/amount.ts';

/** An amount as a decimal string, so that no client reads it as a float. */
export const amount = z
  .string()
  .meta({ description: 'A decimal string.', examples: ['12.345000000', '0.000123400', '250.00'] });
export const currency = z.enum(CURRENCIES);
export const time = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC.' });
export const date = z.string().meta({ format: 'date', description: 'A day, UTC.' });
export const count = z.int().min(0);
/** The period that a list covers: from `from` (inclusive) to `to` (exclusive). */
export const span = { from: time, to: time } as const;
/** A duration in milliseconds, which may have a fraction. */
export const millis = z.number().min(0);
/** The value of `after` that requests the next page; null on the last page. */
export const next = z.string().nullable();

/** The entity tag of settings, as clients send it back in `If-Match`. */
export const etag = z.string().meta({
  description:
    'The entity tag of the settings. Send it in `If-Match` to change the settings only if nobody changed them meanwhile.',
  examples: ['"mZ3vUq1kq4qXk0pYb2tQxA"'],
});

/** The schema of one page of a list. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ data: z.array(item), next });

export const CREATED = 201;
/** Returns settings as a JSON response, with their entity tag as a header too. */
export const tagged = <Body extends { readonly etag: string }>(body: Body): Response =>
  Response.json(body, { headers: { etag: body.etag } });

/** The headers of answers that are private, contain a secret, or change with every request. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;

/** Rounds a ratio to thousandths, because statistics over minutes or hours are not more precise. */
export const thousandths = (ratio: number | null): number | null =>
  ratio === null ? null : Math.round(ratio * 1000) / 1000;
