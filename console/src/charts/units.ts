/**
 * Formats amounts for charts in the same way on every screen: bar heights, axis labels and exact
 * texts.
 */
import type { Formats } from '#i18n/formats.ts';
import { formatExact, formatShort, withCurrency } from '#money/amount.ts';

export type Unit = {
  /** Converts an amount to the height of its bar. */
  readonly height: (amount: bigint) => number;
  /** Formats a mark of the axis. `step` is the difference between two marks. */
  readonly axis: (value: number, step: number) => string;
  readonly text: (amount: bigint) => string;
  /** Formats the exact amount for a CSV file, without a unit. */
  readonly csv: (amount: bigint) => string;
};

const THOUSAND = 1000;
const CENTS = 2;
const MOST_DIGITS = 12;

/** Returns the number of decimal places of a step such as 0.25, at least two. */
function digitsOf(step: number): number {
  let digits = CENTS;
  while (digits < MOST_DIGITS && Math.abs(step - Number(step.toFixed(digits))) > step / 100) {
    digits += 1;
  }
  return digits;
}

/** Returns the unit for amounts of money, in pico-units of the currency. */
export const moneyUnit = (currency: string, { compact, count }: Formats): Unit => ({
  height: (amount) => Number(formatExact(amount)),
  axis: (value, step) => {
    const size = Math.abs(value);
    const whole = step >= THOUSAND ? compact : count;
    const figure = Number.isInteger(step) ? whole(size) : size.toFixed(digitsOf(step));
    return withCurrency(value < 0 ? `-${figure}` : figure, currency);
  },
  text: (amount) => withCurrency(formatShort(amount), currency),
  csv: formatExact,
});

export const countUnit = ({ count, compact }: Formats): Unit => ({
  height: Number,
  // With few requests, marks are at fractions, which are no counts.
  axis: (value) => (Number.isInteger(value) ? compact(value) : ''),
  text: (amount) => count(Number(amount)),
  csv: String,
});

/** Returns the unit for durations in milliseconds. */
export const durationUnit = ({ duration }: Formats): Unit => ({
  height: Number,
  axis: (value) => duration(value),
  text: (amount) => duration(Number(amount)),
  csv: String,
});
