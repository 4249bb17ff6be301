/** The button that signs in with a passkey, shown where the browser can use one. */
import { Button, Divider } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { signInByPasskey } from '#api/passkeys.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('passkey-button', {
  en: { go: 'Sign in with a passkey', or: 'or' },
  zh: { go: '使用通行密钥登录', or: '或' },
});

export type PasskeyButtonProps = {
  readonly onEntered: () => Promise<void>;
  /** What stands above: a form, another button, or nothing. */
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
  return (
    <>
      {after === 'form' ? <Divider label={t('or')} /> : null}
      <FormProblem error={error} />
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
