/** The list of all accounts with balance and spend, searchable by name or ID. */

import { Button, Stack, Text } from '@mantine/core';
import { IconBuildingBank, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Ago } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { parseAmount } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { type AccountEntry, accountsQuery, type Currency } from './accounts/account-queries.ts';
import { AccountStatus } from './accounts/account-status.tsx';
import { accountsTexts } from './accounts/accounts-texts.ts';
import { NewAccountDialog } from './accounts/new-account-dialog.tsx';
import { shortId } from './admin-link.tsx';

const route = getRouteApi('/app/admin/accounts');

export function AccountsScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(accountsTexts);
  const { search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [isMaking, setMaking] = useState(false);
  const pages = useInfiniteQuery(accountsQuery(search));
  const columns = useColumns();
  const make = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={title('accounts')} actions={make}>
      <Stack maw={420} gap={0} data-page-filter>
        <FilterText
          label={t('search')}
          placeholder={t('searchHint')}
          value={search}
          onCommit={(text) => void navigate({ search: { search: text } })}
        />
      </Stack>
      <ListCard
        label={t('table')}
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        minWidth={860}
        empty={{ icon: IconBuildingBank, title: t('empty'), hint: t('emptyHint') }}
      />
      <NewAccountDialog opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}

function useColumns(): readonly Column<AccountEntry>[] {
  const t = useTexts(accountsTexts);
  const { count } = useFormats();
  const available = (currency: Currency): Column<AccountEntry> => ({
    name: currency,
    heading: `${t('available')} ${currency}`,
    end: true,
    cell: ({ wallets }) => <Available account={{ wallets }} currency={currency} />,
  });
  return [
    { name: 'name', heading: t('name'), cell: (account) => <Name account={account} /> },
    {
      name: 'status',
      heading: t('status'),
      cell: (account) => <AccountStatus account={account} />,
    },
    available('USD'),
    available('CNY'),
    {
      name: 'month',
      heading: t('month'),
      end: true,
      cell: ({ spend }) => <Money amount={spend.month.spent} currency="USD" />,
    },
    { name: 'keys', heading: t('keys'), end: true, cell: ({ keys }) => count(keys) },
    { name: 'created', heading: t('created'), cell: ({ created_at: at }) => <Ago at={at} /> },
  ];
}

function Name({ account: { id, name } }: { readonly account: AccountEntry }) {
  return (
    <Stack gap={0}>
      <TextLink fw={600} maw={320} truncate title={name} to="/admin/accounts/$id" params={{ id }}>
        {name}
      </TextLink>
      <Text size="xs" c="dimmed" component="div">
        <Copyable value={id} shown={shortId(id)} />
      </Text>
    </Stack>
  );
}

type AvailableProps = {
  readonly account: Pick<AccountEntry, 'wallets'>;
  readonly currency: Currency;
};

function Available({ account, currency }: AvailableProps) {
  const wallet = account.wallets.find((it) => it.currency === currency);
  if (wallet === undefined) return '–';
  const isOut = parseAmount(wallet.available) <= 0n;
  return (
    <Money amount={wallet.available} currency={currency} {...(isOut ? { c: 'dimmed' } : {})} />
  );
}
