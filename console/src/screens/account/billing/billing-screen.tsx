/** Billing: wallets, top-ups, ledger, statements and alerts. */
import { Alert, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconWallet } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mayAs, useSignedIn } from '#api/session.ts';
import { type Wallet, walletsQuery } from '#api/wallets.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { PageTabs } from '#components/page-tabs.tsx';
import { CardSkeleton, SectionCard } from '#components/section-card.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { parseAmount } from '#money/amount.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { Money } from '#money/money.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { AlertsTab } from './alerts/alerts-tab.tsx';
import { ledgerQuery } from './billing-queries.ts';
import { BILLING_TABS, type BillingTab } from './billing-search.ts';
import { billingTexts } from './billing-texts.ts';
import { CardTopUp } from './card-top-up.tsx';
import { LedgerTab, useMovementColumns } from './ledger-tab.tsx';
import { RedeemForm } from './redeem-form.tsx';
import { StatementsTab } from './statements-tab.tsx';

const route = getRouteApi('/app/billing');
const PANELS: Readonly<Record<BillingTab, ReactNode>> = {
  wallets: <WalletsTab />,
  ledger: <LedgerTab />,
  statements: <StatementsTab />,
  alerts: <AlertsTab />,
};

export function BillingScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(billingTexts);
  const { tab = 'wallets' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={title('billing')}>
      <PageTabs
        value={tab}
        onChange={(name) => void navigate({ search: name === 'wallets' ? {} : { tab: name } })}
        tabs={BILLING_TABS.map((name) => ({ name, label: t(name), panel: PANELS[name] }))}
      />
    </Page>
  );
}

/** The tab with the account's wallets and the forms to top up. */
function WalletsTab() {
  const t = useTexts(billingTexts);
  const mayTopUp = mayAs(useSignedIn().role, 'owner');
  const { data: wallets, error, refetch } = useQuery(walletsQuery);
  return (
    <Stack>
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      {wallets?.data.length === 0 ? (
        <Card>
          <Empty icon={IconWallet} title={t('noWallets')}>
            {t('noWalletsHint')}
          </Empty>
        </Card>
      ) : null}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {wallets?.data.map((wallet) => (
          <WalletCard key={wallet.currency} wallet={wallet} />
        ))}
        {wallets === undefined
          ? CURRENCIES.map((currency) => <CardSkeleton key={currency} height={150} />)
          : null}
        {mayTopUp ? <RedeemForm /> : null}
      </SimpleGrid>
      {mayTopUp ? <CardTopUp /> : <Alert color="gray">{t('readOnly')}</Alert>}
      <LatestTopUps />
    </Stack>
  );
}

const CREDITS = { kind: 'credit' } as const;
const LATEST = 5;

function LatestTopUps() {
  const t = useTexts(billingTexts);
  const columns = useMovementColumns().filter(({ name }) => name !== 'kind');
  const latest = useInfiniteQuery(ledgerQuery(CREDITS)).data?.pages[0]?.data ?? [];
  if (latest.length === 0) return null;
  const all = (
    <TextLink size="sm" to="/billing" search={{ tab: 'ledger', ...CREDITS }}>
      {t('allTopUps')}
    </TextLink>
  );
  return (
    <SectionCard title={t('topUps')} aside={all}>
      <DataTable
        label={t('topUps')}
        columns={columns}
        rows={latest.slice(0, LATEST)}
        keyOf={({ id }) => id}
        canSort={false}
      />
    </SectionCard>
  );
}

/** The available balance and its parts. Parts that are zero are omitted. */
function WalletCard({ wallet }: { readonly wallet: Wallet }) {
  const t = useTexts(billingTexts);
  const { currency, balance, held, credit_limit: creditLimit, available } = wallet;
  const parts = { balance, held, creditLimit };
  const shown = (['balance', 'held', 'creditLimit'] as const).filter(
    (name) => name === 'balance' || parseAmount(parts[name]) !== 0n,
  );
  return (
    <SectionCard title={t('wallet', { currency })}>
      <Stack gap={0}>
        <Money amount={available} currency={currency} fz="hero" fw={600} lh={1.25} />
        <Text variant="caption">{t('available')}</Text>
      </Stack>
      <Stack gap={4} fz="sm">
        {shown.map((name) => (
          <Group key={name} justify="space-between" gap="sm">
            <Text variant="note">{t(name)}</Text>
            <Money amount={parts[name]} currency={currency} exact />
          </Group>
        ))}
      </Stack>
    </SectionCard>
  );
}
