/** The tab with an account's requests, newest first, with their cost and a refund button. */
import { Button, Card, Stack, Text } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tokensOf } from '#catalogue/usage-buckets.ts';
import { Copyable } from '#components/copyable.tsx';
import { Empty } from '#components/empty.tsx';
import { Moment } from '#components/moment.tsx';
import { OutcomeBadge } from '#components/outcome-badge.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { PagedTable } from '#components/tables/paged-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { parseAmount } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { shortId } from '#screens/admin/admin-link.tsx';
import { accountRequestsQuery, type LoggedRequest } from './account-queries.ts';
import { RefundDialog } from './refund-dialog.tsx';

const texts = defineTexts('admin-account-requests', {
  en: {
    table: 'Requests',
    when: 'Time',
    model: 'Model',
    route: 'Route',
    outcome: 'Outcome',
    tokens: 'Tokens in / out',
    cost: 'Cost',
    refund: 'Refund',
    actions: 'Actions',
    empty: 'No requests yet',
    back: 'Refunded:',
  },
  zh: {
    table: '请求',
    when: '时间',
    model: '模型',
    route: '路由',
    outcome: '结果',
    tokens: '输入 / 输出 token',
    cost: '费用',
    refund: '退款',
    actions: '操作',
    empty: '还没有请求',
    back: '已退款：',
  },
});

export function AccountRequests({ accountId }: { readonly accountId: string }) {
  const t = useTexts(texts);
  const pages = useInfiniteQuery(accountRequestsQuery(accountId));
  const [refunding, setRefunding] = useState<LoggedRequest | null>(null);
  const columns = useColumns(setRefunding);
  return (
    <Card>
      <PagedTable
        label={t('table')}
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        minWidth={940}
        empty={<Empty icon={IconListDetails} title={t('empty')} />}
      />
      <RefundDialog request={refunding} onClose={() => setRefunding(null)} />
    </Card>
  );
}

function useColumns(refund: (request: LoggedRequest) => void): readonly Column<LoggedRequest>[] {
  const t = useTexts(texts);
  const { count } = useFormats();
  return [
    {
      name: 'at',
      heading: t('when'),
      cell: ({ id, at }) => (
        <Stack gap={0}>
          <Moment at={at} />
          <Copyable value={id} shown={shortId(id)} />
        </Stack>
      ),
    },
    {
      name: 'model',
      heading: t('model'),
      cell: ({ model, channel }) => (
        <Stack gap={0}>
          <Text size="sm">{model}</Text>
          <Text size="xs" c="dimmed">
            {channel}
          </Text>
        </Stack>
      ),
    },
    {
      name: 'route',
      heading: t('route'),
      cell: ({ upstream, upstream_model: there }) => (
        <Text size="sm" ff="monospace">
          {upstream}/{there}
        </Text>
      ),
    },
    {
      name: 'outcome',
      heading: t('outcome'),
      cell: ({ outcome, error_code: code }) => (
        <Stack gap={2} align="flex-start">
          <OutcomeBadge outcome={outcome} code={code} />
          {code === null ? null : (
            <Text size="xs" c="dimmed" ff="monospace">
              {code}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      name: 'tokens',
      heading: t('tokens'),
      end: true,
      cell: (request) => `${count(tokensIn(request))} / ${count(request.output_tokens)}`,
    },
    { name: 'cost', heading: t('cost'), end: true, cell: (request) => <Cost request={request} /> },
    {
      name: 'actions',
      heading: t('actions'),
      end: true,
      cell: (request) =>
        parseAmount(request.refunded) >= parseAmount(request.cost) ? null : (
          <Button
            size="xs"
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

const tokensIn = (request: LoggedRequest): number =>
  tokensOf(request, 'input', 'cache_read', 'cache_write');

function Cost({ request }: { readonly request: LoggedRequest }) {
  const t = useTexts(texts);
  const { currency, refunded } = request;
  return (
    <Stack gap={0}>
      <Money amount={request.cost} currency={currency} />
      {parseAmount(refunded) === 0n ? null : (
        <Text size="xs" c="dimmed" component="span">
          {t('back')} <Money amount={refunded} currency={currency} />
        </Text>
      )}
    </Stack>
  );
}
