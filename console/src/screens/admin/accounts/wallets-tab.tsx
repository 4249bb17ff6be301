/** The tab with an account's wallets, their adjustments and their alert thresholds. */
import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { AlertThresholds } from '#components/forms/alert-thresholds.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { type Account, type Currency, thresholdsQuery, type Wallet } from './account-queries.ts';
import { ORDERS, type OrderKind } from './order.ts';
import { OrderDialog } from './order-dialog.tsx';
import { orderTexts } from './order-texts.ts';

const texts = defineTexts('admin-wallets', {
  en: {
    wallet: '{{currency}} wallet',
    available: 'available',
    balance: 'Balance',
    held: 'Held for running requests',
    credit_limit: 'Credit limit',
  },
  zh: {
    wallet: '{{currency}} 钱包',
    available: '可用',
    balance: '余额',
    held: '为进行中的请求预扣',
    credit_limit: '信用额度',
  },
});

export function WalletsTab({ account }: { readonly account: Account }) {
  const [order, setOrder] = useState<{ kind: OrderKind; currency: Currency } | null>(null);
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {account.wallets.toSorted(usdFirst).map((wallet) => (
          <WalletCard
            key={wallet.currency}
            wallet={wallet}
            onOrder={(kind) => setOrder({ kind, currency: wallet.currency })}
          />
        ))}
      </SimpleGrid>
      <Alerts accountId={account.id} />
      <OrderDialog account={account} order={order} onClose={() => setOrder(null)} />
    </Stack>
  );
}

function Alerts({ accountId: id }: { readonly accountId: string }) {
  const queryClient = useQueryClient();
  const query = thresholdsQuery(id);
  return (
    <AlertThresholds
      thresholds={useQuery(query)}
      mayChange
      save={(body) =>
        answerOf(api.PUT('/admin/v1/accounts/{id}/alerts', { params: { path: { id } }, body }))
      }
      onSaved={async (saved) => void queryClient.setQueryData(query.queryKey, saved)}
    />
  );
}

const usdFirst = (a: Wallet, b: Wallet): number =>
  Number(b.currency === 'USD') - Number(a.currency === 'USD');

type WalletCardProps = {
  readonly wallet: Wallet;
  readonly onOrder: (kind: OrderKind) => void;
};

function WalletCard({ wallet, onOrder }: WalletCardProps) {
  const t = useTexts(texts);
  const tOrder = useTexts(orderTexts);
  const { currency } = wallet;
  return (
    <Card component="section" aria-label={t('wallet', { currency })}>
      <Stack>
        <Title order={2} size="h5">
          {t('wallet', { currency })}
        </Title>
        <Group gap="xs" align="baseline">
          <Money fz={28} fw={650} amount={wallet.available} currency={currency} />
          <Text c="dimmed">{t('available')}</Text>
        </Group>
        <Group gap="xl">
          {(['balance', 'held', 'credit_limit'] as const).map((name) => (
            <Stack key={name} gap={0}>
              <Text size="xs" c="dimmed">
                {t(name)}
              </Text>
              <Money fz="sm" amount={wallet[name]} currency={currency} />
            </Stack>
          ))}
        </Group>
        <Group gap="xs">
          {ORDERS.map((kind) => (
            <Button
              key={kind}
              size="xs"
              variant="default"
              aria-label={`${tOrder(kind)} ${currency}`}
              onClick={() => onOrder(kind)}
            >
              {tOrder(kind)}
            </Button>
          ))}
        </Group>
      </Stack>
    </Card>
  );
}
