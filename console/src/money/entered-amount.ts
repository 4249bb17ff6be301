/** An amount as a person types it. */

/** As many digits after the point as a wallet keeps. */
const ENTERED = /^-?\d{1,12}(?:\.\d{1,9})?$/;
/** Commas between thousands, and nowhere else. */
const GROUPED = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

export type EnteredOptions = {
  /** Whether it may be less than zero. */
  readonly signed?: boolean;
  /** Whether it may be nothing at all. */
  readonly zero?: boolean;
};

/** As the API takes it, such as `1000.50` for `1,000.50`; null when it is no such amount. */
export function enteredAmount(
  text: string,
  { signed = false, zero = false }: EnteredOptions = {},
): string | null {
  const trimmed = text.trim();
  const plain = GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
  if (!ENTERED.test(plain)) return null;
  if (!signed && plain.startsWith('-')) return null;
  return zero || /[1-9]/.test(plain) ? plain : null;
}
