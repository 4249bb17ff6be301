/** A rounded amount, with the exact amount in a tooltip. */
import { Text, type TextProps, Tooltip } from '@mantine/core';
import { formatExactGrouped, formatShort, parseAmount, withCurrency } from './amount.ts';

export type MoneyProps = TextProps & {
  /** A decimal string from the API. */
  readonly amount: string;
  readonly currency: string;
  /** Whether all digits are shown. */
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
