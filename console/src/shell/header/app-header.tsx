/** The header of every screen, with the menu button, the product's name, and shortcuts. */
import {
  ActionIcon,
  Burger,
  Group,
  Menu,
  Skeleton,
  Text,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core';
import {
  IconAlertTriangle,
  IconLogout,
  IconUser,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { mayAs, useAccounts, useSignedIn } from '#api/session.ts';
import { useSignOut } from '#api/sign-out.ts';
import { type Wallet, walletsQuery } from '#api/wallets.ts';
import { MenuLink } from '#components/button-link.tsx';
import { lazyPart } from '#components/lazy-part.ts';
import { useRoleName } from '#i18n/role-names.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExact, formatShort, parseAmount, withCurrency } from '#money/amount.ts';
import { BrandItems } from '#shell/brand/brand-footer.tsx';
import { PaletteOpener } from '#shell/palette/palette-opener.tsx';
import classes from '#shell/shell.module.css';
import type { AccountChoiceProps } from './account-choice.tsx';
import { levelOf, shownWallets } from './balance-level.ts';
import { Brand } from './brand.tsx';
import { DisplayItems } from './display-menu.tsx';

const texts = defineTexts('app-header', {
  en: { openMenu: 'Open menu', closeMenu: 'Close menu' },
  zh: { openMenu: '打开菜单', closeMenu: '收起菜单' },
});

export type AppHeaderProps = {
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  /**
   * Whether the API accepts the person's requests; false while the person still has to set up a
   * required two-factor authentication.
   */
  readonly isReady: boolean;
};

export function AppHeader({ isMenuOpen, onMenu, isReady }: AppHeaderProps) {
  const t = useTexts(texts);
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        <Burger
          opened={isMenuOpen}
          onClick={onMenu}
          hiddenFrom="md"
          size="sm"
          aria-label={t(isMenuOpen ? 'closeMenu' : 'openMenu')}
          aria-expanded={isMenuOpen}
          aria-controls="menu"
        />
        <Brand short />
      </Group>
      <Group gap="xs" wrap="nowrap">
        {isReady ? (
          <>
            <PaletteOpener />
            <Balance />
          </>
        ) : null}
        <PersonMenu />
      </Group>
    </Group>
  );
}

const balanceTexts = defineTexts('balance', {
  en: {
    label: 'Balance',
    low: 'Low balance',
    empty: 'No balance available',
    topUp: 'Top up',
    detail: '{{available}} {{currency}} available',
    held: '{{held}} {{currency}} held for running requests',
  },
  zh: {
    label: '余额',
    low: '余额偏低',
    empty: '无可用余额',
    topUp: '去充值',
    detail: '可用 {{available}} {{currency}}',
    held: '为进行中的请求预扣：{{held}} {{currency}}',
  },
});
const ICON_PX = 14;

/** The account's balance, on every page: amber when low, red when empty, linked to billing. */
function Balance() {
  const t = useTexts(balanceTexts);
  const { data } = useQuery(walletsQuery);
  const wallets = data === undefined ? undefined : shownWallets(data.data);
  const levels = wallets?.map(levelOf) ?? [];
  const worst =
    levels.find((level) => level === 'empty') ?? levels.find((level) => level === 'low');
  return (
    <>
      <VisuallyHidden role="status">{worst === undefined ? '' : t(worst)}</VisuallyHidden>
      {wallets === undefined ? (
        <Skeleton width={84} height={32} />
      ) : (
        <Tooltip label={wallets.map((wallet) => <Detail key={wallet.currency} wallet={wallet} />)}>
          <Link to="/billing" className={classes['balance']}>
            <IconWallet size={ICON_PX} aria-hidden />
            <VisuallyHidden>{t('label')}</VisuallyHidden>
            {wallets.map((wallet) => (
              <Available key={wallet.currency} wallet={wallet} />
            ))}
          </Link>
        </Tooltip>
      )}
    </>
  );
}

function Available({ wallet }: { readonly wallet: Wallet }) {
  const t = useTexts(balanceTexts);
  const level = levelOf(wallet);
  return (
    <span className={classes['amount']} data-level={level}>
      {level === 'fine' ? null : <IconAlertTriangle size={ICON_PX} aria-hidden />}
      {withCurrency(formatShort(parseAmount(wallet.balance)), wallet.currency)}
      {level === 'fine' ? null : <VisuallyHidden>{t(level)}</VisuallyHidden>}
      {level === 'empty' ? (
        <Text span inherit fw={600} visibleFrom="sm">
          {t('topUp')}
        </Text>
      ) : null}
    </span>
  );
}

/** Shows the exact available and held amounts of a wallet. */
function Detail({ wallet }: { readonly wallet: Wallet }) {
  const t = useTexts(balanceTexts);
  const level = levelOf(wallet);
  const exact = (amount: string): string => formatExact(parseAmount(amount));
  const { currency, available, held } = wallet;
  const lines = [
    ...(level === 'fine' ? [] : [t(level)]),
    t('detail', { available: exact(available), currency }),
    ...(parseAmount(held) === 0n ? [] : [t('held', { held: exact(held), currency })]),
  ];
  return lines.map((line) => <div key={line}>{line}</div>);
}

const personMenuTexts = defineTexts('person-menu', {
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
const PERSON_MENU_ICON_PX = 16;

const AccountChoice = lazyPart<AccountChoiceProps>(
  async () => (await import('./account-choice.tsx')).AccountChoice,
);

function PersonMenu() {
  const t = useTexts(personMenuTexts);
  const person = useSignedIn();
  const accounts = useAccounts();
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
        {accounts.length < 2 ? null : (
          <Suspense>
            <AccountChoice accounts={accounts} />
          </Suspense>
        )}
        <Menu.Divider />
        <MenuLink leftSection={<IconUser size={PERSON_MENU_ICON_PX} aria-hidden />} to="/profile">
          {t('profile')}
        </MenuLink>
        {mayAs(person.role, 'owner') ? (
          <MenuLink
            leftSection={<IconUsers size={PERSON_MENU_ICON_PX} aria-hidden />}
            to="/members"
          >
            {t('members')}
          </MenuLink>
        ) : null}
        <Menu.Divider />
        <DisplayItems />
        <Menu.Divider />
        <BrandItems />
        <Menu.Item
          leftSection={<IconLogout size={PERSON_MENU_ICON_PX} aria-hidden />}
          onClick={signOut}
          disabled={isRunning}
        >
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

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

/**
 * Returns the initials of a name: the first letters of its first and last word. A name without
 * spaces, such as a Chinese name, gives its first character.
 */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
