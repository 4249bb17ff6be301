/** The card with the name, the e-mail address and the role. */
import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { answerOf, api } from '#api/client.ts';
import { Copyable } from '#components/copyable.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { useRoleName, useRoleRights } from '#i18n/role-names.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { type Profile, useProfileChanged } from './profile-queries.ts';

const texts = defineTexts('identity-card', {
  en: {
    title: 'Profile',
    name: 'Name',
    missing: 'Enter your name.',
    email: 'Email address',
    emailHelp:
      'You sign in with this address. To use another address, ask an account owner or an administrator to invite that address.',
    account: 'Account {{name}}',
    save: 'Save name',
    saved: 'Name saved',
  },
  zh: {
    title: '个人资料',
    name: '姓名',
    missing: '请填写姓名。',
    email: '邮箱',
    emailHelp: '您使用此邮箱登录。如需使用其他邮箱，请让账户所有者或管理员邀请该邮箱。',
    account: '所属账户 {{name}}',
    save: '保存姓名',
    saved: '姓名已保存',
  },
});

export function IdentityCard({ profile }: { readonly profile: Profile }) {
  const t = useTexts(texts);
  const roleName = useRoleName();
  return (
    <SectionCard title={t('title')} aside={<Badge>{roleName(profile.role)}</Badge>}>
      <NameForm profile={profile} />
      <AccountLine profile={profile} />
    </SectionCard>
  );
}

function NameForm({ profile }: { readonly profile: Profile }) {
  const t = useTexts(texts);
  const changed = useProfileChanged();
  const { form, onSubmit, isRunning, problem } = useApiForm({
    initialValues: { name: profile.name },
    validate: ({ name }) => ({ name: name.trim() === '' ? t('missing') : null }),
    send: (body) => answerOf(api.PATCH('/console/api/profile', { body })),
    onSent: async () => {
      await changed();
      notifications.show({ message: t('saved'), color: 'green' });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack maw={420}>
        <FormProblem error={problem} />
        <TextInput {...form.getInputProps('name')} label={t('name')} autoComplete="name" />
        <TextInput
          label={t('email')}
          description={t('emailHelp')}
          value={profile.email}
          readOnly
          variant="filled"
        />
        <Group>
          <Button
            type="submit"
            loading={isRunning}
            disabled={form.values.name.trim() === profile.name}
          >
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The permissions of the role, and the account ID that support asks for. */
function AccountLine({ profile: { role, account } }: { readonly profile: Profile }) {
  const t = useTexts(texts);
  const roleRights = useRoleRights();
  return (
    <Text size="sm" c="dimmed" component="div">
      <div>{roleRights(role)}</div>
      <div>
        {t('account', { name: account.name })} · <Copyable value={account.id} />
      </div>
    </Text>
  );
}
