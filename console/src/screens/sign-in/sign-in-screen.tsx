/**
 * The sign-in page. A person signs in with an email address and a password, with the identity
 * provider, or with a passkey. After the password, a person with two-factor authentication enters a
 * code.
 */
import { Alert, Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { arePasskeysUsable } from '#api/passkeys.ts';
import { TextLink } from '#components/button-link.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { plainRoute } from '#shell/parents.tsx';
import { CodeStep } from './code-step.tsx';
import { useEnter } from './enter.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { MailForm } from './mail-form.tsx';
import { ownPath } from './own-path.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButton } from './provider-button.tsx';

const texts = defineTexts('sign-in', {
  en: {
    title: 'Sign in',
    ended: 'Your session has ended. Sign in to return to where you were.',
    email: 'Email address',
    password: 'Password',
    missing: 'This field is required.',
    signIn: 'Sign in',
    forgotten: 'Forgot your password?',
    forgottenHelp:
      'An account owner or an administrator can create a reset link under Members. The gateway operator can run: modelgate people reset-link EMAIL',
    reset: 'Reset your password',
    resetLead: 'We send a link to your email address.',
    back: 'Back to sign-in',
    noAccount: 'No account yet?',
    signUp: 'Sign up',
  },
  zh: {
    title: '登录',
    ended: '登录已失效。重新登录后将回到原来的页面。',
    email: '邮箱',
    password: '密码',
    missing: '此项必填。',
    signIn: '登录',
    forgotten: '忘记密码？',
    forgottenHelp:
      '账户所有者或管理员可以在“成员”页面生成密码重置链接；网关运营者也可以运行：modelgate people reset-link 邮箱',
    reset: '重置密码',
    resetLead: '我们会将链接发送到您的邮箱。',
    back: '返回登录',
    noAccount: '还没有登录账号？',
    signUp: '立即注册',
  },
});

export function SignInScreen() {
  const t = useTexts(texts);
  const { next, ended: hasEnded } = useSearch({ from: '/plain/sign-in' });
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const [isForgotten, setForgotten] = useState(false);
  const enter = useEnter();
  const hash = useLocation({ select: (location) => location.hash });
  const page = hash === '' ? ownPath(next) : `${ownPath(next)}#${hash}`;
  const { session } = plainRoute.useRouteContext();
  const { provider, password_sign_in: takesPasswords } = session;
  const onEntered = (): Promise<void> => enter(page);
  if (isCodeNeeded) {
    return <CodeStep onEntered={onEntered} onBack={() => setCodeNeeded(false)} />;
  }
  if (isForgotten) return <ForgottenStep onBack={() => setForgotten(false)} />;
  return (
    <EntryPage title={t('title')}>
      {hasEnded ? <Alert role="status">{t('ended')}</Alert> : null}
      {takesPasswords ? (
        <PasswordStep
          onEntered={onEntered}
          onCodeNeeded={() => setCodeNeeded(true)}
          onForgotten={() => setForgotten(true)}
        />
      ) : null}
      {provider === null ? null : (
        <ProviderButton name={provider} next={page} isSecond={takesPasswords} />
      )}
      {session.passkeys && arePasskeysUsable(session.public_url) ? (
        <PasskeyButton
          onEntered={onEntered}
          after={provider !== null ? 'button' : takesPasswords ? 'form' : 'nothing'}
        />
      ) : null}
      <SignUpHint />
    </EntryPage>
  );
}

/** Asks for the email address to which a reset link is sent. */
function ForgottenStep({ onBack }: { readonly onBack: () => void }) {
  const t = useTexts(texts);
  return (
    <EntryPage title={t('reset')} lead={t('resetLead')}>
      <MailForm send={(body) => answerOf(api.POST('/console/api/password-reset/mail', { body }))} />
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        {t('back')}
      </Anchor>
    </EntryPage>
  );
}

type PasswordStepProps = {
  readonly onEntered: () => Promise<void>;
  readonly onCodeNeeded: () => void;
  readonly onForgotten: () => void;
};

function PasswordStep({ onEntered, onCodeNeeded, onForgotten }: PasswordStepProps) {
  const t = useTexts(texts);
  const { session } = plainRoute.useRouteContext();
  const [isHelpShown, setHelpShown] = useState(false);
  const { form, onSubmit, isRunning, problem } = useApiForm({
    initialValues: { email: '', password: '' },
    validate: ({ email, password }) => ({
      email: email.trim() === '' ? t('missing') : null,
      password: password === '' ? t('missing') : null,
    }),
    send: (body) => answerOf(api.POST('/console/api/sign-in', { body })),
    onSent: ({ totp_needed: isCodeNeeded }) => (isCodeNeeded ? onCodeNeeded() : onEntered()),
  });
  return (
    <>
      <EntryForm {...{ onSubmit, isRunning, problem }} submit={t('signIn')}>
        <TextInput
          maxLength={254}
          {...form.getInputProps('email')}
          label={t('email')}
          type="email"
          name="email"
          autoComplete="username webauthn"
          autoFocus
        />
        <PasswordInput
          maxLength={1000}
          {...form.getInputProps('password')}
          label={t('password')}
          name="password"
          autoComplete="current-password"
        />
      </EntryForm>
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="center"
        {...(session.email ? {} : { 'aria-expanded': isHelpShown })}
        onClick={() => (session.email ? onForgotten() : setHelpShown((isShown) => !isShown))}
      >
        {t('forgotten')}
      </Anchor>
      {isHelpShown ? <Text variant="note">{t('forgottenHelp')}</Text> : null}
    </>
  );
}

/** A link to the sign-up, shown when sign-up is open. */
function SignUpHint() {
  const t = useTexts(texts);
  const { session } = plainRoute.useRouteContext();
  if (session.sign_up === 'closed') return null;
  return (
    <Text variant="note" ta="center">
      {t('noAccount')}{' '}
      <TextLink inherit underline="always" to="/sign-up">
        {t('signUp')}
      </TextLink>
    </Text>
  );
}
