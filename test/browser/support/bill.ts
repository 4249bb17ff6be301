/** For tests: recalculates a displayed bill without using the console's own code. */
import type { Locator } from 'playwright-core';
import { divideHalfEven } from '../../../src/money/amount.ts';

const PICO_DIGITS = 12;
const PICO_PER_NANO = 1000n;

/**
 * Converts a displayed amount.
 * @param shown an amount such as `$0.000132` or `CN¥1,000.50`.
 * @returns pico-units.
 */
export function picoOf(shown: string): bigint {
  const [, sign = '', whole = '', part = ''] =
    /^([-−]?)[^\d-]*([\d,]+)(?:\.(\d+))?$/.exec(shown.trim()) ?? [];
  if (whole === '' || part.length > PICO_DIGITS) throw new Error(`no amount: ${shown}`);
  return BigInt(
    `${sign === '' ? '' : '-'}${whole.replaceAll(',', '')}${part.padEnd(PICO_DIGITS, '0')}`,
  );
}

/**
 * Converts an amount of the API.
 * @param amount a decimal string.
 * @returns nano-units.
 */
export const nanoOf = (amount: string): bigint => picoOf(amount) / PICO_PER_NANO;

export type Bill = {
  /**
   * The amount of the bill in nano-units. It is the exact sum of the bill's lines, rounded once.
   */
  readonly due: bigint;
  readonly lines: number;
};

/** Reads the cost table of a request. Each line has a name, a count, a rate and an amount. */
export async function billIn(table: Locator): Promise<Bill> {
  const amounts = await table.locator('tbody tr td:last-child').allInnerTexts();
  const sum = amounts.reduce((pico, amount) => pico + picoOf(amount), 0n);
  return { due: divideHalfEven(sum, PICO_PER_NANO), lines: amounts.length };
}
