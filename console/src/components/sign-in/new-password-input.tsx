/** The field for a new password. The required length is shown before the person types. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '#api/session.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { passwordStrength } from './password-strength.ts';

const texts = defineTexts('new-password', {
  en: {
    hint: 'At least {{min}} characters. Several unrelated words work well.',
    short_one: '{{count}} more character needed',
    short_other: '{{count}} more characters needed',
    simple: 'Easy to guess. Use several unrelated words.',
    good: 'Good password',
    tooShort: 'Use at least {{min}} characters. You entered {{count}}.',
    long: 'Use at most {{max}} characters.',
  },
  zh: {
    hint: '至少 {{min}} 个字符，建议使用多个不相关的词组合',
    short_one: '还需 {{count}} 个字符',
    short_other: '还需 {{count}} 个字符',
    simple: '容易被猜到，请使用多个不相关的词',
    good: '密码强度良好',
    tooShort: '至少需要 {{min}} 个字符，目前为 {{count}} 个。',
    long: '最多 {{max}} 个字符。',
  },
});

export type NewPasswordInputProps = Omit<PasswordInputProps, 'description' | 'autoComplete'> & {
  /** The person's email address, which must not be the password. */
  readonly email?: string;
};

export function NewPasswordInput({ email = '', ...props }: NewPasswordInputProps) {
  const t = useTexts(texts);
  const { password_min_length: min } = useSuspenseQuery(sessionQuery).data;
  const typed = typeof props.value === 'string' ? props.value : '';
  const strength = passwordStrength(typed, email, min);
  const missing = min - [...typed].length;
  const description = typed === '' ? t('hint', { min }) : t(strength, { count: missing });
  return <PasswordInput {...props} description={description} autoComplete="new-password" />;
}

/**
 * Returns a function that validates the length of a new password. The function returns the error
 * message, or null if the length is valid.
 */
export function usePasswordLength(): (password: string) => string | null {
  const t = useTexts(texts);
  const { password_min_length: min, password_max_length: max } =
    useSuspenseQuery(sessionQuery).data;
  return (password) => {
    // Counts code points, as the gateway does.
    const count = [...password].length;
    if (count < min) return t('tooShort', { min, count });
    return password.length > max ? t('long', { max }) : null;
  };
}
