/** A rounded amount, with the exact amount in a tooltip. */
import { Text, type TextProps, Tooltip } from '@mantine/core';
import {
  formatExactGrouped,
  formatListed,
  formatShort,
  parseAmount,
  placesOf,
  withCurrency,
} from './amount.ts';

export type MoneyProps = TextProps & {
  /** A decimal string from the API. */
  readonly amount: string;
  readonly currency: string;
  /** Whether all digits are shown. By default, the amount is rounded. */
  readonly exact?: boolean;
};

export function Money({ amount, currency, exact = false, ...text }: MoneyProps) {
  const value = parseAmount(amount);
  const full = withCurrency(formatExactGrouped(value), currency);
  const shown = exact ? full : withCurrency(formatShort(value), currency);
  const figure = (
    <Text
      span
      inherit
      {...text}
      style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
    >
      {shown}
    </Text>
  );
  return shown === full ? figure : <Tooltip label={`${full} ${currency}`}>{figure}</Tooltip>;
}

export type AlignedMoneyProps = Pick<MoneyProps, 'amount' | 'currency' | 'exact'> & {
  /** The maximum number of decimal places of the amounts in the column. */
  readonly places: number;
};
const FIGURE_SPACE = '\u2007';

/**
 * An amount in a column, rounded or exact. Spaces as wide as digits align the amounts at the
 * decimal point. The exact amount is in the `title` attribute, because a tooltip component in each
 * row would be slow.
 */
export function AlignedMoney({ amount, currency, exact = false, places }: AlignedMoneyProps) {
  const value = parseAmount(amount);
  const missing = places - placesOf(amount, exact);
  return (
    <span
      title={`${withCurrency(formatExactGrouped(value), currency)} ${currency}`}
      style={{ whiteSpace: 'nowrap' }}
    >
      {withCurrency(formatListed(value, exact), currency)}
      {/* On a phone each row is a card, so there is nothing to align. */}
      <span className="mantine-visible-from-sm">{FIGURE_SPACE.repeat(Math.max(0, missing))}</span>
    </span>
  );
}
