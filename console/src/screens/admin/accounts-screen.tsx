/** The list of all accounts with balance and spend, searchable by name or ID. */
import { Box, Button, Checkbox, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBuildingBank, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api, newIdempotencyKey } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { TextLink } from '#components/button-link.tsx';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { Page } from '#components/page.tsx';
import { idColumn, moneyColumn, timeColumn } from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { wholeList } from '#components/tables/paged-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, sum } from '#money/amount.ts';
import { navigationTexts } from '#shell/navigation.ts';
import {
  type AccountEntry,
  accountsQuery,
  type Currency,
  useAccountsChanged,
} from './accounts/account-queries.ts';
import { AccountStatus, accountStateOf } from './accounts/account-status.tsx';
import { accountsTexts } from './accounts/accounts-texts.ts';

const route = getRouteApi('/app/admin/accounts');

export function AccountsScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(accountsTexts);
  const { search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [isMaking, setMaking] = useState(false);
  const pages = useInfiniteQuery(accountsQuery(search));
  const all = wholeList(pages);
  const make = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={title('accounts')} actions={make}>
      <Box maw={420} data-page-filter>
        <FilterText
          isSearch
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
        columns={useColumns(all)}
        keyOf={({ id }) => id}
        download={{ file: ['accounts'] }}
        hasViews
        empty={{ icon: IconBuildingBank, title: t('empty'), hint: t('emptyHint') }}
      />
      <NewAccountDialog opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}

/**
 * Returns the columns, with totals once all accounts are loaded.
 * @param rows all accounts, for the totals; undefined while some pages are not loaded.
 */
function useColumns(rows: readonly AccountEntry[] | undefined): readonly Column<AccountEntry>[] {
  const t = useTexts(accountsTexts);
  const { count } = useFormats();
  const money = (
    name: string,
    heading: string,
    currency: Currency,
    of: (account: AccountEntry) => string | null,
  ): Column<AccountEntry> => {
    const amounts = rows?.map(of).filter((amount) => amount !== null);
    const shown = (account: AccountEntry) => {
      const amount = of(account);
      const isNothing = amount === null || (name !== 'USD' && parseAmount(amount) === 0n);
      return isNothing ? null : { amount, currency };
    };
    return moneyColumn(name, heading, shown, {
      ...(amounts === undefined ? {} : { sum: { amount: formatExact(sum(amounts)), currency } }),
    });
  };
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
      cell: (account) => <AccountName {...account} />,
      value: ({ name }) => name,
      ...(rows === undefined ? {} : { total: t('sum') }),
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
    timeColumn('created', t('created'), ({ created_at: at }) => at, { show: 'wide' }),
    idColumn('id', t('id'), ({ id }) => id, { show: 'chosen', phone: 'hidden' }),
  ];
}

function AccountName({ id, name }: AccountEntry) {
  const to = { to: '/admin/accounts/$id', params: { id } } as const;
  return (
    <TextLink inherit truncate display="block" maw={320} fw={500} title={name} {...to}>
      {name}
    </TextLink>
  );
}

type NewAccountDialogProps = { readonly opened: boolean; readonly onClose: () => void };

/** The dialog that creates an account and opens its page. */
function NewAccountDialog({ opened, onClose }: NewAccountDialogProps) {
  const t = useTexts(accountsTexts);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('createTitle')}>
      <NewAccountForm onClose={onClose} />
    </Dialog>
  );
}

type NewAccount = { readonly name: string; readonly allow_exchange: boolean };

function NewAccountForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(accountsTexts);
  const navigate = useNavigate();
  const changed = useAccountsChanged();
  const [key] = useState(newIdempotencyKey);
  const { form, ...sending } = useApiForm<NewAccount, components['schemas']['Account']>({
    initialValues: { name: '', allow_exchange: true },
    validate: ({ name }) => ({ name: name.trim() === '' ? t('nameWrong') : null }),
    send: (body) =>
      answerOf(api.POST('/admin/v1/accounts', { headers: { 'Idempotency-Key': key }, body })),
    onSent: async ({ id, name }) => {
      await changed();
      notifications.show({ color: 'green', message: t('made', { name }) });
      await navigate({ to: '/admin/accounts/$id', params: { id } });
    },
  });
  return (
    <FormBody of={sending} submit={t('create')} onCancel={onClose}>
      <TextInput
        label={t('nameLabel')}
        description={t('nameHint')}
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox
        label={t('allowExchange')}
        {...form.getInputProps('allow_exchange', { type: 'checkbox' })}
      />
    </FormBody>
  );
}
