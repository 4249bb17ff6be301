/**
 * The columns of receipts and of the tables that sum receipts. A new column goes last, because `ADD
 * COLUMN` appends it there.
 */
import { BUCKET_COLUMNS } from '../money/usage.ts';

/** The columns of a receipt with their PostgreSQL types, in the order used everywhere. */
export const RECEIPT = [
  ['request_id', 'TEXT'],
  ['account_id', 'TEXT'],
  ['key_id', 'TEXT'],
  ['endpoint', 'TEXT'],
  ['model', 'TEXT'],
  ['channel_requested', 'TEXT'],
  ['channel', 'TEXT'],
  ['upstream', 'TEXT'],
  ['upstream_model', 'TEXT'],
  ['card_id', 'TEXT'],
  ['fx_rate_id', 'TEXT'],
  ['currency', 'TEXT'],
  ['input', 'BIGINT'],
  ['cache_read', 'BIGINT'],
  ['cache_write_5m', 'BIGINT'],
  ['cache_write_1h', 'BIGINT'],
  ['output', 'BIGINT'],
  ['image_count', 'BIGINT'],
  ['image_price_key', 'TEXT'],
  ['cost_pico', 'BIGINT'],
  ['estimated', 'BIGINT'],
  ['streamed', 'BIGINT'],
  ['outcome', 'TEXT'],
  ['error_code', 'TEXT'],
  ['finish_reason', 'TEXT'],
  ['started_at_ms', 'BIGINT'],
  ['first_byte_ms', 'DOUBLE PRECISION'],
  ['duration_ms', 'DOUBLE PRECISION'],
  ['attempts', 'TEXT'],
  // Each later column has a third element: the value for a receipt that was spooled before the
  // column existed.
  ['reasoning', 'BIGINT', 0],
  ['audio_input', 'BIGINT', 0],
  ['audio_output', 'BIGINT', 0],
  ['image_input', 'BIGINT', 0],
  ['image_output', 'BIGINT', 0],
  ['facts', 'TEXT', null],
  ['upstream_id', 'TEXT', null],
  ['reported_cost', 'BIGINT', null],
  ['measure', 'TEXT', null],
] as const;
export type ReceiptColumn = (typeof RECEIPT)[number][0];
export const RECEIPT_COLUMNS: readonly ReceiptColumn[] = RECEIPT.map(([column]) => column);

/**
 * The columns that describe the charge. In the receipt table, they stand between `attempts` and the
 * columns that were added later.
 */
const CHARGE = ['charge', 'loss', 'available_after', 'settled_at_ms'] as const;
const FIRST_COLUMNS = RECEIPT_COLUMNS.indexOf('attempts') + 1;
/**
 * The columns that describe the change of the balance. In the receipt table, they stand between
 * `measure` and the columns that were added later.
 */
const MOVEMENT = [
  'seq',
  'held',
  'exchange_id',
  'bought',
  'sold',
  'balance_after',
  'other_after',
] as const;
const LATER_COLUMNS = RECEIPT_COLUMNS.indexOf('measure') + 1;
/** The columns of a receipt whose values the settlement computes. */
export const CHARGE_COLUMNS = [...CHARGE, ...MOVEMENT] as const;

/** All columns of a receipt, in the order of the receipt table. */
export const STORED_COLUMNS: readonly string[] = [
  ...RECEIPT_COLUMNS.slice(0, FIRST_COLUMNS),
  ...CHARGE,
  ...RECEIPT_COLUMNS.slice(FIRST_COLUMNS, LATER_COLUMNS),
  ...MOVEMENT,
  ...RECEIPT_COLUMNS.slice(LATER_COLUMNS),
];
/** The columns whose values only the store can compute. A node does not send them. */
const PLACED: readonly string[] = ['seq', 'balance_after', 'other_after'];
/**
 * The columns that a node sends with a receipt when the node, not the store, has computed the
 * charge.
 */
const PLANNED_COLUMNS = STORED_COLUMNS.filter((column) => !PLACED.includes(column));

/** The columns whose sums the tables `usage_day` and `usage_month` contain. */
export const COUNT_COLUMNS = [
  'requests',
  'incomplete',
  'input',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'output',
  'images',
  'charge',
  'loss',
  'metered',
  'reasoning',
  'audio_input',
  'audio_output',
  'image_input',
  'image_output',
] as const;

/**
 * Fills the placeholders of SQL from the lists above:
 *
 * - `{{buckets: SUM($)}}` and `{{counts: SUM($)}}`: the text after the colon, once for each usage
 *   bucket or each summed column, with the column's name in place of `$`, joined by commas. Another
 *   separator may stand before the colon: `{{buckets +: $}}`.
 * - `{{r.card_id}}`: the value of the column `card_id` in `r`, the JSON array of a receipt's
 *   values.
 * - `{{receipt r}}`: all values of `r` before the columns of the charge.
 * - `{{later receipt r}}`: all values between the columns of the charge and of the movement.
 * - `{{latest receipt r}}`: all values after the columns of the movement.
 * - `{{stored columns}}`: the names of all columns of the table.
 * - `{{stored receipt}}`: the number of these columns.
 * - `{{planned columns}}`: the names of all columns except those that only the store computes.
 * - `{{planned values}}`: the values of these columns.
 */
export const withColumns = (sql: string): string =>
  sql
    .replaceAll(
      /\{\{(buckets|counts)( [^:]+)?: ((?:[^{}]|\{\{[\w.$]+\}\})*)\}\}/g,
      (_, list, separator, each) =>
        (list === 'buckets' ? BUCKET_COLUMNS : COUNT_COLUMNS)
          .map((column) => each.replaceAll('$', column))
          .join(separator === undefined ? ', ' : `${separator} `),
    )
    .replaceAll(/\{\{receipt (\w+)\}\}/g, (_, values) =>
      RECEIPT.slice(0, FIRST_COLUMNS).map(valueIn(values)).join(', '),
    )
    .replaceAll(/\{\{(later|latest) receipt (\w+)\}\}/g, (_, part, values) =>
      (part === 'later'
        ? RECEIPT.slice(FIRST_COLUMNS, LATER_COLUMNS)
        : RECEIPT.slice(LATER_COLUMNS)
      )
        .map((column) => {
          const value = valueIn(values)(column);
          return column[2] === 0 ? `, COALESCE(${value}, 0)` : `, ${value}`;
        })
        .join(''),
    )
    .replaceAll('{{stored receipt}}', String(STORED_COLUMNS.length))
    .replaceAll('{{stored columns}}', STORED_COLUMNS.join(', '))
    .replaceAll('{{planned columns}}', PLANNED_COLUMNS.join(', '))
    .replaceAll('{{planned values}}', PLANNED_COLUMNS.map(plannedValue).join(', '))
    .replaceAll(/\{\{([\w.]+)\.(\w+)\}\}/g, (_, values, column) => placeIn(values, column));

/**
 * Returns the SQL of a value that a node sends. A node of an earlier version sends null for a
 * column that it does not know. For a count, the SQL replaces null with zero.
 */
const plannedValue = (column: string): string =>
  LATEST_COUNTS.has(column) ? `COALESCE(${column}, 0)` : column;
const LATEST_COUNTS: ReadonlySet<string> = new Set(
  RECEIPT.slice(LATER_COLUMNS).flatMap(([column, , missing]) => (missing === 0 ? [column] : [])),
);

const valueIn =
  (values: string) =>
  ([column, type]: (typeof RECEIPT)[number]): string =>
    type === 'TEXT' ? placeIn(values, column) : `(${placeIn(values, column)})::${type}`;

function placeIn(values: string, column: string): string {
  const place = RECEIPT.findIndex(([name]) => name === column);
  if (place === -1) throw new Error(`receipts have no column ${column}`);
  return `${values}->>${place}`;
}
