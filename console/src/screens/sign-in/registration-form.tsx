/**
 * The form for name and new password, used by the first administrator, an invitation and a sign-up.
 */
import { TextInput } from '@mantine/core';
import { useApiForm } from '#components/forms/api-form.ts';
import { NewPasswordInput, usePasswordLength } from '#components/sign-in/new-password-input.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { EntryForm } from './entry-form.tsx';

const texts = defineTexts('registration-form', {
  en: {
    name: 'Your name',
    email: 'Email address',
    emailFixed: 'The link is valid only for this address.',
    account: 'Account name (optional)',
    accountHint: 'The account pays for requests. Enter, for example, the name of your company.',
    password: 'Password',
    missing: 'This field is required.',
  },
  zh: {
    name: '您的姓名',
    email: '邮箱',
    emailFixed: '此链接仅限该邮箱使用。',
    account: '账户名称（可选）',
    accountHint: '请求的费用由账户支付。例如，可填写您公司的名称。',
    password: '密码',
    missing: '此项必填。',
  },
});

export type Registration = {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly account_name?: string;
};

export type RegistrationFormProps<Answer> = {
  /** The email address that the link was created for; null if any address may use the link. */
  readonly email: string | null;
  /** Whether the form asks for the name of the account. */
  readonly hasAccount?: boolean;
  /** The label of the submit button. */
  readonly submit: string;
  readonly send: (registration: Registration) => Promise<Answer>;
  readonly onSent: () => Promise<void> | void;
};

export function RegistrationForm<Answer>({
  email,
  hasAccount = false,
  submit,
  send,
  onSent,
}: RegistrationFormProps<Answer>) {
  const t = useTexts(texts);
  const passwordLength = usePasswordLength();
  const { form, onSubmit, isRunning, problem } = useApiForm<Required<Registration>, Answer>({
    initialValues: { name: '', email: email ?? '', password: '', account_name: '' },
    validate: (values) => ({
      name: values.name.trim() === '' ? t('missing') : null,
      email: values.email.trim() === '' ? t('missing') : null,
      password: passwordLength(values.password),
    }),
    send: ({ account_name: account, ...registration }) =>
      send(account.trim() === '' ? registration : { ...registration, account_name: account }),
    onSent,
  });
  return (
    <EntryForm {...{ onSubmit, isRunning, problem }} submit={submit}>
      <TextInput
        maxLength={100}
        {...form.getInputProps('name')}
        label={t('name')}
        name="name"
        autoComplete="name"
        autoFocus
      />
      <TextInput
        maxLength={254}
        {...form.getInputProps('email')}
        label={t('email')}
        type="email"
        name="email"
        autoComplete="username"
        readOnly={email !== null}
        description={email === null ? undefined : t('emailFixed')}
      />
      {hasAccount ? (
        <TextInput
          maxLength={100}
          {...form.getInputProps('account_name')}
          label={t('account')}
          description={t('accountHint')}
          name="organization"
          autoComplete="organization"
        />
      ) : null}
      <NewPasswordInput
        {...form.getInputProps('password')}
        label={t('password')}
        name="password"
        email={form.getValues().email}
      />
    </EntryForm>
  );
}
