/** The page that sets a new password with a reset link. */
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { useApiForm } from '#components/forms/api-form.ts';
import { KnownUser } from '#components/sign-in/known-user.tsx';
import { NewPasswordInput, usePasswordLength } from '#components/sign-in/new-password-input.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { CodeStep } from './code-step.tsx';
import { useEnter } from './enter.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { LinkGate } from './link-gate.tsx';

const texts = defineTexts('reset', {
  en: {
    title: 'Set a new password',
    whose: 'The new password is for {{email}}. All your sessions will be signed out.',
    whoseUnknown: 'All your sessions will be signed out.',
    password: 'New password',
    set: 'Set password',
  },
  zh: {
    title: '设置新密码',
    whose: '新密码用于 {{email}}。设置后，您的所有登录会话都将退出。',
    whoseUnknown: '设置后，您的所有登录会话都将退出。',
    password: '新密码',
    set: '设置密码',
  },
});

export function ResetScreen() {
  const t = useTexts(texts);
  const enter = useEnter();
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const onEntered = (): Promise<void> => enter('/');
  if (isCodeNeeded) return <CodeStep onEntered={onEntered} onBack={() => void enter('/sign-in')} />;
  return (
    <LinkGate title={t('title')} kind="password_reset">
      {({ email }, token) => (
        <EntryPage
          title={t('title')}
          lead={email === null ? t('whoseUnknown') : t('whose', { email })}
        >
          <ResetForm
            email={email}
            token={token}
            onEntered={onEntered}
            onCodeNeeded={() => setCodeNeeded(true)}
          />
        </EntryPage>
      )}
    </LinkGate>
  );
}

type ResetFormProps = {
  readonly email: string | null;
  readonly token: string;
  readonly onEntered: () => Promise<void>;
  /** Called when the password is set and the person must also enter a two-factor code. */
  readonly onCodeNeeded: () => void;
};

function ResetForm({ email, token, onEntered, onCodeNeeded }: ResetFormProps) {
  const t = useTexts(texts);
  const passwordLength = usePasswordLength();
  const { form, onSubmit, isRunning, problem } = useApiForm({
    initialValues: { password: '' },
    validate: ({ password }) => ({ password: passwordLength(password) }),
    send: ({ password }) =>
      answerOf(api.POST('/console/api/password-reset', { body: { token, password } })),
    onSent: ({ totp_needed: isCodeNeeded }) => (isCodeNeeded ? onCodeNeeded() : onEntered()),
  });
  return (
    <EntryForm {...{ onSubmit, isRunning, problem }} submit={t('set')}>
      <KnownUser email={email} />
      <NewPasswordInput
        {...form.getInputProps('password')}
        label={t('password')}
        name="password"
        autoFocus
      />
    </EntryForm>
  );
}
