/** Parses an amount that a person types. */

/** The format of a typed amount, with as many decimal places as a wallet stores. */
const ENTERED = /^-?\d{1,12}(?:\.\d{1,9})?$/;
/** The format of a typed amount with commas, which are allowed only as thousands separators. */
const GROUPED = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

export type EnteredOptions = {
  /** Whether negative amounts are allowed. */
  readonly signed?: boolean;
  /** Whether zero is allowed. */
  readonly zero?: boolean;
};

/**
 * Returns the amount for the API, such as `1000.50` for `1,000.50`; null when the text is invalid.
 * Chinese input methods type full-width digits, which are accepted too.
 */
export function enteredAmount(
  text: string,
  { signed = false, zero = false }: EnteredOptions = {},
): string | null {
  const trimmed = text.normalize('NFKC').trim();
  const plain = GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
  if (!ENTERED.test(plain)) return null;
  if (!signed && plain.startsWith('-')) return null;
  return zero || /[1-9]/.test(plain) ? plain : null;
}
