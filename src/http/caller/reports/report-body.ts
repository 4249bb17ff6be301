/** The rows of reports as the APIs show them, and the columns they have as CSV. */

import type { z } from 'zod';
import type { AttemptRecord } from '../../../ledger/ledger.ts';
import { formatAmount, type NanoAmount, nano } from '../../../money/amount.ts';
import { dateOf } from '../../../money/calendar.ts';
import { formatFxRate, formatPico, formatTokenPrice } from '../../../money/price.ts';
import type { AuditLine } from '../../../reports/audit-log.ts';
import type { CostLine, RequestCost } from '../../../reports/request-cost.ts';
import type { LoggedRequest } from '../../../reports/request-log.ts';
import type { Movement } from '../../../reports/statements.ts';
import type { UsageGroup } from '../../../reports/usage-report.ts';
import { isoTime } from '../account-body.ts';
import type { CsvColumns, CsvSums } from './csv.ts';
import type {
  ADMIN_REQUEST,
  ADMIN_USAGE,
  COST_DETAILS,
  MOVEMENT,
  ONE_REQUEST,
  REQUEST,
  USAGE,
} from './report-schemas.ts';

export const MOVEMENT_COLUMNS: CsvColumns = {
  id: 'text',
  at: 'number',
  kind: 'text',
  currency: 'text',
  amount: 'number',
  balance_after: 'number',
  source: 'text',
  reason: 'text',
  request_id: 'text',
  fx_rate: 'text',
  fx_price: 'number',
};

/** What the CSVs of people say the sum of. */
export const MOVEMENT_SUMS: CsvSums = { amount: 'amount' };
const TOKEN_SUMS: CsvSums = {
  input_tokens: 'count',
  cache_read_tokens: 'count',
  cache_write_5m_tokens: 'count',
  cache_write_1h_tokens: 'count',
  output_tokens: 'count',
  images: 'count',
};
export const REQUEST_SUMS: CsvSums = {
  ...TOKEN_SUMS,
  cost: 'amount',
  refunded: 'amount',
  loss: 'amount',
};
export const USAGE_SUMS: CsvSums = {
  requests: 'count',
  incomplete: 'count',
  ...TOKEN_SUMS,
  charge: 'amount',
  loss: 'amount',
  cost_usd: 'amount',
};

/** `source`: the account of the books that the money came from or went to. */
export function movementBody(movement: Movement): z.infer<typeof MOVEMENT> {
  const { rate } = movement;
  return {
    id: movement.id,
    at: isoTime(movement.atMs),
    kind: movement.kind,
    currency: movement.currency,
    amount: formatAmount(movement.amount),
    balance_after: formatAmount(movement.balanceAfter),
    source: movement.opposite,
    reason: movement.reason,
    request_id: movement.requestId,
    fx_rate: rate?.id ?? null,
    fx_price: rate === null ? null : formatFxRate(rate.scaled),
  };
}

export const REQUEST_COLUMNS: CsvColumns = {
  id: 'text',
  at: 'number',
  started_at: 'number',
  endpoint: 'text',
  model: 'text',
  channel_requested: 'text',
  channel: 'text',
  key_id: 'text',
  outcome: 'text',
  error_code: 'text',
  finish_reason: 'text',
  streamed: 'text',
  estimated: 'text',
  input_tokens: 'number',
  cache_read_tokens: 'number',
  cache_write_5m_tokens: 'number',
  cache_write_1h_tokens: 'number',
  output_tokens: 'number',
  images: 'number',
  image_price: 'text',
  currency: 'text',
  cost: 'number',
  refunded: 'number',
  loss: 'number',
  price_card: 'text',
  fx_rate: 'text',
  first_byte_ms: 'number',
  duration_ms: 'number',
};

/** What a caller may know of its own request: no upstream is named (service rule). */
export function requestBody(request: LoggedRequest): z.infer<typeof REQUEST> {
  const { usage, images } = request;
  return {
    id: request.requestId,
    at: isoTime(request.settledAtMs),
    started_at: isoTime(request.startedAtMs),
    endpoint: request.endpoint,
    model: request.model,
    channel_requested: request.channelRequested,
    channel: request.channel,
    key_id: request.keyId,
    outcome: request.outcome,
    error_code: request.errorCode,
    finish_reason: request.finishReason,
    streamed: request.streamed,
    estimated: request.estimated,
    input_tokens: usage.input,
    cache_read_tokens: usage.cacheRead,
    cache_write_5m_tokens: usage.cacheWrite5m,
    cache_write_1h_tokens: usage.cacheWrite1h,
    output_tokens: usage.output,
    images: images?.count ?? 0,
    image_price: images?.priceKey ?? null,
    currency: request.currency,
    cost: formatAmount(request.charge),
    refunded: formatAmount(request.refunded),
    loss: formatAmount(request.loss),
    price_card: request.cardId,
    fx_rate: request.fxRateId,
    first_byte_ms: request.firstByteMs,
    duration_ms: request.durationMs,
  };
}

export const ADMIN_REQUEST_COLUMNS: CsvColumns = {
  ...REQUEST_COLUMNS,
  account_id: 'text',
  upstream: 'text',
  upstream_model: 'text',
  attempts: 'text',
};

export const adminRequestBody = (request: LoggedRequest): z.infer<typeof ADMIN_REQUEST> => ({
  ...requestBody(request),
  account_id: request.accountId,
  upstream: request.upstream,
  upstream_model: request.upstreamModel,
  attempts: request.attempts.map(attemptBody),
});

const attemptBody = ({ startMs, durationMs, ...attempt }: AttemptRecord) => ({
  ...attempt,
  start_ms: startMs,
  duration_ms: durationMs,
});

/** One request of the caller's own, with all that there is to tell of it. */
export const requestDetails = (
  request: LoggedRequest,
  cost: RequestCost,
  held: NanoAmount | null,
): z.infer<typeof ONE_REQUEST>['data'] => ({
  ...requestBody(request),
  cost_details: costBody(request, cost),
  held: held === null ? null : formatAmount(held),
  attempts: request.attempts.map(({ channel, result, startMs, durationMs }) => ({
    ...{ channel, result },
    ...{ start_ms: startMs, duration_ms: durationMs },
  })),
});

/**
 * How the cost came about. `lines` add up to `cost_unrounded` exactly, in the card's currency; that,
 * converted and rounded once, is `price`; and `charge` + `loss` + `waived` is `price`. There are no
 * discounts: what a caller pays less than the price is said to be waived.
 */
export function costBody(request: LoggedRequest, cost: RequestCost): z.infer<typeof COST_DETAILS> {
  const { rate } = cost;
  const waived = cost.price - request.charge - request.loss;
  return {
    card: request.cardId,
    card_currency: cost.currency,
    lines: cost.lines.map(lineBody),
    discounts: [],
    cost_unrounded: formatPico(cost.costPico),
    conversion:
      rate === null
        ? null
        : {
            id: rate.id,
            from: rate.base,
            to: rate.quote,
            rate: formatFxRate(rate.scaled),
          },
    rounding: 'half to even, once, to 0.000000001',
    currency: request.currency,
    price: formatAmount(cost.price),
    charge: formatAmount(request.charge),
    loss: formatAmount(request.loss),
    waived: formatAmount(nano(waived)),
    refunded: formatAmount(request.refunded),
  };
}

const BUCKET_NAME = {
  input: 'input',
  cacheRead: 'cache_read',
  cacheWrite5m: 'cache_write_5m',
  cacheWrite1h: 'cache_write_1h',
  output: 'output',
} as const;

function lineBody(line: CostLine) {
  const cost = formatPico(line.costPico);
  switch (line.kind) {
    case 'tokens':
      return {
        kind: line.kind,
        bucket: BUCKET_NAME[line.bucket],
        count: line.count,
        rate_per_1m: formatTokenPrice(line.ratePico),
        cost,
      };
    case 'images':
      return {
        kind: line.kind,
        price_key: line.priceKey,
        count: line.count,
        price_per_image: formatAmount(line.price),
        cost,
      };
  }
}

export const USAGE_COLUMNS: CsvColumns = {
  day: 'number',
  model: 'text',
  key_id: 'text',
  channel: 'text',
  currency: 'text',
  requests: 'number',
  incomplete: 'number',
  input_tokens: 'number',
  cache_read_tokens: 'number',
  cache_write_5m_tokens: 'number',
  cache_write_1h_tokens: 'number',
  output_tokens: 'number',
  images: 'number',
  charge: 'number',
  loss: 'number',
  cost_usd: 'number',
};
export const ADMIN_USAGE_COLUMNS: CsvColumns = { ...USAGE_COLUMNS, account_id: 'text' };

/** `cost_usd` is the charge converted at each request's own rate: the one figure of another currency. */
export function usageBody(group: UsageGroup): z.infer<typeof USAGE> {
  return {
    day: group.day === null ? null : dateOf(group.day),
    model: group.model,
    key_id: group.key,
    channel: group.channel,
    currency: group.currency,
    requests: Number(group.requests),
    incomplete: Number(group.incomplete),
    input_tokens: Number(group.input),
    cache_read_tokens: Number(group.cache_read),
    cache_write_5m_tokens: Number(group.cache_write_5m),
    cache_write_1h_tokens: Number(group.cache_write_1h),
    output_tokens: Number(group.output),
    images: Number(group.images),
    charge: formatAmount(group.charge),
    loss: formatAmount(group.loss),
    cost_usd: formatAmount(group.metered),
  };
}
export const adminUsageBody = (group: UsageGroup): z.infer<typeof ADMIN_USAGE> => ({
  ...usageBody(group),
  account_id: group.account,
});

export const AUDIT_COLUMNS: CsvColumns = {
  id: 'number',
  at: 'number',
  actor: 'text',
  action: 'text',
  subject: 'text',
  detail: 'text',
  hash: 'text',
};

/** `detail` as the text that was hashed, for CSV and for whoever checks the chain. */
export const auditRow = (line: AuditLine) => ({
  id: Number(line.id),
  at: isoTime(line.atMs),
  actor: line.actor,
  action: line.action,
  subject: line.subject,
  detail: line.detail,
  hash: line.hash,
});

/** The same for JSON: `detail` is an object, and so are the states that it tells of. */
export const auditBody = (line: AuditLine) => ({
  ...auditRow(line),
  detail: detailOf(line.detail),
});

function detailOf(text: string): unknown {
  const detail = parsedObject(text);
  if (typeof detail !== 'object' || detail === null) return detail;
  const fields = Object.entries(detail).map(([name, value]: [string, unknown]) => [
    name,
    name === 'before' || name === 'after' ? parsedObject(value) : value,
  ]);
  return Object.fromEntries(fields);
}

/** What is no JSON object is given as it is: a masked key, or an entry that somebody has changed. */
function parsedObject(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value);
  } catch {
    // The chain will say that it is broken; a reader of the list still gets to see how.
    return value;
  }
}
