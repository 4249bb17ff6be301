/** The page that accepts an invitation with a name and a password. */
import { answerOf, api } from '#api/client.ts';
import { useRoleName } from '#i18n/role-names.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useEnter } from './enter.ts';
import { EntryPage } from './entry-page.tsx';
import { LinkGate } from './link-gate.tsx';
import type { Link } from './link-query.ts';
import { RegistrationForm } from './registration-form.tsx';

const texts = defineTexts('invitation', {
  en: {
    title: "You're invited",
    lead: 'Join the account “{{account}}” as {{role}}.',
    leadOwn: 'Your own account is created when you join.',
    join: 'Join',
  },
  zh: {
    title: '您收到了邀请',
    lead: '以“{{role}}”身份加入账户“{{account}}”。',
    leadOwn: '加入后将为您创建新账户。',
    join: '加入',
  },
});

export function InvitationScreen() {
  const t = useTexts(texts);
  return (
    <LinkGate title={t('title')} kind="invitation">
      {(link, token) => <Accept link={link} token={token} />}
    </LinkGate>
  );
}

function Accept({ link, token }: { readonly link: Link; readonly token: string }) {
  const t = useTexts(texts);
  const roleName = useRoleName();
  const enter = useEnter();
  const { account_name: account, role, email } = link;
  const lead =
    account === null || role === null ? t('leadOwn') : t('lead', { account, role: roleName(role) });
  return (
    <EntryPage title={t('title')} lead={lead}>
      <RegistrationForm
        email={email}
        submit={t('join')}
        send={(registration) =>
          answerOf(api.POST('/console/api/sign-up', { body: { token, ...registration } }))
        }
        onSent={() => enter('/')}
      />
    </EntryPage>
  );
}
