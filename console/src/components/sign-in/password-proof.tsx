/**
 * A form that asks for the password again before a sensitive action. A person without a password
 * needs a recent sign-in instead, which the API checks.
 */
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { profileQuery } from '#api/profile.ts';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { KnownUser } from './known-user.tsx';

const texts = defineTexts('password-proof', {
  en: { password: 'Current password', missing: 'Enter your password.' },
  zh: { password: '当前密码', missing: '请输入密码。' },
});

export type PasswordProofProps<Answer> = {
  /** A description of the action. */
  readonly lead: string;
  /** The label of the button. */
  readonly submit: string;
  /** Whether the action removes something. Its button is then red. */
  readonly isGrave?: boolean;
  readonly send: (proof: { readonly password?: string }) => Promise<Answer>;
  readonly onSent: (answer: Answer) => Promise<void> | void;
  /** Further fields before the password field. */
  readonly children?: ReactNode;
};

export function PasswordProof<Answer>(props: PasswordProofProps<Answer>) {
  const { lead, submit, isGrave = false, send, onSent, children } = props;
  const t = useTexts(texts);
  const hasPassword = useQuery(profileQuery).data?.has_password !== false;
  const { form, onSubmit, isRunning, problem } = useApiForm({
    initialValues: { password: '' },
    validate: ({ password }) => ({
      password: hasPassword && password === '' ? t('missing') : null,
    }),
    send: (proof) => send(hasPassword ? proof : {}),
    onSent,
    isKept: false,
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm">{lead}</Text>
        <FormProblem error={problem} />
        {children}
        <KnownUser />
        {hasPassword ? (
          <PasswordInput
            maxLength={1000}
            {...form.getInputProps('password')}
            label={t('password')}
            autoComplete="current-password"
            data-autofocus
          />
        ) : null}
        <Group justify="flex-end">
          <Button type="submit" loading={isRunning} {...(isGrave ? { color: 'red' } : {})}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
