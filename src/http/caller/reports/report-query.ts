/** The query parameters of reports. Error messages say which values are allowed. */

import * as z from 'zod';
import { GatewayError } from '../../../errors.ts';
import type { Measure, RequestOutcome } from '../../../ledger/ledger.ts';
import { CURRENCIES } from '../../../money/amount.ts';
import { DAY_MS, dayOf } from '../../../money/calendar.ts';
import { MIN_ID_PREFIX } from '../../../reports/request-filter.ts';
import { MOVEMENT_KINDS } from '../../../reports/statements.ts';
import type { UsageDimension } from '../../../reports/usage-report.ts';
import { checkedQuery, decimalAmount, limit, limitedText } from '../../edge/request-schema.ts';
import type { Call } from '../../edge/route.ts';
import { fileFormatOf, REPORT_FORMATS, type ReportShape } from './report-list.ts';

/** Maximum number of days that one report may cover: a year and a day. */
export const MAX_REPORT_DAYS = 366;
/** The number of days that a usage report covers by default. */
const DEFAULT_USAGE_DAYS = 30;
/** Maximum characters of a filter: enough for model names and for ids of other systems. */
const MAX_FILTER_CHARS = 200;
const MAX_CURSOR_CHARS = 1_000;

export const OUTCOMES = [
  'completed',
  'length',
  'caller_left',
  'upstream_error',
  'upstream_truncated',
  'upstream_timeout',
  'gateway_error',
  'shutdown',
  'revoked',
  'node_lost',
] as const satisfies readonly RequestOutcome[];

export const MEASURES = [
  'reported',
  'read_on',
  'estimated',
  'estimated_by_time',
] as const satisfies readonly Measure[];

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` }).optional();
const FILTER = `must be text of 1 to ${MAX_FILTER_CHARS} characters; leave it out for no filter`;
const filter = limitedText(FILTER, 1, MAX_FILTER_CHARS).optional();
const OUTCOME = `must be one of ${OUTCOMES.join(', ')}, or several, separated by commas`;
const outcomes = z
  .string()
  .refine((list) => list.split(',').every((each) => OUTCOMES.some((known) => known === each)), {
    error: OUTCOME,
  })
  .transform((list) => OUTCOMES.filter((each) => list.split(',').includes(each)))
  .optional()
  .meta({
    description: `Only requests with one of these outcomes, separated by commas: ${OUTCOMES.join(', ')}.`,
  });
const TIME = 'must be a date such as 2026-11-01 or a time such as 2026-11-01T12:00:00Z';
const time = z
  .union([z.iso.date({ error: TIME }), z.iso.datetime({ offset: true, error: TIME })], {
    error: TIME,
  })
  .optional();
const DATE = 'must be a date (UTC) such as 2026-11-01';
const date = z.iso.date({ error: DATE }).optional();
const COST = 'must be a decimal number with at most nine digits after the point, such as 0.5';
const cost = decimalAmount(COST, (value) => value >= 0n).optional();

/** The query parameters with which every list selects a page of its entries. */
const AFTER = { limit, after: z.string().max(MAX_CURSOR_CHARS).optional() } as const;
const PAGE = { ...AFTER, format: oneOf(REPORT_FORMATS) } as const;
const TIMES = { from: time, to: time } as const;
const currency = oneOf(CURRENCIES);

export const LEDGER_QUERY = z.strictObject({
  ...PAGE,
  ...TIMES,
  currency,
  kind: oneOf(MOVEMENT_KINDS),
});
const ID = `must be the id of a request, or at least its first ${MIN_ID_PREFIX} characters`;
const REQUEST_FILTERS = {
  ...TIMES,
  id: limitedText(ID, MIN_ID_PREFIX, MAX_FILTER_CHARS)
    .optional()
    .meta({ description: 'The id of a request, or the beginning of an id.' }),
  key_id: filter,
  model: filter,
  channel: filter,
  outcome: outcomes,
  status: oneOf(['ok', 'failed']).meta({
    description:
      '`failed`: only requests with an outcome other than `completed`. `ok`: only completed requests.',
  }),
  currency,
  min_cost: cost,
} as const;
export const STATEMENTS_QUERY = z.strictObject({ format: PAGE.format });
export const REQUESTS_QUERY = z.strictObject({ ...PAGE, ...REQUEST_FILTERS });
const CODE = {
  code: filter.meta({
    description: 'Only requests with this error code, such as `invalid_value`.',
  }),
};
export const REFUSALS_QUERY = z.strictObject({
  ...PAGE,
  ...TIMES,
  id: REQUEST_FILTERS.id,
  key_id: filter,
  model: filter,
  ...CODE,
});
export const REFUSAL_COUNTS_QUERY = z.strictObject({ from: date, to: date });
const ZONE = 'must be a time zone of the IANA database, such as Asia/Shanghai';
const MAX_ZONE_CHARS = 64;
export const HISTOGRAM_QUERY = z.strictObject({
  ...REQUEST_FILTERS,
  time_zone: z
    .string()
    .max(MAX_ZONE_CHARS, { error: ZONE })
    .refine(isTimeZone, { error: ZONE })
    .default('UTC')
    .meta({ description: 'The time zone of the days, such as `Asia/Shanghai`.' }),
});
const OF_ANY = { account_id: filter, upstream: filter } as const;
export const ALL_REQUESTS_QUERY = REQUESTS_QUERY.extend(OF_ANY);
export const ALL_REFUSALS_QUERY = REFUSALS_QUERY.extend({ account_id: filter });
export const ALL_REFUSAL_COUNTS_QUERY = REFUSAL_COUNTS_QUERY.extend({ account_id: filter });
export const ALL_HISTOGRAM_QUERY = HISTOGRAM_QUERY.extend(OF_ANY);
export const USAGE_QUERY = z.strictObject({
  ...PAGE,
  from: date,
  to: date,
  group_by: z.string().optional(),
  key_id: filter,
  model: filter,
  channel: filter,
  currency,
});
export const ALL_USAGE_QUERY = USAGE_QUERY.extend({ account_id: filter });
export const SUMMARY_QUERY = z.strictObject({ from: date, to: date });
export const AUDIT_QUERY = z.strictObject({
  ...PAGE,
  ...TIMES,
  subject: filter,
  actor: filter,
  action: filter,
  verify: oneOf(['true', 'false']),
});

const CARD_LIST = z.string().max(64).optional().meta({
  description: 'Only price cards of this price list; empty: only price cards with public prices.',
});
export const CARDS_QUERY = z.strictObject({
  ...AFTER,
  ...{ model: filter, channel: filter, price_list: CARD_LIST },
});
export const RATES_QUERY = z.strictObject(AFTER);
export const OVERRUNS_QUERY = z.strictObject({ ...AFTER, account_id: filter });

type PageQuery = {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly format?: (typeof REPORT_FORMATS)[number] | undefined;
};

/** Returns the query, the page, and the `scope`: the path and filters to which a cursor belongs. */
export function readQuery<Schema extends z.ZodType<PageQuery>>(
  schema: Schema,
  { url, request }: Pick<Call, 'url' | 'request'>,
): { readonly query: z.infer<Schema>; readonly shape: ReportShape; readonly scope: string } {
  const { query, given } = checkedQuery(schema, url);
  const { limit: rows = null, after = null, format } = query;
  const filters = Object.entries(given)
    .filter(([name]) => !Object.hasOwn(PAGE, name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    query,
    shape: { file: fileFormatOf(format, request.headers), limit: rows, after },
    scope: JSON.stringify([url.pathname.replace(/^\/v2\//, '/v1/'), filters]),
  };
}

type Range = { readonly from?: string | undefined; readonly to?: string | undefined };

/**
 * Returns the requested period in milliseconds since 1970. Without `from`, it is MAX_REPORT_DAYS
 * long; without `to`, it ends with today. A date in `to` includes its whole day; a time in `to` is
 * exclusive.
 * @throws GatewayError `invalid_value` naming `from`.
 */
export function timesOf(
  { from, to }: Range,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const endOfToday = (dayOf(nowMs) + 1) * DAY_MS;
  const toMs = to === undefined ? endOfToday : Date.parse(to) + (isDate(to) ? DAY_MS : 0);
  const fromMs = from === undefined ? toMs - MAX_REPORT_DAYS * DAY_MS : Date.parse(from);
  checkRange(fromMs, toMs);
  return { fromMs, toMs };
}

/**
 * Returns the first and last day, both included, as days since 1970. Without `from`, the period has
 * DEFAULT_USAGE_DAYS; without `to`, it ends with today.
 * @throws GatewayError `invalid_value` naming `from`.
 */
export function daysOf(
  { from, to }: Range,
  nowMs: number,
): { readonly fromDay: number; readonly toDay: number } {
  const toDay = dayOf(to === undefined ? nowMs : Date.parse(to));
  const fromDay = from === undefined ? toDay - DEFAULT_USAGE_DAYS + 1 : dayOf(Date.parse(from));
  checkRange(fromDay * DAY_MS, (toDay + 1) * DAY_MS);
  return { fromDay, toDay };
}

function checkRange(fromMs: number, toMs: number): void {
  if (fromMs >= toMs) {
    throw new GatewayError('invalid_value', 'from must be before `to`.', { param: 'from' });
  }
  if (toMs - fromMs > MAX_REPORT_DAYS * DAY_MS) {
    throw new GatewayError(
      'invalid_value',
      `from must be at most ${MAX_REPORT_DAYS} days before \`to\`. Split the range.`,
      { param: 'from' },
    );
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const isDate = (text: string): boolean => text.length === 'YYYY-MM-DD'.length;

/**
 * Returns the dimensions that `group_by` lists, in the order of `allowed`; none if it is omitted.
 * @throws GatewayError `invalid_value`.
 */
export function dimensionsOf(
  groupBy: string | undefined,
  allowed: readonly UsageDimension[],
): readonly UsageDimension[] {
  const names = (groupBy ?? '').split(',').map((name) => name.trim());
  const asked = groupBy === undefined || groupBy === '' ? [] : names;
  const known = asked.every((name) => allowed.some((dimension) => dimension === name));
  if (!known || new Set(asked).size !== asked.length) {
    const message = `group_by must be any of ${allowed.join(', ')}, separated by commas, each once.`;
    throw new GatewayError('invalid_value', message, { param: 'group_by' });
  }
  return allowed.filter((dimension) => asked.includes(dimension));
}
