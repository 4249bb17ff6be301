/** A field for an amount of money, entered as text because JavaScript numbers are not exact. */
import { Text, TextInput, type TextInputProps } from '@mantine/core';

export type AmountInputProps = TextInputProps & {
  /** The currency shown after the amount. */
  readonly currency?: string | undefined;
};

export function AmountInput({ currency, ...field }: AmountInputProps) {
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      rightSection={currency === undefined ? null : <Text variant="note">{currency}</Text>}
      rightSectionWidth={56}
      rightSectionPointerEvents="none"
      {...field}
    />
  );
}
