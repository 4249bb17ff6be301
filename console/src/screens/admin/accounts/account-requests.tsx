/** The tab with an account's requests, newest first, with their cost and a refund button. */
import { Button, Card } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Empty } from '#components/empty.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { PagedTable } from '#components/tables/paged-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { parseAmount } from '#money/amount.ts';
import { AlignedMoney } from '#money/money.tsx';
import { useRequestColumns } from '#requests/request-columns.tsx';
import { accountRequestsQuery, type LoggedRequest } from './account-queries.ts';
import { RefundDialog } from './refund-dialog.tsx';

const texts = defineTexts('admin-account-requests', {
  en: {
    table: 'Requests',
    route: 'Route',
    refund: 'Refund',
    refunded: 'Refunded',
    actions: 'Actions',
    empty: 'No requests yet',
  },
  zh: {
    table: '请求',
    route: '路由',
    refund: '退款',
    refunded: '已退款',
    actions: '操作',
    empty: '还没有请求',
  },
});

export function AccountRequests({ accountId }: { readonly accountId: string }) {
  const t = useTexts(texts);
  const pages = useInfiniteQuery(accountRequestsQuery(accountId));
  const [refunding, setRefunding] = useState<LoggedRequest | null>(null);
  return (
    <Card>
      <PagedTable
        label={t('table')}
        name="admin-requests"
        pages={pages}
        columns={useColumns(setRefunding)}
        keyOf={({ id }) => id}
        empty={<Empty icon={IconListDetails} title={t('empty')} />}
      />
      <RefundDialog request={refunding} onClose={() => setRefunding(null)} />
    </Card>
  );
}

function useColumns(refund: (request: LoggedRequest) => void): readonly Column<LoggedRequest>[] {
  const t = useTexts(texts);
  const { time, model, state, cost, tokens, ...more } = useRequestColumns('nothing');
  const { duration, channel, code, id, notes } = more;
  const route = ({ upstream, upstream_model: there }: LoggedRequest) => `${upstream}/${there}`;
  return [
    ...[time, model, state, cost],
    {
      name: 'refunded',
      heading: t('refunded'),
      end: true,
      cell: ({ refunded, currency }) =>
        isNothing(refunded) ? '–' : <AlignedMoney amount={refunded} currency={currency} />,
      value: ({ refunded }) => refunded,
    },
    {
      name: 'route',
      heading: t('route'),
      cell: (request) => <span style={{ whiteSpace: 'nowrap' }}>{route(request)}</span>,
      value: route,
    },
    tokens,
    ...[code, id, duration, channel].map((column) => ({ ...column, show: 'chosen' as const })),
    notes,
    {
      name: 'actions',
      heading: t('actions'),
      end: true,
      phone: 'action',
      cell: (request) =>
        parseAmount(request.refunded) >= parseAmount(request.cost) ? null : (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`${t('refund')} ${request.id}`}
            onClick={() => refund(request)}
          >
            {t('refund')}
          </Button>
        ),
    },
  ];
}

const isNothing = (amount: string): boolean => parseAmount(amount) === 0n;
