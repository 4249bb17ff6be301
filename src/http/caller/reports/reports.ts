/** The report endpoints. The calling route passes the account whose data the report covers. */

import type { z } from 'zod';
import type { Clock } from '../../../clock.ts';
import { GatewayError } from '../../../errors.ts';
import { dateOf } from '../../../money/calendar.ts';
import type { AuditLog } from '../../../reports/audit-log.ts';
import type { StatementsByMonth } from '../../../reports/monthly-statements.ts';
import { cursorOf, readCursor } from '../../../reports/report-cursor.ts';
import type { RequestCosts } from '../../../reports/request-cost.ts';
import type { RequestFilter } from '../../../reports/request-filter.ts';
import type { RequestHistogram } from '../../../reports/request-histogram.ts';
import type { LoggedRequest, RequestLog } from '../../../reports/request-log.ts';
import type { Statements } from '../../../reports/statements.ts';
import {
  positionParts,
  type UsageDimension,
  type UsageGroup,
  type UsageReport,
} from '../../../reports/usage-report.ts';
import { NO_STORE } from '../../edge/answer-schema.ts';
import { checkedQuery } from '../../edge/request-schema.ts';
import type { Call } from '../../edge/route.ts';
import { isoTime } from '../account-body.ts';
import { AUDIT, auditBody } from './audit-view.ts';
import { fileFormatOf, type Reader, respond } from './report-list.ts';
import {
  ALL_HISTOGRAM_QUERY,
  ALL_REQUESTS_QUERY,
  ALL_USAGE_QUERY,
  AUDIT_QUERY,
  daysOf,
  dimensionsOf,
  HISTOGRAM_QUERY,
  LEDGER_QUERY,
  REQUESTS_QUERY,
  readQuery,
  STATEMENTS_QUERY,
  timesOf,
  USAGE_QUERY,
} from './report-query.ts';
import type { Rows } from './report-view.ts';
import { MONTH, MOVEMENT } from './statement-views.ts';

export type ReportDeps = {
  readonly statements: Pick<Statements, 'page'>;
  readonly months: Pick<StatementsByMonth, 'of'>;
  readonly requests: Pick<RequestLog, 'page' | 'one' | 'heldFor' | 'archivedIn'>;
  readonly histogram: Pick<RequestHistogram, 'of'>;
  readonly costs: Pick<RequestCosts, 'of'>;
  readonly usage: Pick<UsageReport, 'page'>;
  readonly audit: Pick<AuditLog, 'page' | 'firstBreak'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

/** Maximum characters of an id that is looked up. Our own ids have 30 characters. */
export const MAX_ID_CHARS = 128;
const BIGINT = /^\d{1,19}$/;

export async function ledgerReport(
  { statements, clock }: ReportDeps,
  call: Call,
  accountId: string,
  reader: Reader,
): Promise<Response> {
  const { query, shape, scope } = readQuery(LEDGER_QUERY, call);
  const times = timesOf(query, clock.nowMs());
  const { currency = null, kind = null } = query;
  const page = async (limit: number, after: string | null) => {
    const place = after === null ? null : movementPlace(scope, after);
    const { rows, next } = await statements.page(
      { accountId, currency, kind, ...times },
      limit,
      place,
    );
    return {
      rows: rows.map(MOVEMENT.body),
      next: next === null ? null : cursorOf(scope, [`${next.seq}`, `${next.line}`]),
      beside: spanOf(times),
    };
  };
  const list = { name: 'ledger', columns: MOVEMENT.columns, page };
  return await respond(list, shape, reader);
}

/**
 * Returns all monthly statements on one page. A CSV or JSON Lines file is sent only after every
 * month is summed.
 */
export async function monthsReport(
  { months }: ReportDeps,
  call: Call,
  accountId: string,
  reader: Reader,
): Promise<Response> {
  const { query } = checkedQuery(STATEMENTS_QUERY, call.url);
  const file = fileFormatOf(query.format, call.request.headers);
  const page = async () => {
    let summed = await months.of(accountId);
    while (file !== null && !summed.isWhole) summed = await months.of(accountId);
    const rows = summed.statements.map(MONTH.body);
    return { rows, next: null, beside: { is_whole: summed.isWhole } };
  };
  const shape = { file, limit: null, after: null };
  const list = { name: 'statements', columns: MONTH.columns, page };
  return await respond(list, shape, reader);
}

/**
 * Answers with finished requests.
 * @param accountId the account to list; null for the account in the query, or for all accounts if
 *   the query names none.
 */
export async function requestsReport(
  { requests, clock }: ReportDeps,
  call: Call,
  accountId: string | null,
  { columns, body }: Rows<LoggedRequest>,
  reader: Reader,
): Promise<Response> {
  const schema = accountId === null ? ALL_REQUESTS_QUERY : REQUESTS_QUERY;
  const { query, shape, scope } = readQuery(schema, call);
  const times = timesOf(query, clock.nowMs());
  const filter = requestFilter(query, accountId, times);
  const page = async (limit: number, after: string | null) => {
    const place = after === null ? null : requestPlace(scope, after);
    const { rows, next } = await requests.page(filter, limit, place);
    return {
      rows: rows.map(body),
      next: next === null ? null : cursorOf(scope, [`${next.settledAtMs}`, next.requestId]),
      beside: spanOf(times),
    };
  };
  return await respond({ name: 'requests', columns, page }, shape, reader);
}

export async function histogramReport(
  { histogram, clock }: ReportDeps,
  { url }: Call,
  accountId: string | null,
): Promise<Response> {
  const schema = accountId === null ? ALL_HISTOGRAM_QUERY : HISTOGRAM_QUERY;
  const { query } = checkedQuery(schema, url);
  const times = timesOf(query, clock.nowMs());
  const { bucket, bars } = await histogram.of(
    requestFilter(query, accountId, times),
    query.time_zone,
  );
  const data = bars.map(({ startMs, ...bar }) => ({ at: isoTime(startMs), ...bar }));
  return Response.json({ data, bucket, ...spanOf(times) }, { headers: NO_STORE });
}

type UsageQuery = z.infer<typeof USAGE_QUERY> & { readonly account_id?: string | undefined };
type RequestQuery = Omit<z.infer<typeof HISTOGRAM_QUERY>, 'time_zone'> &
  Partial<Pick<z.infer<typeof ALL_HISTOGRAM_QUERY>, 'account_id' | 'upstream'>>;

/** Converts a query to a filter. `accountId`, unless null, replaces the account in the query. */
export const requestFilter = (
  query: RequestQuery,
  accountId: string | null,
  times: Pick<RequestFilter, 'fromMs' | 'toMs'>,
): RequestFilter => ({
  accountId: accountId ?? query.account_id ?? null,
  ...times,
  keyId: query.key_id ?? null,
  model: query.model ?? null,
  channel: query.channel ?? null,
  upstream: query.upstream ?? null,
  outcomes: query.outcome ?? null,
  status: query.status ?? null,
  idPrefix: query.id ?? null,
  currency: query.currency ?? null,
  minCost: query.min_cost ?? null,
});

/**
 * Answers with grouped usage.
 * @param accountId the account to report; null for the account in the query, or for all accounts if
 *   the query names none.
 */
export async function usageReport(
  { usage, clock }: ReportDeps,
  call: Call,
  accountId: string | null,
  allowed: readonly UsageDimension[],
  { columns, body }: Rows<UsageGroup>,
  reader: Reader,
): Promise<Response> {
  const schema = accountId === null ? ALL_USAGE_QUERY : USAGE_QUERY;
  const { query, shape, scope } = readQuery<z.ZodType<UsageQuery>>(schema, call);
  const by = dimensionsOf(query.group_by, allowed);
  const days = daysOf(query, clock.nowMs());
  const filter = {
    accountId: accountId ?? query.account_id ?? null,
    ...days,
    keyId: query.key_id ?? null,
    model: query.model ?? null,
    channel: query.channel ?? null,
    currency: query.currency ?? null,
  };
  const page = async (limit: number, after: string | null) => {
    const place = after === null ? null : readCursor(scope, after, positionParts(by));
    const { rows, total, next } = await usage.page(filter, by, limit, place);
    return {
      rows: rows.map(body),
      next: next === null ? null : cursorOf(scope, next),
      beside: {
        total: total.map(body),
        group_by: by,
        from: dateOf(days.fromDay),
        to: dateOf(days.toDay),
      },
    };
  };
  return await respond({ name: 'usage', columns, page }, shape, reader);
}

export async function auditReport({ audit, clock }: ReportDeps, call: Call): Promise<Response> {
  const { query, shape, scope } = readQuery(AUDIT_QUERY, call);
  const times = timesOf(query, clock.nowMs());
  const { subject = null, actor = null, action = null } = query;
  const page = async (limit: number, after: string | null) => {
    const place = after === null ? null : auditPlace(scope, after);
    const { rows, next } = await audit.page({ subject, actor, action, ...times }, limit, place);
    const newest = rows[0]?.id ?? 0n;
    const chain =
      query.verify === 'true' && shape.file === null
        ? { chain: chainBody(newest, await audit.firstBreak(newest)) }
        : {};
    return {
      rows: rows.map(shape.file === 'csv' ? AUDIT.body : auditBody),
      next: next === null ? null : cursorOf(scope, [`${next}`]),
      beside: { ...spanOf(times), ...chain },
    };
  };
  return await respond({ name: 'audit', columns: AUDIT.columns, page }, shape, 'program');
}

/** Returns the result of checking the hash chain of the audit log up to entry `newest`. */
const chainBody = (newest: bigint, broken: bigint | null) => ({
  verified_up_to: Number(newest),
  ok: broken === null,
  first_broken_id: broken === null ? null : Number(broken),
});

/**
 * Returns one finished request.
 * @param accountId the account of the caller; null for any account.
 * @throws GatewayError `not_found`, also for a request of another account or in an archive.
 */
export async function requestOf(
  { requests }: { readonly requests: Pick<RequestLog, 'one' | 'archivedIn'> },
  id: string,
  accountId: string | null,
): Promise<LoggedRequest> {
  const request = id.length > MAX_ID_CHARS ? null : await requests.one(id, accountId);
  if (request !== null) return request;
  const file = id.length > MAX_ID_CHARS ? null : await requests.archivedIn(id);
  if (file !== null) {
    // Only administrators see the names of files on the server.
    const where = accountId === null ? `in the file ${file}` : 'by the operator';
    const message = `This request was archived ${where}. It cannot be shown or refunded.`;
    throw new GatewayError('not_found', message, { param: 'id' });
  }
  const whose = accountId === null ? '' : ' of this account';
  throw new GatewayError(
    'not_found',
    `No finished request${whose} has this id. Use the x-request-id of a response that has ended.`,
    { param: 'id' },
  );
}

export const spanOf = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) => ({
  from: isoTime(fromMs),
  to: isoTime(toMs),
});

function movementPlace(scope: string, cursor: string) {
  const [seq = '', line = ''] = readCursor(scope, cursor, 2);
  return { seq: integerOf(seq), line: integerOf(line) };
}

export function requestPlace(scope: string, cursor: string) {
  const [settledAtMs = '', requestId = ''] = readCursor(scope, cursor, 2);
  return { settledAtMs: integerOf(settledAtMs), requestId };
}

const auditPlace = (scope: string, cursor: string): bigint =>
  integerOf(readCursor(scope, cursor, 1)[0] ?? '');

/** Parses a number in a cursor. Any other text is forged; it becomes 0, which ends the list. */
const integerOf = (text: string): bigint => (BIGINT.test(text) ? BigInt(text) : 0n);
