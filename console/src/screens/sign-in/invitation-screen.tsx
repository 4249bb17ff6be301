/**
 * The page that accepts an invitation. The person enters a new name and password, or uses an
 * existing sign-in.
 */
import { Anchor, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { announceSession, openPage, type SignedIn, usePerson } from '#api/session.ts';
import { TextLink } from '#components/button-link.tsx';
import { useRoleName } from '#i18n/role-names.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useEnter } from './enter.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { LinkGate } from './link-gate.tsx';
import type { Link } from './link-query.ts';
import { RegistrationForm } from './registration-form.tsx';

const texts = defineTexts('invitation', {
  en: {
    link: 'One-time link',
    title: "You're invited",
    lead: 'Join the account “{{account}}” as {{role}}.',
    titleOwn: 'Create your account',
    leadOwn: 'Your email address is confirmed.',
    join: 'Join',
    create: 'Create account',
    known: 'I already have a login',
    as: 'You join as {{name}} ({{email}}). Your other accounts stay as they are.',
    other: 'Join with another name and password',
  },
  zh: {
    link: '一次性链接',
    title: '您收到了邀请',
    lead: '以“{{role}}”身份加入账户“{{account}}”。',
    titleOwn: '创建您的账户',
    leadOwn: '您的邮箱已验证。',
    join: '加入',
    create: '创建账户',
    known: '我已有登录账号',
    as: '您将以 {{name}}（{{email}}）的身份加入，您的其他账户保持不变。',
    other: '使用其他姓名和密码加入',
  },
});

export function InvitationScreen() {
  const t = useTexts(texts);
  // Until the link is read, it may be invalid, or may confirm the address of a sign-up.
  return (
    <LinkGate title={t('link')} kind="invitation">
      {(link, token) => <Accept link={link} token={token} />}
    </LinkGate>
  );
}

function Accept({ link, token }: { readonly link: Link; readonly token: string }) {
  const t = useTexts(texts);
  const roleName = useRoleName();
  const enter = useEnter();
  const { account_name: account, role, email } = link;
  const person = usePerson();
  const [isNew, setNew] = useState(false);
  // The link that confirms the address of a sign-up names no account.
  const [title, lead, submit] =
    account === null || role === null
      ? [t('titleOwn'), t('leadOwn'), t('create')]
      : [t('title'), t('lead', { account, role: roleName(role) }), t('join')];
  if (person !== null && !isNew) {
    return (
      <EntryPage title={title} lead={lead}>
        <Join person={person} token={token} submit={submit} />
        <Anchor component="button" type="button" size="sm" ta="center" onClick={() => setNew(true)}>
          {t('other')}
        </Anchor>
      </EntryPage>
    );
  }
  return (
    <EntryPage title={title} lead={lead}>
      <RegistrationForm
        email={email}
        hasAccount={account === null}
        submit={submit}
        send={(registration) =>
          answerOf(api.POST('/console/api/sign-up', { body: { token, ...registration } }))
        }
        onSent={() => enter('/')}
      />
      {person === null ? (
        <TextLink
          size="sm"
          ta="center"
          to="/sign-in"
          search={{ next: '/invitation' }}
          hash={`token=${token}`}
        >
          {t('known')}
        </TextLink>
      ) : null}
    </EntryPage>
  );
}

type JoinProps = { readonly person: SignedIn; readonly token: string; readonly submit: string };

/** Adds the account to the signed-in person's accounts. */
function Join({ person: { name, email }, token, submit }: JoinProps) {
  const t = useTexts(texts);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => answerOf(api.POST('/console/api/invitations/accept', { body: { token } })),
    onSuccess: () => {
      announceSession();
      openPage();
    },
  });
  return (
    <EntryForm
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
      isRunning={isPending}
      problem={error}
      submit={submit}
    >
      <Text size="sm">{t('as', { name, email })}</Text>
    </EntryForm>
  );
}
