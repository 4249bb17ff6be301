/**
 * The button that signs in with a passkey, if the browser supports passkeys. In a form, the browser
 * also suggests passkeys in the email field.
 */
import { Button, Divider } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { signInByPasskey, signInBySuggestion } from '#api/passkeys.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('passkey-button', {
  en: { go: 'Sign in with a passkey', or: 'or' },
  zh: { go: '使用通行密钥登录', or: '或' },
});

export type PasskeyButtonProps = {
  readonly onEntered: () => Promise<void>;
  /** The element above the button: a form, another button, or nothing. */
  readonly after: 'form' | 'button' | 'nothing';
};

export function PasskeyButton({ onEntered, after }: PasskeyButtonProps) {
  const t = useTexts(texts);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await signInByPasskey();
      await onEntered();
    },
  });
  const refusal = useSuggestions(!isPending, onEntered);
  return (
    <>
      {after === 'form' ? <Divider label={t('or')} /> : null}
      <FormProblem error={error ?? refusal} />
      <Button
        variant={after === 'nothing' ? 'filled' : 'default'}
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {t('go')}
      </Button>
    </>
  );
}

/**
 * The interval at which the challenge is renewed. The gateway accepts a challenge for five minutes.
 */
const RENEW_MS = 240_000;

/**
 * Makes the browser suggest passkeys. Returns the error if the gateway refuses a chosen passkey,
 * otherwise null.
 */
function useSuggestions(isOn: boolean, onEntered: () => Promise<void>): Error | null {
  const [refusal, setRefusal] = useState<Error | null>(null);
  const [round, setRound] = useState(0);
  const suggest = useEffectEvent(async (signal: AbortSignal) => {
    try {
      if (await signInBySuggestion(signal)) await onEntered();
    } catch (thrown) {
      setRefusal(thrown instanceof Error ? thrown : null);
    }
  });
  useEffect(() => {
    if (!isOn) return;
    const ended = new AbortController();
    void suggest(ended.signal);
    const timer = setTimeout(() => setRound(round + 1), RENEW_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [isOn, round]);
  return refusal;
}
