/** The field for the six digits of an authenticator app. Typing the last digit submits the form. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('totp-input', {
  en: { label: 'Six-digit code' },
  zh: { label: '6 位验证码' },
});

const DIGITS = 6;

/** The props that a form sets; the component sets all others. */
export type TotpInputProps = Pick<TextInputProps, 'value' | 'onChange' | 'error' | 'autoFocus'>;

export function TotpInput({ onChange, ...props }: TotpInputProps) {
  const t = useTexts(texts);
  return (
    <TextInput
      {...props}
      label={t('label')}
      size="md"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={DIGITS + 1}
      styles={{
        input: { fontFamily: 'var(--mantine-font-family-monospace)', letterSpacing: '0.3em' },
      }}
      onChange={(event) => {
        const field = event.currentTarget;
        // Removes spaces, which people type because apps show the digits in two groups.
        field.value = field.value.replace(/\s/g, '');
        onChange?.(event);
        if (/^\d{6}$/.test(field.value)) queueMicrotask(() => field.form?.requestSubmit());
      }}
    />
  );
}
