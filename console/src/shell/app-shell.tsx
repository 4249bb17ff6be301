/** The frame of the console: the menu, the header, and the screen. */
import {
  Burger,
  Group,
  AppShell as MantineAppShell,
  NavLink,
  ScrollArea,
  Text,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { mayAs, useSignedIn } from '../api/session.ts';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { Brand } from './brand.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { NAVIGATION, type NavigationItem, navigationTexts } from './navigation.ts';
import { SchemeSwitch } from './scheme-switch.tsx';

const texts = defineTexts('app-shell', {
  en: { menu: 'Menu', skip: 'Skip to the page' },
  zh: { menu: '菜单', skip: '跳到内容' },
});

export function AppShell() {
  const t = useTexts(texts);
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <MantineAppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding="lg"
    >
      <MantineAppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={t('menu')}
            />
            <Brand />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <LanguageSwitch />
            <SchemeSwitch />
          </Group>
        </Group>
      </MantineAppShell.Header>
      <MantineAppShell.Navbar p="sm" aria-label={t('menu')}>
        <ScrollArea>
          <Menu onChosen={close} />
        </ScrollArea>
      </MantineAppShell.Navbar>
      <MantineAppShell.Main id="main">
        <Outlet />
      </MantineAppShell.Main>
    </MantineAppShell>
  );
}

function Menu({ onChosen }: { readonly onChosen: () => void }) {
  const t = useTexts(navigationTexts);
  const { role } = useSignedIn();
  const { pathname } = useLocation();
  const isHere = ({ to }: NavigationItem): boolean => pathname === to;
  return NAVIGATION.map(({ name, items }) => {
    const allowed = items.filter(({ least }) => mayAs(role, least));
    if (allowed.length === 0) return null;
    return (
      <div key={name}>
        <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4}>
          {t(name)}
        </Text>
        {allowed.map((item) => (
          <NavLink
            key={item.to}
            label={t(item.name)}
            leftSection={<item.icon size={18} />}
            active={isHere(item)}
            onClick={onChosen}
            renderRoot={(props) => <Link to={item.to} {...props} />}
          />
        ))}
      </div>
    );
  });
}
