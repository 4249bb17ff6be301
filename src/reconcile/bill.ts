/** Defines a provider's bill: sums by UTC day and model, which are compared with the receipts. */
import type { Currency } from '../money/amount.ts';
import { PICO_DIGITS } from '../money/price.ts';

/**
 * The compared quantities. `prompt` counts all input tokens, cached or not; `cost` is in pico-units
 * (10^-12 of the currency).
 */
export const MEASURES = [
  'requests',
  'prompt',
  'cache_read',
  'cache_write',
  'output',
  'images',
  'cost',
] as const;
export type Measure = (typeof MEASURES)[number];

/** The sum of each measure; null where it is unknown. */
export type Sums = { readonly [Name in Measure]: bigint | null };
export const NO_SUMS: Sums = {
  requests: null,
  prompt: null,
  cache_read: null,
  cache_write: null,
  output: null,
  images: null,
  cost: null,
};

export type BillRow = {
  /** The UTC day, as the number of days since 1970. */
  readonly day: number;
  /**
   * The provider's name for the model; null for an item that is not billed by model, such as
   * storage.
   */
  readonly model: string | null;
  readonly sums: Partial<Sums>;
};

export type Bill = {
  readonly currency: Currency;
  /**
   * The measures that the report contains. If a model has no row, each of these measures is zero
   * for it.
   */
  readonly measures: readonly Measure[];
  readonly rows: readonly BillRow[];
};

/** Matches the version at the end of a model's name: `-2026-05-01`, `@20260501` or `-latest`. */
const VERSION = /(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{8})|-latest)$/;

/** Returns the name in lower case without its version, so that all versions compare as equal. */
export const modelKey = (model: string): string => model.trim().toLowerCase().replace(VERSION, '');

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Parses a decimal number, moves its decimal point to the right by `shift` digits, and returns the
 * result in pico-units; null if the text is not a decimal number. Some reports contain floats with
 * digits below a pico-unit: these are rounded to the nearest pico-unit, half away from zero.
 */
export function picoOf(text: string, shift = 0): bigint | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text.trim()) ?? [];
  if (sign === undefined) return null;
  const digits = BigInt(whole + fraction);
  const places = PICO_DIGITS + shift + Number(exponent) - fraction.length;
  const scale = 10n ** BigInt(Math.abs(places));
  const pico = places >= 0 ? digits * scale : (digits * 2n + scale) / (scale * 2n);
  return sign === '-' ? -pico : pico;
}
