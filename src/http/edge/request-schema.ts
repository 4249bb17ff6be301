/**
 * Checks bodies and queries against strict schemas, which refuse unknown fields. For example, a
 * misspelled `expires_at` must not create a key that never expires. Each `error` continues the
 * sentence "<field> ...".
 */
import * as z from 'zod';
import { isShowable, MAX_NAME_CHARS } from '../../accounts/account.ts';
import type { PageRequest } from '../../accounts/page.ts';
import { DEFAULT_PAGE, MAX_PAGE } from '../../accounts/page.ts';
import { nearest } from '../../config/nearest.ts';
import { type ErrorCode, GatewayError } from '../../errors.ts';
import { CURRENCIES, type NanoAmount, parseAmount } from '../../money/amount.ts';

/** Maximum characters of an id. Our ids have 30; those of an operator's systems may be longer. */
const MAX_ID_CHARS = 128;
const MAX_REASON_CHARS = 500;
/** The maximum amount. It catches misplaced decimal points and keeps sums far below 64 bits. */
const MAX_PAYMENT_UNITS = 10_000_000n;
const NANO_PER_UNIT = 1_000_000_000n;

const STORABLE = 'must be well-formed text without NUL characters';
/** Whether every store can hold the text: no NUL (PostgreSQL) and no lone surrogates (UTF-8). */
export const isStorable = (value: string): boolean =>
  value.isWellFormed() && !value.includes('\u0000');

/** The schema of text within limits, with one error for both of them. */
export const limitedText = (error: string, min: number, max: number) =>
  z.string({ error }).min(min, { error }).max(max, { error });

/** The schema of text with 1 to `max` characters after trimming. */
export function text(max: number) {
  const error = `must be text of 1 to ${max} characters`;
  return z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(max, { error })
    .refine(isStorable, { error: STORABLE });
}

export const id = text(MAX_ID_CHARS);
export const name = text(MAX_NAME_CHARS).refine(isShowable, {
  error: 'must have visible characters, and no line breaks or invisible characters',
});
/** The reason for moving money, which the ledger records. */
export const reason = text(MAX_REASON_CHARS);
/** The text to search for in names and ids. */
export const search = text(MAX_ID_CHARS);
export const trueOrFalse = z.boolean({ error: 'must be true or false' });
export const walletCurrency = z.enum(CURRENCIES, { error: `must be ${CURRENCIES.join(' or ')}` });

/** The schema of a decimal string that is parsed as an amount. */
export const decimalAmount = (error: string, isValid: (value: NanoAmount) => boolean) =>
  z
    .string({ error })
    .transform((decimal): NanoAmount | null => parseAmount(decimal))
    .refine((value): value is NanoAmount => value !== null && isValid(value), {
      error,
      abort: true,
    });

/** Like `decimalAmount`, for -10 to +10 million units. `remedy` ends the error message. */
export const paymentAmount = (
  error: string,
  isValid: (value: NanoAmount) => boolean,
  remedy: string,
) =>
  decimalAmount(error, isValid).refine(
    (value) => (value < 0n ? -value : value) <= MAX_PAYMENT_UNITS * NANO_PER_UNIT,
    { error: `must be at most ${MAX_PAYMENT_UNITS}${remedy}` },
  );

export const POSITIVE =
  'must be a positive decimal string of at most nine decimals, such as "100" or "0.5"';
export const positiveAmount = paymentAmount(
  POSITIVE,
  (value) => value > 0n,
  '; book more in several credits',
);

const TIME = 'must be a time such as "2027-01-31T00:00:00Z", or null for never';
export const expiresAt = z.iso
  .datetime({ offset: true, error: TIME })
  .transform((time) => Date.parse(time))
  .nullish();

const PAGE = `must be a whole number from 1 to ${MAX_PAGE}`;
/** Reads only decimal digits: `Number` would also read `0x5`, `1e1` and an empty text. */
const readDigits = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
export const limit = z
  .preprocess(
    readDigits,
    z
      .number({ error: PAGE })
      .int({ error: PAGE })
      .min(1, { error: PAGE })
      .max(MAX_PAGE, { error: PAGE }),
  )
  .optional();
/** The id of an entry, such as `key_01`, also after its time; for redeem codes, a hash. */
const PLACE = /^(?:(?:\d+\.)?[a-z]+_\w+|[0-9a-f]{64})$/;
const after = id.regex(PLACE, { error: 'must be `next` of the previous page' }).optional();
export const PAGE_QUERY = z.strictObject({ limit, after });

export const pageOf = ({ limit, after }: z.infer<typeof PAGE_QUERY>): PageRequest => ({
  limit: limit ?? DEFAULT_PAGE,
  after: after ?? null,
});

/** Parses a value. @throws GatewayError that names the first invalid field and what it must be. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value, { error: plainly });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue === undefined
    ? new GatewayError('invalid_value', 'The request is not valid.')
    : refusal(issue, value, schema);
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ object: 'an object', record: 'an object', array: 'a list', string: 'text' },
  ...{ number: 'a number', int: 'a whole number', boolean: 'true or false' },
};

/** Describes an issue of a schema that has no `error` of its own; undefined: as zod does. */
function plainly(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code !== 'invalid_value') return undefined;
  return `must be one of ${issue.values.join(', ')}`;
}

/**
 * Returns the parsed query, and in `given` the text of each parameter as the caller sent it.
 * @throws GatewayError from `checked`, or `invalid_value` for a parameter that is given twice.
 */
export function checkedQuery<Schema extends z.ZodType>(
  schema: Schema,
  { searchParams }: URL,
): { readonly query: z.infer<Schema>; readonly given: Readonly<Record<string, string>> } {
  const given = Object.fromEntries(searchParams);
  const twice = Object.keys(given).find((param) => searchParams.getAll(param).length > 1);
  if (twice !== undefined) throw error('invalid_value', twice, 'is given more than once; send one');
  return { query: checked(schema, given), given };
}

function refusal(issue: z.core.$ZodIssue, value: unknown, schema: z.ZodType): GatewayError {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const meant = nearest(key, fieldsAt(schema, issue.path));
    const remedy = meant === null ? 'leave it out' : `did you mean ${meant}?`;
    const param = [...issue.path, key].join('.');
    return error('unsupported_parameter', param, `is not a field of this request; ${remedy}`);
  }
  const param = issue.path.join('.');
  if (isMissing(value, issue.path))
    return error('missing_required_parameter', param, 'is required');
  return error('invalid_value', param, issue.message);
}

/** Returns the field names of the object at this path of the schema. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = schema;
  for (const key of [...path, null]) {
    while (at instanceof z.ZodOptional || at instanceof z.ZodNullable) at = at.unwrap();
    if (!(at instanceof z.ZodObject)) return [];
    if (key === null) return Object.keys(at.shape);
    at = at.shape[String(key)];
  }
  return [];
}

function error(code: ErrorCode, param: string, problem: string): GatewayError {
  const end = problem.endsWith('?') ? '' : '.';
  return new GatewayError(code, `${param} ${problem}${end}`, { param });
}

/** Whether the object that should have the last key of the path lacks it. */
function isMissing(value: unknown, [key, ...rest]: readonly PropertyKey[]): boolean {
  if (typeof value !== 'object' || value === null || key === undefined) return false;
  return rest.length === 0 ? !(key in value) : isMissing(Object(value)[key], rest);
}
