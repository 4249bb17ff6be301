/**
 * Expands a price into rows. A row has prices, and the conditions under which they apply. Each row
 * with a `scale` becomes rows with scaled prices. Also compares the conditions of rows.
 */
import { type ConditionSettings, NOT_SOLD, type TokenPriceSettings } from './price-schema.ts';

export const PRICE_KEYS = [
  'input',
  'output',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'reasoning',
  'audio_input',
  'audio_output',
  'image_input',
  'image_output',
] as const satisfies readonly (keyof TokenPriceSettings)[];
type PriceKey = (typeof PRICE_KEYS)[number];
export type RowPrices = { readonly [Key in PriceKey]?: string | undefined };

export type PriceRow = {
  readonly when: ConditionSettings;
  readonly prices: RowPrices;
  /** The index in the configured `rows`; null for the first row, which has no conditions. */
  readonly index: number | null;
  /**
   * The keys of the prices that would have more than six decimals after scaling. They keep their
   * unscaled prices, and the configuration is refused.
   */
  readonly inexact: readonly string[];
};

/**
 * Returns the rows in order. Instead of a row with a `scale`, returns a scaled copy of each row to
 * which the scale applies.
 */
export function priceRows(price: TokenPriceSettings): readonly PriceRow[] {
  const given: PriceRow[] = [{ when: {}, prices: pricesIn(price), index: null, inexact: [] }];
  for (const [index, row] of price.rows.entries()) {
    if (row.scale === undefined)
      given.push({ when: row.when, prices: pricesIn(row), index, inexact: [] });
  }
  const rows = given.flatMap((row) => (row.index === null ? [row] : []));
  for (const [index, { when, scale }] of price.rows.entries()) {
    if (scale === undefined) rows.push(...given.filter((row) => row.index === index));
    else rows.push(...given.flatMap((row) => scaledRow(row, when, scale, index)));
  }
  // Drops each scaled row that can never apply, because a later row matches all of its requests.
  const isScaled = ({ index }: PriceRow): boolean =>
    index !== null && price.rows[index]?.scale !== undefined;
  return rows.filter((row) => !isScaled(row) || !isCovered(row, rows));
}

/** Whether a later row matches every request that this row matches. */
export const isCovered = (row: PriceRow, rows: readonly PriceRow[]): boolean =>
  rows.slice(rows.indexOf(row) + 1).some((later) => isWithin(row.when, later.when));

/**
 * Returns a scaled copy of a row that has the conditions of both the row and the scale. Returns an
 * empty list if these conditions exclude each other, or if both restrict the same fact, such as the
 * tier.
 */
function scaledRow(
  row: PriceRow,
  when: ConditionSettings,
  scale: string,
  index: number,
): readonly PriceRow[] {
  const both = intersection(row.when, when);
  const isBeside = FACTS.every((name) => when[name] === undefined || row.when[name] === undefined);
  if (both === null || !isBeside) return [];
  const inexact: string[] = [];
  const prices: { [Key in PriceKey]?: string } = {};
  for (const key of PRICE_KEYS) {
    const price = row.prices[key];
    if (price === undefined) continue;
    const product = price === NOT_SOLD ? price : timesExactly(price, [scale]);
    if (product === null) inexact.push(key);
    prices[key] = product ?? price;
  }
  return [{ when: both, prices, index, inexact }];
}

function pricesIn(row: RowPrices): RowPrices {
  const prices: { [Key in PriceKey]?: string } = {};
  for (const key of PRICE_KEYS) {
    const price = row[key];
    if (price !== undefined) prices[key] = price;
  }
  return prices;
}

const DECIMALS = 6;

/**
 * Returns the exact product of a price and multiples; null if it has more than `decimals` decimals.
 */
export function timesExactly(
  price: string,
  multiples: readonly string[],
  decimals = DECIMALS,
): string | null {
  let product = scaled(price, decimals);
  let divisor = 1n;
  for (const multiple of multiples) {
    product *= scaled(multiple, DECIMALS);
    divisor *= 10n ** BigInt(DECIMALS);
  }
  if (product % divisor !== 0n) return null;
  const digits = String(product / divisor).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Converts a decimal text to an integer in units of 10^-decimals. */
function scaled(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`);
}

export const FACTS = ['tier', 'speed', 'geo', 'size', 'quality'] as const;

/** Returns the smallest number of prompt tokens with which the conditions can be met. */
export const smallestPrompt = ({ prompt_over: over, prompt_from: from }: ConditionSettings) =>
  Math.max(0, over === undefined ? 0 : over + 1, from ?? 0);

/** Returns conditions that are met if both sets are met; null if the sets exclude each other. */
export function intersection(
  one: ConditionSettings,
  other: ConditionSettings,
): ConditionSettings | null {
  const facts = FACTS.map((name) => [name, common(one[name], other[name])] as const);
  const days = common(one.days, other.days);
  const hours = commonHours(one.hours, other.hours);
  const notOn = [...new Set([...(one.not_on ?? []), ...(other.not_on ?? [])])];
  const from = Math.max(one.from ?? -Infinity, other.from ?? -Infinity);
  const until = Math.min(one.until ?? Infinity, other.until ?? Infinity);
  const lists = [...facts.map(([, values]) => values), days, hours];
  if (from >= until || lists.some((values) => values?.length === 0)) return null;
  const { prompt_over, prompt_from } = smallestPrompt(one) > smallestPrompt(other) ? one : other;
  const entries = [
    ...facts,
    ['prompt_over', prompt_over],
    ['prompt_from', prompt_from],
    ['hours', hours],
    ['days', days],
    ['not_on', notOn.length === 0 ? undefined : notOn],
    ['from', from === -Infinity ? undefined : from],
    ['until', until === Infinity ? undefined : until],
  ] as const;
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Whether every request that meets the inner conditions also meets the outer conditions. */
export function isWithin(inner: ConditionSettings, outer: ConditionSettings): boolean {
  return (
    FACTS.every((name) => isSubset(inner[name], outer[name])) &&
    isSubset(inner.days, outer.days) &&
    isSubset(outer.not_on ?? [], inner.not_on ?? []) &&
    smallestPrompt(inner) >= smallestPrompt(outer) &&
    (inner.from ?? -Infinity) >= (outer.from ?? -Infinity) &&
    (inner.until ?? Infinity) <= (outer.until ?? Infinity) &&
    minutesIn(commonHours(inner.hours, outer.hours)) === minutesIn(inner.hours)
  );
}

const isSubset = (
  inner: readonly string[] | undefined,
  outer: readonly string[] | undefined,
): boolean => outer === undefined || (inner?.every((value) => outer.includes(value)) ?? false);

function common<Value>(
  one: readonly Value[] | undefined,
  other: readonly Value[] | undefined,
): readonly Value[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((value) => other.includes(value));
}

type Hours = NonNullable<ConditionSettings['hours']>;

function commonHours(one: Hours | undefined, other: Hours | undefined): Hours | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.flatMap((a) =>
    other.flatMap((b) => {
      const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
      return from < to ? [{ from, to }] : [];
    }),
  );
}

const DAY_MINUTES = 24 * 60;
const minutesIn = (hours: Hours | undefined): number =>
  hours?.reduce((sum, { from, to }) => sum + to - from, 0) ?? DAY_MINUTES;
