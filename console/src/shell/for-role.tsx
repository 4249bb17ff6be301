/** Restricts pages by role. A person without the role sees who can grant it. */
import { Group } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { mayAs, type Role, useSignedIn } from '#api/session.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { useRoleName } from '#i18n/role-names.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('for-role', {
  en: {
    title: 'No access to this page',
    lead: 'This page requires the role {{least}}; yours is {{own}}. Ask an account owner or an administrator for that role.',
    home: 'Go to overview',
  },
  zh: {
    title: '无权访问此页面',
    lead: '此页面需要“{{least}}”角色，您当前的角色是“{{own}}”。如需访问，请联系账户所有者或管理员。',
    home: '前往概览',
  },
});

/**
 * Shows the page, or an explanation if the person lacks the role `least`. The URL does not change,
 * so that it still works once the person has the role.
 */
export function ForRole({ least }: { readonly least: Role }) {
  const t = useTexts(texts);
  const roleName = useRoleName();
  const { role } = useSignedIn();
  if (mayAs(role, least)) return <Outlet />;
  return (
    <Page title={t('title')} lead={t('lead', { least: roleName(least), own: roleName(role) })}>
      <Group>
        <ButtonLink to="/">{t('home')}</ButtonLink>
      </Group>
    </Page>
  );
}
