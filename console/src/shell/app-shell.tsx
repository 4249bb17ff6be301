/** The frame of the console: menu, header and screen. */
import { AppShell as MantineAppShell, ScrollArea, Skeleton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useBlocker, useLocation } from '@tanstack/react-router';
import { Suspense, useId } from 'react';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { mayAs, useSignedIn, useView } from '#api/session.ts';
import { PageLink } from '#components/button-link.tsx';
import { DiscardQuestion } from '#components/forms/discard-question.tsx';
import { forgetUnsaved, hasUnsaved } from '#components/forms/unsaved.ts';
import { lazyPart } from '#components/lazy-part.ts';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import { Announced } from './brand/announced.tsx';
import { currentPage } from './current-page.ts';
import { AppHeader } from './header/app-header.tsx';
import {
  NAVIGATION,
  type NavigationGroup,
  type NavigationItem,
  navigationTexts,
} from './navigation.ts';
import classes from './shell.module.css';
import { SignInAgain } from './sign-in-again.tsx';
import { MAIN_ID, SkipLink } from './skip-link.tsx';
import { TotpDemand } from './totp-demand.tsx';
import type { ViewBannerProps } from './view-banner.tsx';

const texts = defineTexts('app-shell', {
  en: { menu: 'Menu' },
  zh: { menu: '菜单' },
});

const ViewBanner = lazyPart<ViewBannerProps>(
  async () => (await import('./view-banner.tsx')).ViewBanner,
);

const HEADER_PX = 56;
const BANNER_PX = 46;
const MENU_PX = 240;

export function AppShell() {
  const t = useTexts(texts);
  const [isMenuOpen, { toggle, close }] = useDisclosure();
  const { totp_required: totpRequired } = useSignedIn();
  const view = useView();
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
        data-open={isMenuOpen || undefined}
        aria-label={t('menu')}
      >
        <MantineAppShell.Section grow component={ScrollArea} type="hover" scrollbarSize={8}>
          <Menu onChosen={close} />
        </MantineAppShell.Section>
      </MantineAppShell.Navbar>
      <MantineAppShell.Main id={MAIN_ID} tabIndex={-1} className={classes['main']}>
        {view === null ? null : (
          <Suspense fallback={<Skeleton height={BANNER_PX} mb="md" />}>
            <ViewBanner endsAt={view.ends_at} />
          </Suspense>
        )}
        <Announced />
        {totpRequired ? null : <Siblings />}
        {totpRequired ? <TotpDemand /> : <Outlet />}
      </MantineAppShell.Main>
    </MantineAppShell>
  );
}

const ICON_PX = 16;

type MenuProps = {
  /** Called when the person chooses a page. Closes the menu if it covers the page. */
  readonly onChosen: () => void;
};

const PAGES = NAVIGATION.flatMap(({ items }) => items);

/** The menu with the pages that the person may open, in groups. The current page is marked. */
function Menu({ onChosen }: MenuProps) {
  const { role } = useSignedIn();
  const { pathname } = useLocation();
  const groups = NAVIGATION.map(({ name, items }) => ({
    name,
    items: items.filter(({ least, under }) => under === undefined && mayAs(role, least)),
  })).filter(({ items }) => items.length > 0);
  const open = currentPage(pathname, PAGES);
  const current = PAGES.find(({ name }) => name === (open?.under ?? open?.name)) ?? null;
  return groups.map((group) => (
    <MenuGroup key={group.name} group={group} current={current} onChosen={onChosen} />
  ));
}

/** Links between the pages of one menu entry, such as the settings pages. */
function Siblings() {
  const t = useTexts(navigationTexts);
  const open = currentPage(useLocation().pathname, PAGES);
  const entry = open?.under ?? open?.name;
  const siblings = PAGES.filter(({ name, under }) => under === entry || name === entry);
  if (entry === undefined || siblings.length < 2) return null;
  return (
    <nav className={classes['siblings']} aria-label={t(siblings[0]?.name ?? 'settings')}>
      {siblings.map(({ name, to }) => (
        <Link key={to} to={to} className={classes['openPage']}>
          {t(name)}
        </Link>
      ))}
    </nav>
  );
}

type MenuGroupProps = MenuProps & {
  readonly group: NavigationGroup;
  readonly current: NavigationItem | null;
};

/**
 * Scrolls the menu to the current page's entry, if the window is too short to show all entries. In
 * Chromium, `scrollIntoView` would make the first Tab start at the entry, behind the skip link.
 */
function showInMenu(entry: HTMLElement | null): void {
  const frame = entry?.closest('.mantine-ScrollArea-viewport');
  if (entry === null || frame == null) return;
  const [at, seen] = [entry.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (at.bottom > seen.bottom) frame.scrollTop += at.bottom - seen.bottom;
  if (at.top < seen.top) frame.scrollTop -= seen.top - at.top;
}

function MenuGroup({ group, current, onChosen }: MenuGroupProps) {
  const t = useTexts(navigationTexts);
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, not links.
    <div role="group" aria-labelledby={id}>
      <div id={id} className={classes['group']}>
        {t(group.name)}
      </div>
      {group.items.map((item) => (
        // `aria-current` is `page` when the page of this menu entry is open, and `true` when a page
        // below it is open.
        <PageLink
          key={item.to}
          label={t(item.name)}
          leftSection={<item.icon size={ICON_PX} color="var(--icon)" aria-hidden />}
          active={item === current}
          ref={item === current ? showInMenu : undefined}
          className={classes['page']}
          onClick={onChosen}
          to={item.to}
          activeOptions={{ exact: true }}
          aria-current={item === current ? 'true' : undefined}
        />
      ))}
    </div>
  );
}

/** The first line of a printed page: the account and the time of printing. */
function PrintHead() {
  const { account } = useSignedIn();
  const { time } = useFormats();
  const parts = [
    useGatewayAddress().replace(/^https?:\/\//, ''),
    account.name,
    account.id,
    `${time(new Date().toISOString())} (${useTimeZone()})`,
  ];
  return (
    <p className={classes['printHead']} data-print-head>
      {parts.join(' · ')}
    </p>
  );
}

/**
 * The search parameters that select a page's tab and open the dialog that creates a key. When one
 * of them changes, the page closes its form, so unsaved text in the form would be lost.
 */
const REPLACING = ['tab', 'new'] as const;

type Place = { readonly pathname: string; readonly search: object };

const isSamePlace = (a: Place, b: Place): boolean =>
  a.pathname === b.pathname &&
  REPLACING.every((name) => Reflect.get(a.search, name) === Reflect.get(b.search, name));

/** Asks before the person leaves or reloads a page with unsaved text in a form. */
function UnsavedGuard() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsaved() && !isSamePlace(current, next),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  });
  return (
    <DiscardQuestion
      opened={status === 'blocked'}
      onKeep={() => reset?.()}
      onDiscard={() => {
        forgetUnsaved();
        proceed?.();
      }}
    />
  );
}
