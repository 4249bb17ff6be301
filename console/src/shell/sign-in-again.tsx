/**
 * The sign-in on a page whose session ended while a form had unsaved text. The form is kept, but
 * the page is covered until the person has signed in.
 */
import { Anchor, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { announceSession, usePerson } from '#api/session.ts';
import { leaveToSignIn } from '#api/sign-out.ts';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormFooter } from '#components/forms/form-footer.tsx';
import { forgetUnsaved } from '#components/forms/unsaved.ts';
import { KnownUser } from '#components/sign-in/known-user.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { setAsked, useAsked } from './session-ended.ts';

const texts = defineTexts('sign-in-again', {
  en: {
    title: 'Your session has ended',
    text: 'Sign in as {{email}} to continue. What you entered is kept.',
    password: 'Password',
    code: 'Authenticator or recovery code',
    missing: 'This field is required.',
    signIn: 'Sign in',
    leave: 'Discard entries and switch login',
  },
  zh: {
    title: '登录已失效',
    text: '请以 {{email}} 重新登录以继续，您输入的内容会保留。',
    password: '密码',
    code: '验证码或恢复码',
    missing: '此项必填。',
    signIn: '登录',
    leave: '放弃输入，换一个登录账号',
  },
});

export function SignInAgain() {
  const t = useTexts(texts);
  const opened = useAsked();
  return (
    <Modal
      opened={opened}
      onClose={() => undefined}
      title={t('title')}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={500}
      overlayProps={{ color: 'var(--surface-page)', backgroundOpacity: 1 }}
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <SignInForm />
    </Modal>
  );
}

function SignInForm() {
  const t = useTexts(texts);
  const queryClient = useQueryClient();
  const email = usePerson()?.email ?? '';
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const signIn = async (password: string): Promise<boolean> => {
    const body = { email, password };
    const { totp_needed } = await answerOf(api.POST('/console/api/sign-in', { body }));
    return totp_needed;
  };
  const sendCode = async (code: string): Promise<boolean> => {
    await answerOf(api.POST('/console/api/sign-in/totp', { body: { code } }));
    return false;
  };
  const { form, onSubmit, isRunning, problem } = useApiForm({
    initialValues: { password: '', code: '' },
    validate: ({ password, code }) => ({
      password: password === '' ? t('missing') : null,
      code: isCodeNeeded && code.trim() === '' ? t('missing') : null,
    }),
    send: ({ password, code }) => (isCodeNeeded ? sendCode(code.trim()) : signIn(password)),
    isKept: false,
    onSent: async (isCodeMissing) => {
      setCodeNeeded(isCodeMissing);
      if (isCodeMissing) return;
      announceSession();
      await queryClient.invalidateQueries();
      setAsked(false);
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('text', { email })}</Text>
        <KnownUser />
        {isCodeNeeded ? (
          <TextInput
            key="code"
            maxLength={32}
            {...form.getInputProps('code')}
            label={t('code')}
            autoComplete="one-time-code"
            autoFocus
          />
        ) : (
          <PasswordInput
            maxLength={1000}
            {...form.getInputProps('password')}
            label={t('password')}
            autoComplete="current-password"
            data-autofocus
          />
        )}
        <FormFooter submit={t('signIn')} isRunning={isRunning} problem={problem} />
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            forgetUnsaved();
            leaveToSignIn();
          }}
        >
          {t('leave')}
        </Anchor>
      </Stack>
    </form>
  );
}
