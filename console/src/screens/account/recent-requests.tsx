/** The recent requests of a key, linked to their details. */

import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { OutcomeBadge } from '#components/outcome-badge.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { useRequestColumns } from './request-columns.tsx';

type RequestRecord = components['schemas']['RequestRecord'];

const texts = defineTexts('recent-requests', {
  en: {
    title: 'Recent requests',
    all: 'View all',
    outcome: 'Outcome',
    cost: 'Cost',
    none: 'No requests with this key yet',
  },
  zh: {
    title: '最近请求',
    all: '查看全部',
    outcome: '结果',
    cost: '费用',
    none: '还没有使用此密钥的请求',
  },
});

const SHOWN = 8;

export function RecentRequests({ keyId }: { readonly keyId: string }) {
  const t = useTexts(texts);
  const columns = useColumns();
  const { data, error, refetch } = useQuery({
    queryKey: ['requests', 'recent', keyId],
    queryFn: ({ signal }) => {
      const query = { key_id: keyId, limit: SHOWN };
      return answerOf(api.GET('/console/api/requests', { params: { query }, signal }));
    },
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('title')}
        </Title>
        <TextLink size="sm" to="/requests" search={{ key_id: keyId }}>
          {t('all')}
        </TextLink>
      </Group>
      {error === null ? (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={data?.data}
          keyOf={({ id }) => id}
          minWidth={420}
          empty={<Text c="dimmed">{t('none')}</Text>}
        />
      ) : (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      )}
    </Stack>
  );
}

function useColumns(): readonly Column<RequestRecord>[] {
  const t = useTexts(texts);
  const begin = useRequestColumns();
  return [
    ...begin,
    {
      name: 'outcome',
      heading: t('outcome'),
      cell: ({ outcome, error_code: code }) => <OutcomeBadge outcome={outcome} code={code} />,
    },
    {
      name: 'cost',
      heading: t('cost'),
      end: true,
      cell: ({ cost, currency }) => <Money amount={cost} currency={currency} />,
    },
  ];
}
