/** Exact integers that are numbers while those are safe, which are faster than bigints. */

export type Whole = number | bigint;
/** A whole number in JSON: text where a JSON number would not be exact. */
export type WholeJson = number | string;

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

const isSafe = (value: bigint): boolean => value <= MOST && value >= -MOST;

export const toWhole = (value: bigint): Whole => (isSafe(value) ? Number(value) : value);

export const wholeToJson = (value: bigint): WholeJson =>
  isSafe(value) ? Number(value) : value.toString();

export const wholeFromJson = (json: WholeJson): Whole =>
  typeof json === 'string' ? BigInt(json) : json;

export function plus(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(a) + BigInt(b);
}

export const minus = (a: Whole, b: Whole): Whole => plus(a, -b);
