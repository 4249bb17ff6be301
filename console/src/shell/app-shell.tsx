/** The frame of the console: menu, header and screen. */
import { AppShell as MantineAppShell, ScrollArea } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { useSignedIn } from '#api/session.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { AppHeader } from './header/app-header.tsx';
import { Menu } from './menu.tsx';
import { PrintHead } from './print-head.tsx';
import classes from './shell.module.css';
import { SignInAgain } from './sign-in-again.tsx';
import { MAIN_ID, SkipLink } from './skip-link.tsx';
import { TotpDemand } from './totp-demand.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

const texts = defineTexts('app-shell', {
  en: { menu: 'Menu' },
  zh: { menu: '菜单' },
});

const HEADER_PX = 56;
const MENU_PX = 240;

export function AppShell() {
  const t = useTexts(texts);
  const [isMenuOpen, { toggle, close }] = useDisclosure();
  const { totp_required: totpRequired } = useSignedIn();
  useHotkeys([['Escape', close]]);
  return (
    <MantineAppShell
      header={{ height: HEADER_PX }}
      navbar={{ width: MENU_PX, breakpoint: 'md', collapsed: { mobile: !isMenuOpen } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <SkipLink />
      <PrintHead />
      <UnsavedGuard />
      <SignInAgain />
      <MantineAppShell.Header>
        <AppHeader isMenuOpen={isMenuOpen} onMenu={toggle} isReady={!totpRequired} />
      </MantineAppShell.Header>
      <MantineAppShell.Navbar
        px="xs"
        py="xs"
        id="menu"
        className={classes['menu']}
        aria-label={t('menu')}
      >
        <MantineAppShell.Section grow component={ScrollArea} type="hover" scrollbarSize={8}>
          <Menu onChosen={close} />
        </MantineAppShell.Section>
      </MantineAppShell.Navbar>
      <MantineAppShell.Main id={MAIN_ID} tabIndex={-1} className={classes['main']}>
        {totpRequired ? <TotpDemand /> : <Outlet />}
      </MantineAppShell.Main>
    </MantineAppShell>
  );
}
