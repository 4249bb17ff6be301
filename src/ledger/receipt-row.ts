/** A receipt as the row that keeps it. The column order is also its order on the way between threads. */
import { isCurrency, nano } from '../money/amount.ts';
import type { SqlRow, SqlValue } from './database.ts';
import type { Receipt, StoredReceipt } from './ledger.ts';

/** Values of the columns below. `cost_pico` is decimal text: JSON has no integer that wide. */
export type ReceiptValue = string | number | null;

export const RECEIPT_COLUMNS = [
  'request_id',
  'account_id',
  'key_id',
  'endpoint',
  'model',
  'channel_requested',
  'channel',
  'upstream',
  'upstream_model',
  'card_id',
  'fx_rate_id',
  'currency',
  'input',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'output',
  'image_count',
  'image_price_key',
  'cost_pico',
  'estimated',
  'streamed',
  'outcome',
  'error_code',
  'finish_reason',
  'started_at_ms',
  'first_byte_ms',
  'duration_ms',
  'attempts',
] as const;

export function receiptValues(receipt: Receipt): ReceiptValue[] {
  const { usage, images } = receipt;
  return [
    receipt.requestId,
    receipt.accountId,
    receipt.keyId,
    receipt.endpoint,
    receipt.model,
    // A caller's own words: half a surrogate pair would come back from the file as something else.
    receipt.channelRequested?.toWellFormed() ?? null,
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
    receipt.finishReason,
    receipt.startedAtMs,
    receipt.firstByteMs,
    receipt.durationMs,
    JSON.stringify(receipt.attempts),
  ];
}

const COST_PICO = RECEIPT_COLUMNS.indexOf('cost_pico');
const ACCOUNT_ID = RECEIPT_COLUMNS.indexOf('account_id');
const KEY_ID = RECEIPT_COLUMNS.indexOf('key_id');
const CURRENCY = RECEIPT_COLUMNS.indexOf('currency');

/** The values as a statement binds them. */
export const receiptParams = (values: readonly ReceiptValue[]): SqlValue[] =>
  values.map((value, column) => (column === COST_PICO ? BigInt(value ?? 0) : value));

/** Who pays by it, and in what: the hold it resolves must say the same. */
export const partiesOf = (values: readonly ReceiptValue[]) => ({
  accountId: values[ACCOUNT_ID],
  keyId: values[KEY_ID],
  currency: values[CURRENCY],
});

/** Whether a stored row says what `values` say. Integers come from a store as bigint. */
export function sameReceipt(stored: readonly SqlValue[], values: readonly ReceiptValue[]): boolean {
  return values.every((value, column) => {
    const kept = stored[column];
    return value === null ? kept === null : kept !== null && String(kept) === String(value);
  });
}

/** @throws Error when the row was not written by `receiptValues`. */
export function receiptOf(row: SqlRow): StoredReceipt {
  const currency = text(row, 'currency');
  if (!isCurrency(currency)) throw new Error(`receipt in an unknown currency ${currency}`);
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
    currency,
    usage: {
      input: Number(row['input']),
      cacheRead: Number(row['cache_read']),
      cacheWrite5m: Number(row['cache_write_5m']),
      cacheWrite1h: Number(row['cache_write_1h']),
      output: Number(row['output']),
    },
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
    attempts: JSON.parse(text(row, 'attempts')) as string[],
    charge: nano(integer(row, 'charge')),
    loss: nano(integer(row, 'loss')),
  };
}

/** A column that the schema says is text. */
export function text(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`column ${column} is not text`);
  return value;
}

/** A column that the schema says is an integer. */
export function integer(row: SqlRow, column: string): bigint {
  const value = row[column];
  if (typeof value !== 'bigint') throw new Error(`column ${column} is not an integer`);
  return value;
}

function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}
