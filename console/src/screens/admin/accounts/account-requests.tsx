/** The tab with an account's requests, newest first, with their cost and a refund button. */

import { Box, Card, Group, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconListDetails } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { newIdempotencyKey } from '#api/client.ts';
import { Copyable } from '#components/copyable.tsx';
import { Dialog } from '#components/dialog.tsx';
import { Empty } from '#components/empty.tsx';
import { AmountInput } from '#components/forms/amount-input.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { ShortTime } from '#components/moment.tsx';
import { actionColumn, moneyColumn, RowAction } from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { PagedTable } from '#components/tables/paged-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExactGrouped, parseAmount, withCurrency } from '#money/amount.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { Money } from '#money/money.tsx';
import { useRequestColumns } from '#requests/request-columns.tsx';
import { ReasonField } from '#screens/admin/money-fields.tsx';
import { accountRequestsQuery, type LoggedRequest, useAccountsChanged } from './account-queries.ts';
import { AccountRequestSheet } from './account-request.tsx';
import { type Booked, refundRequest, useReused } from './order-queries.ts';
import { orderTexts } from './order-texts.ts';

const texts = defineTexts('admin-account-requests', {
  en: {
    table: 'Requests',
    route: 'Route',
    refund: 'Refund',
    refunded: 'Refunded',
    actions: 'Actions',
    empty: 'No requests',
    id: 'Request ID',
  },
  zh: {
    table: '请求',
    route: '路由',
    refund: '退款',
    refunded: '已退款',
    actions: '操作',
    empty: '没有请求',
    id: '请求 ID',
  },
});

const route = getRouteApi('/app/admin/accounts/$id');

export function AccountRequests({ accountId }: { readonly accountId: string }) {
  const t = useTexts(texts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { request = '' } = search;
  const pages = useInfiniteQuery(accountRequestsQuery(accountId, request));
  const [refunding, setRefunding] = useState<LoggedRequest | null>(null);
  const [opened, open] = useState<string | null>(null);
  return (
    <Card>
      <Box maw={360} mb="sm">
        <FilterText
          label={t('id')}
          value={request}
          onCommit={(id) => void navigate({ search: { ...search, request: id } })}
        />
      </Box>
      <PagedTable
        label={t('table')}
        name="admin-requests"
        pages={pages}
        columns={useColumns(setRefunding, open)}
        keyOf={({ id }) => id}
        empty={<Empty icon={IconListDetails} title={t('empty')} />}
      />
      <AccountRequestSheet id={opened} onClose={() => open(null)} />
      <RefundDialog request={refunding} onClose={() => setRefunding(null)} />
    </Card>
  );
}

function useColumns(
  refund: (request: LoggedRequest) => void,
  open: (id: string) => void,
): readonly Column<LoggedRequest>[] {
  const t = useTexts(texts);
  const { time, model, state, cost, tokens, ...more } = useRequestColumns('nothing');
  const { duration, channel, code, id, notes } = more;
  const route = ({ upstream, upstream_model: there }: LoggedRequest) => `${upstream}/${there}`;
  return [
    {
      ...time,
      cell: ({ id, at }) => (
        <UnstyledButton fz="inherit" mih={24} aria-haspopup="dialog" onClick={() => open(id)}>
          <ShortTime at={at} />
        </UnstyledButton>
      ),
    },
    ...[model, state, cost],
    moneyColumn('refunded', t('refunded'), ({ refunded: amount, currency }) =>
      isNothing(amount) ? null : { amount, currency },
    ),
    {
      name: 'route',
      heading: t('route'),
      cell: (request) => (
        <Text inherit truncate maw={200} title={route(request)}>
          {route(request)}
        </Text>
      ),
      value: route,
    },
    { ...tokens, show: 'wide' },
    ...[code, id, duration, channel].map((column) => ({ ...column, show: 'chosen' as const })),
    notes,
    actionColumn(t('actions'), (request) =>
      parseAmount(request.refunded) >= parseAmount(request.cost) ? null : (
        <RowAction label={t('refund')} of={request.id} onClick={() => refund(request)} />
      ),
    ),
  ];
}

const isNothing = (amount: string): boolean => parseAmount(amount) === 0n;

type RefundDialogProps = {
  /** The request to refund; null while the dialog is closed. */
  readonly request: LoggedRequest | null;
  readonly onClose: () => void;
};

/** The dialog that refunds all or part of a request's charge. */
function RefundDialog({ request, onClose }: RefundDialogProps) {
  const t = useTexts(orderTexts);
  return (
    <Dialog opened={request !== null} onClose={onClose} title={t('refundTitle')}>
      {request === null ? null : <RefundForm request={request} onClose={onClose} />}
    </Dialog>
  );
}

type RefundFormProps = { readonly request: LoggedRequest; readonly onClose: () => void };
type Refund = { readonly much: 'all' | 'part'; readonly amount: string; readonly reason: string };

function useRefund({ request, onClose }: RefundFormProps) {
  const t = useTexts(orderTexts);
  const changed = useAccountsChanged();
  const [key] = useState(newIdempotencyKey);
  const reused = useReused();
  return useApiForm<Refund, Booked>({
    initialValues: { much: 'all', amount: '', reason: '' },
    validate: ({ much, amount, reason }) => ({
      amount: much === 'part' && enteredAmount(amount) === null ? t('amountWrong') : null,
      reason: reason.trim() === '' ? t('reasonWrong') : null,
    }),
    send: ({ much, amount, reason }) =>
      refundRequest(
        request.id,
        much === 'all' ? 'all' : (enteredAmount(amount) ?? amount),
        reason.trim(),
        key,
      ).catch(reused),
    onSent: async (booked) => {
      await changed();
      const available = withCurrency(
        formatExactGrouped(parseAmount(booked.available)),
        booked.currency,
      );
      notifications.show({
        color: 'green',
        message: t(booked.already_applied ? 'already' : 'booked', { available }),
      });
      onClose();
    },
  });
}

function RefundForm(props: RefundFormProps) {
  const { request, onClose } = props;
  const t = useTexts(orderTexts);
  const { form, ...sending } = useRefund(props);
  return (
    <FormBody of={sending} submit={t('refundTitle')} onCancel={onClose}>
      <Text variant="note">{t('refundLead')}</Text>
      <Charged request={request} />
      <SegmentedControl
        aria-label={t('howMuch')}
        value={form.values.much}
        onChange={(much) => form.setFieldValue('much', much === 'part' ? 'part' : 'all')}
        data={[
          { value: 'all', label: t('all') },
          { value: 'part', label: t('part') },
        ]}
      />
      {form.values.much === 'part' ? (
        <AmountInput
          label={t('amount')}
          currency={request.currency}
          {...form.getInputProps('amount')}
        />
      ) : form.errors['amount'] === undefined ? null : (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {form.errors['amount']}
        </Text>
      )}
      <ReasonField form={form} label={t('reason')} description={t('reasonHint')} data-autofocus />
    </FormBody>
  );
}

function Charged({ request }: { readonly request: LoggedRequest }) {
  const t = useTexts(orderTexts);
  return (
    <Stack gap={4}>
      <Text size="sm">
        {t('request')}: <Copyable value={request.id} />
      </Text>
      <Group gap="xl">
        <Text size="sm">
          {t('charged')}: <Money exact amount={request.cost} currency={request.currency} />
        </Text>
        <Text size="sm">
          {t('refunded')}: <Money exact amount={request.refunded} currency={request.currency} />
        </Text>
      </Group>
    </Stack>
  );
}
