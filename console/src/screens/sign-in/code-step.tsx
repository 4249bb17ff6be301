/** The second step of signing in: an authenticator code or a recovery code. */
import { Alert, Anchor, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '#api/api-error.ts';
import { answerOf, api } from '#api/client.ts';
import { useApiForm } from '#components/forms/api-form.ts';
import { TotpInput } from '#components/sign-in/totp-input.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';

const texts = defineTexts('code-step', {
  en: {
    title: 'Two-factor authentication',
    leadCode: 'Enter the six-digit code from your authenticator app.',
    leadRecovery: 'Enter one of your recovery codes. Each code works once.',
    recovery: 'Recovery code',
    missing: 'Enter the code.',
    signIn: 'Sign in',
    useRecovery: 'Use a recovery code',
    useApp: 'Use the authenticator app',
    ended:
      'This sign-in has expired or had too many wrong codes. Start again with your email and password.',
    back: 'Back to sign-in',
  },
  zh: {
    title: '两步验证',
    leadCode: '请输入身份验证器应用显示的 6 位验证码。',
    leadRecovery: '请输入一个恢复码，每个只能使用一次。',
    recovery: '恢复码',
    missing: '请输入验证码。',
    signIn: '登录',
    useRecovery: '使用恢复码',
    useApp: '使用身份验证器应用',
    ended: '本次登录已失效：可能超时或验证码错误次数过多。请重新输入邮箱和密码。',
    back: '返回登录',
  },
});

export type CodeStepProps = {
  readonly onEntered: () => Promise<void>;
  /** Called when the person goes back to the first step of signing in. */
  readonly onBack: () => void;
};

export function CodeStep({ onEntered, onBack }: CodeStepProps) {
  const t = useTexts(texts);
  const [isRecovery, setRecovery] = useState(false);
  return (
    <EntryPage title={t('title')} lead={t(isRecovery ? 'leadRecovery' : 'leadCode')}>
      <CodeForm key={String(isRecovery)} isRecovery={isRecovery} onEntered={onEntered} />
      <Stack gap="xs" align="center">
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => setRecovery((isShown) => !isShown)}
        >
          {t(isRecovery ? 'useApp' : 'useRecovery')}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('back')}
        </Anchor>
      </Stack>
    </EntryPage>
  );
}

type CodeFormProps = Pick<CodeStepProps, 'onEntered'> & { readonly isRecovery: boolean };

function CodeForm({ isRecovery, onEntered }: CodeFormProps) {
  const t = useTexts(texts);
  const { form, onSubmit, isRunning, problem } = useApiForm({
    initialValues: { code: '' },
    validate: ({ code }) => ({ code: code.trim() === '' ? t('missing') : null }),
    send: (body) => answerOf(api.POST('/console/api/sign-in/totp', { body })),
    onSent: onEntered,
  });
  return (
    <EntryForm
      {...{ onSubmit, isRunning }}
      problem={isOver(problem) ? null : problem}
      submit={t('signIn')}
    >
      {isOver(problem) ? (
        <Alert color="red" role="alert">
          {t('ended')}
        </Alert>
      ) : null}
      {isRecovery ? (
        <TextInput
          maxLength={32}
          {...form.getInputProps('code')}
          label={t('recovery')}
          ff="monospace"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
        />
      ) : (
        <TotpInput {...form.getInputProps('code')} autoFocus />
      )}
    </EntryForm>
  );
}

/** Whether the sign-in has expired or had too many wrong codes, so that no code can succeed. */
const isOver = (problem: Error | null): boolean =>
  problem instanceof ApiError && problem.code === 'sign_in_failed';
