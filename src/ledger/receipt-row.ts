/** Converts receipts to and from rows of the receipt table, and to arrays in column order. */
import { nano } from '../money/amount.ts';
import { BUCKET_COLUMNS, perBucket } from '../money/usage.ts';
import type { Whole } from '../money/whole.ts';
import { RECEIPT, RECEIPT_COLUMNS, type ReceiptColumn } from '../store/columns.ts';
import { currencyOf, integer, text, textOrNull } from '../store/row.ts';
import type { SqlRow, SqlValue } from '../store/sql.ts';
import type { AttemptRecord, Receipt, StoredReceipt } from './ledger.ts';

/** A receipt's value as JSON. Amounts are text: JSON numbers cannot hold 64-bit integers. */
export type ReceiptValue = string | number | null;

/**
 * Maximum UTF-16 units of a stored text. Longer text is truncated, because receipts are stored for
 * a long time.
 */
export const MAX_WORDS = 200;

/** Makes text storable: PostgreSQL accepts neither unpaired surrogates nor NUL bytes. */
const storable = (words: string | null): string | null =>
  words === null ? null : words.slice(0, MAX_WORDS).toWellFormed().replaceAll('\u0000', '\ufffd');

type OnePer<Columns extends readonly unknown[]> = {
  readonly [Place in keyof Columns]: ReceiptValue;
};

/**
 * Returns a receipt's values in column order. It has no loop, because a loop would take twice as
 * long.
 */
export function receiptValues(receipt: Receipt): OnePer<typeof RECEIPT> {
  const { usage, images } = receipt;
  return [
    receipt.requestId,
    receipt.accountId,
    receipt.keyId,
    receipt.endpoint,
    receipt.model,
    storable(receipt.channelRequested),
    receipt.channel,
    receipt.upstream,
    receipt.upstreamModel,
    receipt.cardId,
    receipt.fxRateId,
    receipt.currency,
    usage.input,
    usage.cacheRead,
    usage.cacheWrite5m,
    usage.cacheWrite1h,
    usage.output,
    images === null ? null : images.count,
    images === null ? null : images.priceKey,
    receipt.costPico.toString(),
    receipt.estimated ? 1 : 0,
    receipt.streamed ? 1 : 0,
    receipt.outcome,
    receipt.errorCode,
    storable(receipt.finishReason),
    receipt.startedAtMs,
    receipt.firstByteMs,
    receipt.durationMs,
    JSON.stringify(receipt.attempts),
    usage.reasoning,
    usage.audioInput,
    usage.audioOutput,
    usage.imageInput,
    usage.imageOutput,
    receipt.facts,
    storable(receipt.upstreamId),
    receipt.reportedCostPico === null ? null : receipt.reportedCostPico.toString(),
    receipt.measure,
  ];
}

const at = (column: ReceiptColumn): number => RECEIPT_COLUMNS.indexOf(column);
const REQUEST_ID = at('request_id');
const CARD_ID = at('card_id');
const COST_PICO = at('cost_pico');
const ACCOUNT_ID = at('account_id');
const KEY_ID = at('key_id');
const CURRENCY = at('currency');
const FX_RATE_ID = at('fx_rate_id');
const MODEL = at('model');
const CHANNEL = at('channel');
const OUTCOME = at('outcome');
const ESTIMATED = at('estimated');
const MEASURE = at('measure');
const REPORTED_COST = at('reported_cost');
const BUCKETS = BUCKET_COLUMNS.map(at);
const IMAGE_COUNT = at('image_count');

/**
 * Returns the values as SQL parameters, with default values (or null) for columns that did not
 * exist yet when an old checkpoint or unbooked charge was written.
 * @throws Error for a checkpoint or an unbooked charge of a newer version with more columns.
 */
export function receiptParams(values: readonly ReceiptValue[]): SqlValue[] {
  if (values.length > RECEIPT.length) {
    throw new Error(
      'a newer version was killed before it booked its last receipts, which have columns that this ' +
        'version does not know; start that version once and stop it, then start this one',
    );
  }
  const params: SqlValue[] = values.map((value, column) =>
    value !== null && (column === COST_PICO || column === REPORTED_COST) ? BigInt(value) : value,
  );
  while (params.length < RECEIPT.length) params.push(RECEIPT[params.length]?.[2] ?? null);
  return params;
}

/**
 * Returns the ids and names in a receipt that identify its hold, its price card and its row of
 * `usage_day`.
 */
export const partiesOf = (values: readonly SqlValue[]) => ({
  requestId: textIn(values, REQUEST_ID),
  cardId: textIn(values, CARD_ID),
  accountId: textIn(values, ACCOUNT_ID),
  keyId: textIn(values, KEY_ID),
  currency: textIn(values, CURRENCY),
  model: textIn(values, MODEL),
  channel: textIn(values, CHANNEL),
});

export const accountIdOf = (values: readonly SqlValue[]): string => textIn(values, ACCOUNT_ID);

const textIn = (values: readonly SqlValue[], place: number): string => String(values[place]);

/** Returns the id of the exchange rate that a receipt's price used; null when it used none. */
export const rateIdOf = (values: readonly SqlValue[]): string | null => {
  const id = values[FX_RATE_ID] ?? null;
  return id === null ? null : String(id);
};

/** The key columns of a receipt's row of `usage_day`, and the counts that the receipt adds. */
export type DayUse = {
  readonly model: string;
  readonly channel: string;
  readonly currency: string;
  /** The values of `requests`, `incomplete`, each usage bucket and `images`. */
  readonly counts: readonly bigint[];
};

/**
 * Returns the row of `usage_day` to which a receipt belongs, and the counts that the receipt adds
 * to it.
 */
export function dayUseOf(values: readonly SqlValue[]): DayUse {
  const { model, channel, currency } = partiesOf(values);
  return { model, channel, currency, counts: dayCountsOf(values).map(BigInt) };
}

/**
 * Returns the counts that a receipt adds to its row of `usage_day`, in the order of
 * `DayUse.counts`.
 */
export function dayCountsOf(values: readonly SqlValue[]): Whole[] {
  const counts: Whole[] = [1, values[OUTCOME] === 'completed' ? 0 : 1];
  for (const place of BUCKETS) counts.push(countIn(values[place]));
  counts.push(countIn(values[IMAGE_COUNT]));
  return counts;
}

const countIn = (value: SqlValue | undefined): Whole =>
  typeof value === 'number' || typeof value === 'bigint' ? value : 0;

/**
 * Converts the receipt in a dead process's last checkpoint to the receipt by which it is charged.
 */
export const asNodeLost = (values: readonly ReceiptValue[]): ReceiptValue[] =>
  values.map((value, column) => {
    if (column === OUTCOME) return 'node_lost';
    if (column === ESTIMATED) return 1;
    return column === MEASURE && value !== null ? 'estimated' : value;
  });

/**
 * Whether a stored row equals `values`, compared as text because stores return integers as bigint.
 */
export function sameReceipt(stored: readonly SqlValue[], values: readonly ReceiptValue[]): boolean {
  return values.every((value, column) => {
    const kept = stored[column];
    return value === null ? kept === null : kept !== null && String(kept) === String(value);
  });
}

/** @throws Error when a column is missing or has another type. */
export function receiptOf(row: SqlRow): StoredReceipt {
  const priceKey = textOrNull(row, 'image_price_key');
  return {
    requestId: text(row, 'request_id'),
    accountId: text(row, 'account_id'),
    keyId: text(row, 'key_id'),
    endpoint: text(row, 'endpoint') as Receipt['endpoint'],
    model: text(row, 'model'),
    channelRequested: textOrNull(row, 'channel_requested'),
    channel: text(row, 'channel'),
    upstream: text(row, 'upstream'),
    upstreamModel: text(row, 'upstream_model'),
    cardId: text(row, 'card_id'),
    fxRateId: textOrNull(row, 'fx_rate_id'),
    currency: currencyOf(row),
    usage: perBucket(({ column }) => Number(row[column])),
    images: priceKey === null ? null : { count: Number(row['image_count']), priceKey },
    costPico: integer(row, 'cost_pico'),
    estimated: row['estimated'] === 1n,
    streamed: row['streamed'] === 1n,
    outcome: text(row, 'outcome') as Receipt['outcome'],
    errorCode: textOrNull(row, 'error_code'),
    finishReason: textOrNull(row, 'finish_reason'),
    startedAtMs: Number(row['started_at_ms']),
    firstByteMs: row['first_byte_ms'] === null ? null : Number(row['first_byte_ms']),
    durationMs: Number(row['duration_ms']),
    attempts: JSON.parse(text(row, 'attempts')) as AttemptRecord[],
    facts: textOrNull(row, 'facts'),
    upstreamId: textOrNull(row, 'upstream_id'),
    reportedCostPico: row['reported_cost'] === null ? null : integer(row, 'reported_cost'),
    measure: textOrNull(row, 'measure') as Receipt['measure'],
    charge: nano(integer(row, 'charge')),
    loss: nano(integer(row, 'loss')),
  };
}
