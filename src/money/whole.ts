/** Exact integers. Safe integers are stored as numbers, which are faster than bigints. */

export type Whole = number | bigint;
/** An integer in JSON. It is a string if a JSON number would not be exact. */
export type WholeJson = number | string;

export function toWhole(value: bigint): Whole {
  // `Number` never rounds an unsafe bigint to a safe integer, so the next check is exact.
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function wholeToJson(value: bigint): WholeJson {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

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
