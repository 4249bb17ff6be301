/** The card that changes the password, which ends all other sessions. */
import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { answerOf, api } from '#api/client.ts';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { KnownUser } from '#components/sign-in/known-user.tsx';
import { NewPasswordInput, usePasswordLength } from '#components/sign-in/new-password-input.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useProfileChanged } from './profile-queries.ts';

const texts = defineTexts('password-card', {
  en: {
    title: 'Password',
    lead: 'Changing your password signs you out of all other sessions.',
    current: 'Current password',
    next: 'New password',
    missing: 'Enter your current password.',
    change: 'Change password',
    changed: 'Password changed. Your other sessions were signed out.',
  },
  zh: {
    title: '密码',
    lead: '修改密码后，您的其他登录会话都将退出。',
    current: '当前密码',
    next: '新密码',
    missing: '请输入当前密码。',
    change: '修改密码',
    changed: '密码已修改，其他登录会话均已退出。',
  },
});
const EMPTY = { current_password: '', new_password: '' } as const;

export function PasswordCard() {
  const t = useTexts(texts);
  const profileChanged = useProfileChanged();
  const passwordLength = usePasswordLength();
  const { form, onSubmit, isRunning, problem } = useApiForm<
    Record<keyof typeof EMPTY, string>,
    object
  >({
    initialValues: EMPTY,
    validate: (values) => ({
      current_password: values.current_password === '' ? t('missing') : null,
      new_password: passwordLength(values.new_password),
    }),
    send: (body) => answerOf(api.POST('/console/api/profile/password', { body })),
    onSent: async () => {
      form.reset();
      await profileChanged();
      notifications.show({ message: t('changed'), color: 'green' });
    },
  });
  return (
    <SectionCard title={t('title')} lead={t('lead')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack maw={420}>
          <FormProblem error={problem} />
          <KnownUser />
          <PasswordInput
            {...form.getInputProps('current_password')}
            label={t('current')}
            autoComplete="current-password"
          />
          <NewPasswordInput {...form.getInputProps('new_password')} label={t('next')} />
          <Group>
            <Button type="submit" loading={isRunning}>
              {t('change')}
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}
