/** The page of an account: wallets, keys, requests, ledger, limits and people. */

import { Button, Card, Checkbox, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconKey, IconPlus, IconUserPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { answerOf, api, taggedPath } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Empty } from '#components/empty.tsx';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useSharedForm } from '#components/forms/shared-form.ts';
import { Page } from '#components/page.tsx';
import { PageTabs } from '#components/page-tabs.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { KeyApiProvider } from '#keys/key-api.ts';
import { SELECTING_KEYS, useKeyColumns } from '#keys/key-columns.tsx';
import { CreateKeyDialog, useKeyChecks } from '#keys/key-dialogs.tsx';
import { useKeyFieldNames } from '#keys/key-field-names.ts';
import { KeyFields } from '#keys/key-fields.tsx';
import { type KeyForm, keyBodyOf, keyFormOf } from '#keys/key-form.ts';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import { keyTexts } from '#keys/key-texts.ts';
import { Money } from '#money/money.tsx';
import { InviteDialog } from '#people/invite-dialog.tsx';
import { PeopleApiProvider } from '#people/people-api.ts';
import { PeopleTable } from '#people/people-table.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { AccountLedger } from './accounts/account-ledger.tsx';
import {
  type Account,
  accountKeysQuery,
  accountQuery,
  keyApiOf,
  readAccount,
  useAccountsChanged,
} from './accounts/account-queries.ts';
import { AccountRequests } from './accounts/account-requests.tsx';
import { AccountStatus, SuspendButton } from './accounts/account-status.tsx';
import { ACCOUNT_TABS } from './accounts/accounts-search.ts';
import { accountsTexts } from './accounts/accounts-texts.ts';
import { ViewButton } from './accounts/view-button.tsx';
import { WalletsTab } from './accounts/wallets-tab.tsx';
import { allPeople, peopleQuery } from './people/all-people.ts';
import { allPeopleTexts } from './people/all-people-texts.ts';
import { priceListsQuery } from './price-lists/price-list-queries.ts';

const route = getRouteApi('/app/admin/accounts/$id');

export function AccountScreen() {
  const title = useTexts(navigationTexts);
  const { id } = route.useParams();
  const { data: account, error, refetch } = useQuery(accountQuery(id));
  if (account === undefined) {
    return (
      <Page title={title('accounts')} parent={<BackToAll />}>
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
      parent={<BackToAll />}
      lead={<Facts account={account} />}
      actions={
        <>
          <ViewButton accountId={account.id} />
          <SuspendButton account={account} />
        </>
      }
    >
      {error === null ? null : <ApiProblem error={error} />}
      <AccountTabs account={account} />
    </Page>
  );
}

function BackToAll() {
  const t = useTexts(accountsTexts);
  return (
    <TextLink size="sm" c="dimmed" to="/admin/accounts">
      <Group gap={4} component="span">
        <IconArrowLeft size={14} />
        {t('back')}
      </Group>
    </TextLink>
  );
}

function Facts({ account }: { readonly account: Account }) {
  const t = useTexts(accountsTexts);
  return (
    <Group gap="sm" fz="sm" component="span">
      <AccountStatus account={account} />
      <Copyable value={account.id} />
      <Text span variant="note">
        {t('month')} <Money amount={account.spend.month.spent} currency="USD" />
      </Text>
    </Group>
  );
}

function AccountTabs({ account }: { readonly account: Account }) {
  const t = useTexts(accountsTexts);
  const { tab = 'money' } = route.useSearch();
  const navigate = route.useNavigate();
  const { id } = account;
  const panels = {
    money: <WalletsTab account={account} />,
    keys: <AccountKeys accountId={id} />,
    requests: <AccountRequests accountId={id} />,
    ledger: <AccountLedger accountId={id} />,
    limits: <AccountLimits account={account} />,
    people: <AccountPeople account={account} />,
  };
  return (
    <PageTabs
      value={tab}
      onChange={(name) => void navigate({ search: name === 'money' ? {} : { tab: name } })}
      tabs={ACCOUNT_TABS.map((name) => ({
        ...{ name, label: t(name) },
        panel: <Stack gap="lg">{panels[name]}</Stack>,
      }))}
    />
  );
}

/** The tab with an account's keys, which opens the same dialogs that members use. */
function AccountKeys({ accountId }: { readonly accountId: string }) {
  const t = useTexts(keyTexts);
  const tForm = useTexts(keyFormTexts);
  const keyApi = useMemo(() => keyApiOf(accountId), [accountId]);
  const { data, error, refetch } = useQuery(accountKeysQuery(accountId));
  const [isMaking, setMaking] = useState(false);
  const columns = useKeyColumns({ name: ({ name }) => name, isManaged: () => true });
  const make = (
    <Button size="xs" leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {tForm('create')}
    </Button>
  );
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  return (
    <KeyApiProvider value={keyApi}>
      <Card>
        <DataTable
          name="keys"
          label={t('keys')}
          columns={columns}
          rows={data}
          keyOf={({ id }) => id}
          download={{ file: ['keys', accountId] }}
          selecting={SELECTING_KEYS}
          summary={make}
          empty={<Empty icon={IconKey} title={t('empty')} action={make} />}
        />
      </Card>
      <CreateKeyDialog opened={isMaking} onClose={() => setMaking(false)} />
    </KeyApiProvider>
  );
}

const texts = defineTexts('admin-account-limits', {
  en: {
    lead: 'The limits apply to all keys of the account together, in addition to the limits of each key.',
    allowExchange: 'Pay CNY charges from the USD wallet when the CNY balance is too low',
    priceList: 'Price list',
    priceListHint: 'After you save, new requests are charged at the selected prices',
    publicPrices: 'Public prices',
    on: 'On',
    off: 'Off',
    save: 'Save limits',
    saved: 'Limits of {{name}} saved',
  },
  zh: {
    lead: '这些限额对账户的所有密钥合并生效，各密钥自身的限额同时适用。',
    allowExchange: 'CNY 余额不足时，用 USD 钱包支付 CNY 费用',
    priceList: '价目表',
    priceListHint: '保存后，新请求立即按此价格计费',
    publicPrices: '公开价格',
    on: '开启',
    off: '关闭',
    save: '保存限额',
    saved: '{{name}} 的限额已保存',
  },
});

type Changed = components['schemas']['Account'];
type AccountForm = KeyForm & { readonly allow_exchange: boolean; readonly price_list: string };
/**
 * The option of the price list field that stands for the public prices. No price list may have this
 * name.
 */
const PUBLIC = 'none';

/**
 * The limits of an account. They have the same fields as the limits of a key, but apply to all keys
 * of the account together.
 */
function AccountLimits({ account }: { readonly account: Account }) {
  const t = useTexts(texts);
  const tAccounts = useTexts(accountsTexts);
  const changed = useAccountsChanged();
  const limitName = useKeyFieldNames();
  const { data: lists } = useQuery(priceListsQuery);
  const nameOf = (list: string): string => (list === PUBLIC ? t('publicPrices') : list);
  const { form, ...sending } = useSharedForm<AccountForm, Changed>({
    opened: account,
    valuesOf: (settings) => ({
      ...keyFormOf(settings),
      allow_exchange: settings.allow_exchange,
      price_list: settings.price_list ?? PUBLIC,
    }),
    ...useKeyChecks(),
    fieldOf: (path, values) =>
      path === 'allow_exchange'
        ? { label: t('allowExchange'), value: t(values.allow_exchange ? 'on' : 'off') }
        : path === 'price_list'
          ? { label: t('priceList'), value: nameOf(values.price_list) }
          : limitName(path, values),
    read: () => readAccount(account.id),
    change: ({ allow_exchange, price_list: list, ...values }, saved) =>
      answerOf(
        api.PATCH('/admin/v1/accounts/{id}', {
          ...taggedPath(account.id, saved.etag),
          body: {
            ...keyBodyOf(values, saved.values),
            allow_exchange,
            price_list: list === PUBLIC ? null : list,
          },
        }),
      ),
    done: ({ name }) => t('saved', { name }),
    onSaved: changed,
  });
  // Includes the account's own price list, so that the field shows it before all price lists have
  // loaded.
  const names = lists?.data.map(({ name }) => name) ?? [];
  const known = [...new Set([PUBLIC, ...names, form.values.price_list])];
  return (
    <Card maw={760}>
      <FormBody of={sending} submit={t('save')} gap="lg">
        <Text variant="note">{t('lead')}</Text>
        <KeyFields form={form} spend={account.spend} nameHint={tAccounts('nameHint')} />
        <Checkbox
          label={t('allowExchange')}
          {...form.getInputProps('allow_exchange', { type: 'checkbox' })}
        />
        {known.length === 1 ? null : (
          <Select
            maw={320}
            label={t('priceList')}
            description={t('priceListHint')}
            allowDeselect={false}
            data={known.map((value) => ({ value, label: nameOf(value) }))}
            {...form.getInputProps('price_list')}
          />
        )}
      </FormBody>
    </Card>
  );
}

function AccountPeople({ account }: { readonly account: Account }) {
  const t = useTexts(allPeopleTexts);
  const [isInviting, setInviting] = useState(false);
  const peopleApi = useMemo(() => allPeople(account.id), [account.id]);
  const invite = (
    <Button size="xs" leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
      {t('invite')}
    </Button>
  );
  return (
    <PeopleApiProvider value={peopleApi}>
      <PeopleTable
        isOneAccount
        label={t('people')}
        pages={useInfiniteQuery(peopleQuery({ account_id: account.id }))}
        summary={invite}
        empty={{ title: t('emptyAccount'), hint: t('emptyAccountHint'), action: invite }}
      />
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} accountId={account.id} />
    </PeopleApiProvider>
  );
}
