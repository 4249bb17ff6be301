/** The profile: name, time zone, password, two-factor authentication, passkeys and sessions. */
import {
  Badge,
  Button,
  Group,
  PasswordInput,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { type Profile, profileQuery } from '#api/profile.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Copyable } from '#components/copyable.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { Page } from '#components/page.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { KnownUser } from '#components/sign-in/known-user.tsx';
import { NewPasswordInput, usePasswordLength } from '#components/sign-in/new-password-input.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useRoleName, useRoleRights } from '#i18n/role-names.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { browserZone, chooseZone, timeZones, useChosenZone } from '#i18n/time-zone.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { LeaveAccount } from './profile/leave-account.tsx';
import { PasskeysCard } from './profile/passkeys-card.tsx';
import { useProfileChanged } from './profile/profile-queries.ts';
import { SessionsCard } from './profile/sessions-card.tsx';
import { TotpCard } from './profile/totp-card.tsx';

/**
 * The heights of the placeholders, equal to those of the cards so that the layout does not jump.
 */
const CARD_HEIGHTS_PX = [350, 351, 280, 281];

export function ProfileScreen() {
  const t = useTexts(navigationTexts);
  const { data: profile, error, refetch } = useQuery(profileQuery);
  return (
    <Page title={t('profile')}>
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {profile !== undefined ? (
          <>
            <IdentityCard profile={profile} />
            <TimeZoneCard />
            <PasswordCard hasPassword={profile.has_password} />
            <TotpCard profile={profile} />
          </>
        ) : error === null ? (
          CARD_HEIGHTS_PX.map((height) => <Skeleton key={height} height={height} />)
        ) : null}
      </SimpleGrid>
      {profile === undefined ? null : (
        <>
          <PasskeysCard />
          <SessionsCard />
        </>
      )}
    </Page>
  );
}

const texts = defineTexts('time-zone', {
  en: {
    title: 'Time zone',
    label: 'Show times in',
    automatic: 'This browser ({{zone}})',
    hint: 'The time zone is saved in this browser. The current time in this zone is {{now}}. Usage, statements and limits always use UTC days.',
    none: 'No such time zone',
  },
  zh: {
    title: '时区',
    label: '时间显示时区',
    automatic: '跟随浏览器（{{zone}}）',
    hint: '时区保存在当前浏览器中，该时区的当前时间为 {{now}}。用量、对账单和限额始终按 UTC 日期统计。',
    none: '没有这个时区',
  },
});

const AUTOMATIC = 'automatic';
/** The maximum number of time zones listed at a time. Typing finds the others. */
const MOST_SHOWN = 50;

/** The card with the time zone in which the console shows times, saved in this browser. */
function TimeZoneCard() {
  const t = useTexts(texts);
  const { time } = useFormats();
  const chosen = useChosenZone();
  const automatic = { value: AUTOMATIC, label: t('automatic', { zone: browserZone() }) };
  const choose = (zone: string | null): void => chooseZone(zone === AUTOMATIC ? null : zone);
  return (
    <SectionCard title={t('title')}>
      <Select
        maw={420}
        label={t('label')}
        description={t('hint', { now: time(new Date().toISOString()) })}
        data={[automatic, ...timeZones().map((zone) => ({ value: zone, label: zone }))]}
        value={chosen ?? AUTOMATIC}
        onChange={choose}
        allowDeselect={false}
        searchable
        limit={MOST_SHOWN}
        nothingFoundMessage={t('none')}
      />
    </SectionCard>
  );
}

const passwordCardTexts = defineTexts('password-card', {
  en: {
    title: 'Password',
    lead: 'Changing your password signs you out of all other sessions.',
    current: 'Current password',
    next: 'New password',
    missing: 'Enter your current password.',
    change: 'Change password',
    none: 'You sign in through the identity provider and have no password. You can set one within 10 minutes after signing in.',
    set: 'Set password',
    changed: 'Password changed. Your other sessions were signed out.',
  },
  zh: {
    title: '密码',
    lead: '修改密码后，您的其他登录会话都将退出。',
    current: '当前密码',
    next: '新密码',
    missing: '请输入当前密码。',
    change: '修改密码',
    none: '您通过身份提供方登录，尚未设置密码。如需设置，请在登录后 10 分钟内完成。',
    set: '设置密码',
    changed: '密码已修改，其他登录会话均已退出。',
  },
});
const EMPTY = { current_password: '', new_password: '' } as const;

/** The card that changes the password. A change ends all other sessions. */
function PasswordCard({ hasPassword }: { readonly hasPassword: boolean }) {
  const t = useTexts(passwordCardTexts);
  const profileChanged = useProfileChanged();
  const passwordLength = usePasswordLength();
  const { form, onSubmit, isRunning, problem } = useApiForm<
    Record<keyof typeof EMPTY, string>,
    object
  >({
    initialValues: EMPTY,
    validate: (values) => ({
      current_password: hasPassword && values.current_password === '' ? t('missing') : null,
      new_password: passwordLength(values.new_password),
    }),
    send: ({ current_password, new_password }) => {
      const body = { new_password, ...(hasPassword ? { current_password } : {}) };
      return answerOf(api.POST('/console/api/profile/password', { body }));
    },
    onSent: async () => {
      form.reset();
      await profileChanged();
      notifications.show({ message: t('changed'), color: 'green' });
    },
  });
  return (
    <SectionCard title={t('title')} lead={t(hasPassword ? 'lead' : 'none')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack maw={420}>
          <FormProblem error={problem} />
          <KnownUser />
          {hasPassword ? (
            <PasswordInput
              maxLength={1000}
              {...form.getInputProps('current_password')}
              label={t('current')}
              autoComplete="current-password"
            />
          ) : null}
          <NewPasswordInput {...form.getInputProps('new_password')} label={t('next')} />
          <Group>
            <Button type="submit" loading={isRunning}>
              {t(hasPassword ? 'change' : 'set')}
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}

const identityCardTexts = defineTexts('identity-card', {
  en: {
    title: 'Profile',
    name: 'Name',
    missing: 'Enter your name.',
    email: 'Email address',
    emailHelp:
      'You sign in with this address. To use another address, ask an account owner or an administrator to invite it.',
    account: 'Account {{name}}',
    linked: 'Linked to {{name}} since {{date}}',
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
    linked: '已于 {{date}} 关联 {{name}}',
    save: '保存姓名',
    saved: '姓名已保存',
  },
});

function IdentityCard({ profile }: { readonly profile: Profile }) {
  const t = useTexts(identityCardTexts);
  const roleName = useRoleName();
  return (
    <SectionCard title={t('title')} aside={<Badge>{roleName(profile.role)}</Badge>}>
      <NameForm profile={profile} />
      <AccountLine profile={profile} />
      <LeaveAccount />
    </SectionCard>
  );
}

function NameForm({ profile }: { readonly profile: Profile }) {
  const t = useTexts(identityCardTexts);
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
        <TextInput
          maxLength={100}
          {...form.getInputProps('name')}
          label={t('name')}
          autoComplete="name"
        />
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

/**
 * Shows the permissions of the person's role, the account ID, which the operator's support asks
 * for, and the linked identities.
 */
function AccountLine({ profile: { role, account, identities } }: { readonly profile: Profile }) {
  const t = useTexts(identityCardTexts);
  const { date } = useFormats();
  const roleRights = useRoleRights();
  return (
    <Text component="div" variant="note">
      <div>{roleRights(role)}</div>
      <div>
        {t('account', { name: account.name })} · <Copyable value={account.id} />
      </div>
      {identities.map(({ name, issuer, linked_at }) => (
        <div key={issuer}>{t('linked', { name: name ?? issuer, date: date(linked_at) })}</div>
      ))}
    </Text>
  );
}
