/** The live balance of each wallet, and how long the balance will last. */

import { Badge, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { mayAs, useSignedIn } from '#api/session.ts';
import { type Wallet, walletsQuery } from '#api/wallets.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { useTexts } from '#i18n/texts.ts';
import { formatShort, parseAmount, withCurrency } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import type { Overview } from '#screens/account/account-queries.ts';
import { levelOf, shownWallets } from '#shell/header/balance-level.ts';
import { overviewTexts } from './overview-texts.ts';

export function BalanceCards({ overview }: { readonly overview: Overview }) {
  // The header polls the balances. Until its first response, this page shows those of the overview.
  const { data: live = { data: overview.wallets } } = useQuery(walletsQuery);
  const wallets = shownWallets(live.data);
  return (
    <SimpleGrid cols={{ base: 1, sm: wallets.length + 1 }}>
      {wallets.map((wallet) => (
        <WalletCard key={wallet.currency} wallet={wallet} />
      ))}
      <RunwayCard overview={overview} />
    </SimpleGrid>
  );
}

function WalletCard({ wallet }: { readonly wallet: Wallet }) {
  const t = useTexts(overviewTexts);
  const { balance, held, currency } = wallet;
  const level = levelOf(wallet);
  return (
    <Card>
      <Stack gap={6}>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {t('balance', { currency })}
          </Text>
          {level === 'fine' ? null : (
            <Badge color={level === 'empty' ? 'red' : 'yellow'}>{t(level)}</Badge>
          )}
        </Group>
        <Money amount={balance} currency={currency} fz={28} fw={650} lh={1.3} />
        <Text size="xs" c="dimmed">
          {t('held', { amount: withCurrency(formatShort(parseAmount(held)), currency) })}
        </Text>
      </Stack>
    </Card>
  );
}

const YEAR_DAYS = 365;

function RunwayCard({ overview }: { readonly overview: Overview }) {
  const t = useTexts(overviewTexts);
  const mayTopUp = mayAs(useSignedIn().role, 'owner');
  const { runway_days: days, runway_currency: currency, wallets } = overview;
  const text = (): string => {
    if (days === null) return t('runwayNone');
    if (days === 0) return t('runwayToday');
    if (days > YEAR_DAYS) return t('runwayLong');
    return t('runway', { count: days });
  };
  return (
    <Card>
      <Stack gap={6} h="100%" justify="space-between">
        <Text size="sm" c="dimmed">
          {t('lasts')}
        </Text>
        <Text fw={600} size="lg">
          {text()}
        </Text>
        {currency === null || shownWallets(wallets).length === 1 ? null : (
          <Text size="xs" c="dimmed">
            {t('runwayOf', { currency })}
          </Text>
        )}
        {mayTopUp ? (
          <ButtonLink
            variant="light"
            size="xs"
            w="fit-content"
            leftSection={<IconCreditCard size={16} />}
            to="/billing"
          >
            {t('topUp')}
          </ButtonLink>
        ) : null}
      </Stack>
    </Card>
  );
}
