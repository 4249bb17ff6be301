/** An amount of money, entered as text: JavaScript numbers are not exact enough. */
import { Text, TextInput, type TextInputProps } from '@mantine/core';

export type AmountInputProps = TextInputProps & {
  /** Shown after the amount. */
  readonly currency?: string | undefined;
};

export function AmountInput({ currency, ...field }: AmountInputProps) {
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      rightSection={
        currency === undefined ? null : (
          <Text size="sm" c="dimmed">
            {currency}
          </Text>
        )
      }
      rightSectionWidth={56}
      rightSectionPointerEvents="none"
      {...field}
    />
  );
}
