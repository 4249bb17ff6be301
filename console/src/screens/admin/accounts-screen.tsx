/** The list of all accounts with balance and spend, searchable by name or ID. */

import { Box, Button, Text } from '@mantine/core';
import { IconBuildingBank, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { ShortTime } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { wholeList } from '#components/tables/paged-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, sum } from '#money/amount.ts';
import { AlignedMoney } from '#money/money.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { type AccountEntry, accountsQuery, type Currency } from './accounts/account-queries.ts';
import { AccountStatus, accountStateOf } from './accounts/account-status.tsx';
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
  const make = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={title('accounts')} actions={make}>
      <Box maw={420} data-page-filter>
        <FilterText
          label={t('search')}
          placeholder={t('searchHint')}
          value={search}
          onCommit={(text) => void navigate({ search: { search: text } })}
        />
      </Box>
      <ListCard
        name="admin-accounts"
        label={t('table')}
        pages={pages}
        columns={useColumns(wholeList(pages))}
        keyOf={({ id }) => id}
        csv={{ file: ['accounts'] }}
        hasViews
        empty={{ icon: IconBuildingBank, title: t('empty'), hint: t('emptyHint') }}
      />
      <NewAccountDialog opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}

/** @param rows all accounts, for the totals; undefined while some are not loaded. */
function useColumns(rows: readonly AccountEntry[] | undefined): readonly Column<AccountEntry>[] {
  const t = useTexts(accountsTexts);
  const { count } = useFormats();
  const total = (currency: Currency, of: (account: AccountEntry) => string | null) =>
    rows === undefined ? undefined : (
      <AlignedMoney
        amount={formatExact(sum(rows.map(of).filter((amount) => amount !== null)))}
        currency={currency}
      />
    );
  const money = (
    name: string,
    heading: string,
    currency: Currency,
    of: (account: AccountEntry) => string | null,
  ): Column<AccountEntry> => ({
    name,
    heading,
    end: true,
    cell: (account) => <Amount amount={of(account)} currency={currency} />,
    value: of,
    total: total(currency, of),
  });
  const available = (currency: Currency): Column<AccountEntry> =>
    money(
      currency,
      `${t('available')} ${currency}`,
      currency,
      ({ wallets }) => wallets.find((it) => it.currency === currency)?.available ?? null,
    );
  return [
    {
      name: 'name',
      heading: t('name'),
      cell: ({ id, name }) => (
        <TextLink inherit fw={500} title={name} to="/admin/accounts/$id" params={{ id }}>
          {name}
        </TextLink>
      ),
      value: ({ name }) => name,
      ...(rows === undefined ? {} : { total: t('total', { count: rows.length }) }),
    },
    {
      name: 'status',
      heading: t('status'),
      phone: 'state',
      cell: (account) => <AccountStatus account={account} />,
      value: (account) => t(accountStateOf(account)),
    },
    { ...available('USD'), phone: 'amount' },
    available('CNY'),
    money('month', t('month'), 'USD', ({ spend }) => spend.month.spent),
    {
      name: 'keys',
      heading: t('keys'),
      end: true,
      cell: ({ keys }) => count(keys),
      value: ({ keys }) => keys,
    },
    {
      name: 'created',
      heading: t('created'),
      show: 'wide',
      cell: ({ created_at: at }) => <ShortTime at={at} />,
      value: ({ created_at: at }) => at,
    },
    {
      name: 'id',
      heading: t('id'),
      show: 'chosen',
      phone: 'hidden',
      cell: ({ id }) => <Copyable value={id} shown={shortId(id)} />,
      value: ({ id }) => id,
    },
  ];
}

type AmountProps = { readonly amount: string | null; readonly currency: Currency };

/** An amount, dimmed if nothing is left. */
function Amount({ amount, currency }: AmountProps) {
  if (amount === null) return '–';
  const isOut = parseAmount(amount) <= 0n;
  return (
    <Text span inherit {...(isOut ? { c: 'dimmed' } : {})}>
      <AlignedMoney amount={amount} currency={currency} />
    </Text>
  );
}
