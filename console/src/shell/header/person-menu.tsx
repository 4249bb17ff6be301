/** The menu of the signed-in person. */

import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLogout, IconUser, IconUsers } from '@tabler/icons-react';
import { mayAs, useSignedIn } from '#api/session.ts';
import { useSignOut } from '#api/sign-out.ts';
import { MenuLink } from '#components/button-link.tsx';
import { useRoleName } from '#i18n/role-names.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from '#shell/shell.module.css';
import { DisplayItems } from './display-menu.tsx';
import { initialsOf } from './initials.ts';

const texts = defineTexts('person-menu', {
  en: {
    label: 'Profile menu: {{name}}',
    profile: 'Profile and security',
    members: 'Members',
    signOut: 'Sign out',
  },
  zh: {
    label: '个人菜单：{{name}}',
    profile: '个人资料与安全',
    members: '成员',
    signOut: '退出登录',
  },
});
const ICON_PX = 16;

export function PersonMenu() {
  const t = useTexts(texts);
  const person = useSignedIn();
  const { signOut, isRunning } = useSignOut();
  return (
    <Menu position="bottom-end" width={260} withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="transparent"
          size={32}
          radius="xl"
          loading={isRunning}
          aria-label={t('label', { name: person.name })}
        >
          <span className={classes['initials']} data-initials={initialsOf(person.name)} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Identity />
        <Menu.Divider />
        <MenuLink leftSection={<IconUser size={ICON_PX} aria-hidden />} to="/profile">
          {t('profile')}
        </MenuLink>
        {mayAs(person.role, 'owner') ? (
          <MenuLink leftSection={<IconUsers size={ICON_PX} aria-hidden />} to="/members">
            {t('members')}
          </MenuLink>
        ) : null}
        <Menu.Divider />
        <DisplayItems />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={ICON_PX} aria-hidden />}
          onClick={signOut}
          disabled={isRunning}
        >
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The name, the e-mail address and the role of the person. */
function Identity() {
  const roleName = useRoleName();
  const { name, email, role, account } = useSignedIn();
  return (
    <Menu.Label>
      <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
        {name}
      </Text>
      <Text size="xs" truncate>
        {email}
      </Text>
      <Text size="xs" truncate>
        {`${roleName(role)} · ${account.name}`}
      </Text>
    </Menu.Label>
  );
}
