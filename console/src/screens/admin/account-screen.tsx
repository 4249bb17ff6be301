/** The page of an account: wallets, keys, requests, ledger, limits and people. */

import { Group, Skeleton, Stack, Tabs } from '@mantine/core';
import {
  IconAdjustments,
  IconArrowLeft,
  IconKey,
  IconListDetails,
  IconReceipt,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { oneOf } from '#api/lists.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { AccountKeys } from './accounts/account-keys.tsx';
import { AccountLedger } from './accounts/account-ledger.tsx';
import { AccountLimits } from './accounts/account-limits.tsx';
import { type Account, accountQuery } from './accounts/account-queries.ts';
import { AccountRequests } from './accounts/account-requests.tsx';
import { AccountStatus, SuspendButton } from './accounts/account-status.tsx';
import { ACCOUNT_TABS, type AccountTab } from './accounts/accounts-search.ts';
import { accountsTexts } from './accounts/accounts-texts.ts';
import { WalletsTab } from './accounts/wallets-tab.tsx';
import { AccountPeople } from './people/account-people.tsx';

const route = getRouteApi('/app/admin/accounts/$id');
const ICONS = {
  money: IconWallet,
  keys: IconKey,
  requests: IconListDetails,
  ledger: IconReceipt,
  limits: IconAdjustments,
  people: IconUsers,
} as const satisfies Record<AccountTab, typeof IconKey>;

export function AccountScreen() {
  const title = useTexts(navigationTexts);
  const { id } = route.useParams();
  const { data: account, error, refetch } = useQuery(accountQuery(id));
  if (account === undefined) {
    return (
      <Page title={title('accounts')} lead={<BackToAll />}>
        {error === null ? (
          <Skeleton height={360} />
        ) : (
          <ApiProblem error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={account.name}
      lead={<Facts account={account} />}
      actions={<SuspendButton account={account} />}
    >
      {error === null ? null : <ApiProblem error={error} />}
      <AccountTabs account={account} />
    </Page>
  );
}

function BackToAll() {
  const t = useTexts(accountsTexts);
  return (
    <TextLink size="sm" to="/admin/accounts">
      <Group gap={4} component="span">
        <IconArrowLeft size={14} />
        {t('back')}
      </Group>
    </TextLink>
  );
}

function Facts({ account }: { readonly account: Account }) {
  return (
    <Group gap="sm" component="span">
      <BackToAll />
      <AccountStatus account={account} />
      <Copyable value={account.id} />
    </Group>
  );
}

function AccountTabs({ account }: { readonly account: Account }) {
  const t = useTexts(accountsTexts);
  const { tab = 'money' } = route.useSearch();
  const navigate = route.useNavigate();
  const toTab = (name: string | null): void => {
    const chosen = oneOf(ACCOUNT_TABS, name);
    void navigate({ search: chosen === 'money' ? {} : { tab: chosen } });
  };
  return (
    <Tabs value={tab} onChange={toTab} keepMounted={false}>
      <Tabs.List mb="lg">
        {ACCOUNT_TABS.map((name) => {
          const Icon = ICONS[name];
          return (
            <Tabs.Tab key={name} value={name} leftSection={<Icon size={16} />}>
              {t(name)}
            </Tabs.Tab>
          );
        })}
      </Tabs.List>
      <Tabs.Panel value={tab}>
        <Stack gap="lg">{panelOf(tab, account)}</Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

function panelOf(tab: AccountTab, account: Account): ReactNode {
  switch (tab) {
    case 'money':
      return <WalletsTab account={account} />;
    case 'keys':
      return <AccountKeys accountId={account.id} />;
    case 'requests':
      return <AccountRequests accountId={account.id} />;
    case 'ledger':
      return <AccountLedger accountId={account.id} />;
    case 'limits':
      return <AccountLimits account={account} />;
    case 'people':
      return <AccountPeople account={account} />;
  }
}
