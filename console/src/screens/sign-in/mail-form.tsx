/** Asks for an email address, and confirms that an email with a link has been sent. */
import { Alert, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useApiForm } from '#components/forms/api-form.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { EntryForm } from './entry-form.tsx';

const texts = defineTexts('mail-form', {
  en: {
    email: 'Email address',
    missing: 'This field is required.',
    send: 'Send the link',
    again: 'Send again',
    sent: 'Check your inbox. If this address is eligible, we have sent a link to it. The email can take a few minutes to arrive.',
  },
  zh: {
    email: '邮箱',
    missing: '此项必填。',
    send: '发送链接',
    again: '重新发送',
    sent: '请查看收件箱。如果该邮箱符合条件，我们已向其发送链接，邮件可能需要几分钟才能送达。',
  },
});

type MailFormProps = { readonly send: (body: { email: string }) => Promise<unknown> };

export function MailForm({ send }: MailFormProps) {
  const t = useTexts(texts);
  const [isSent, setSent] = useState(false);
  const { form, onSubmit, isRunning, problem } = useApiForm({
    initialValues: { email: '' },
    validate: ({ email }) => ({ email: email.trim() === '' ? t('missing') : null }),
    send,
    onSent: () => setSent(true),
  });
  return (
    <EntryForm {...{ onSubmit, isRunning, problem }} submit={t(isSent ? 'again' : 'send')}>
      {isSent ? <Alert role="status">{t('sent')}</Alert> : null}
      <TextInput
        maxLength={254}
        {...form.getInputProps('email')}
        label={t('email')}
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
      />
    </EntryForm>
  );
}
