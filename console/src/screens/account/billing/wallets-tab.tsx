/** The tab with the account's wallets and the forms to top up. */
import { Alert, Card, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { mayAs, useSignedIn } from '#api/session.ts';
import { type Wallet, walletsQuery } from '#api/wallets.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { billingTexts } from './billing-texts.ts';
import { CardTopUp } from './card-top-up.tsx';
import { RedeemForm } from './redeem-form.tsx';

export function WalletsTab() {
  const t = useTexts(billingTexts);
  const mayTopUp = mayAs(useSignedIn().role, 'owner');
  return (
    <Stack gap="lg">
      <Wallets />
      {mayTopUp ? (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <RedeemForm />
          <CardTopUp />
        </SimpleGrid>
      ) : (
        <Alert color="gray">{t('readOnly')}</Alert>
      )}
    </Stack>
  );
}

function Wallets() {
  const t = useTexts(billingTexts);
  const { data: wallets, error, refetch } = useQuery(walletsQuery);
  if (wallets === undefined) {
    if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
    return (
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Skeleton height={190} />
        <Skeleton height={190} />
      </SimpleGrid>
    );
  }
  if (wallets.data.length === 0) {
    return (
      <Card>
        <Empty icon={IconWallet} title={t('noWallets')}>
          {t('noWalletsHint')}
        </Empty>
      </Card>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {wallets.data.map((wallet) => (
        <WalletCard key={wallet.currency} wallet={wallet} />
      ))}
    </SimpleGrid>
  );
}

function WalletCard({ wallet }: { readonly wallet: Wallet }) {
  const t = useTexts(billingTexts);
  const { currency, balance, held, credit_limit: creditLimit, available } = wallet;
  const amount = (value: string): ReactNode => <Money amount={value} currency={currency} exact />;
  return (
    <SectionCard title={t('wallet', { currency })}>
      <Stack gap={0}>
        <Money amount={available} currency={currency} fz={28} fw={650} lh={1.3} />
        <Text size="xs" c="dimmed">
          {t('available')}
        </Text>
      </Stack>
      <Stack gap={4}>
        <Line name={t('balance')}>{amount(balance)}</Line>
        <Line name={t('held')}>{amount(held)}</Line>
        <Line name={t('creditLimit')}>{amount(creditLimit)}</Line>
      </Stack>
    </SectionCard>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Group justify="space-between" gap="sm" fz="sm">
      <Text span size="sm" c="dimmed">
        {name}
      </Text>
      {children}
    </Group>
  );
}
