/** The details of a request of any account: its cost, and each attempt with its upstream. */
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { components } from '#api/schema.gen.ts';
import { CostLines } from '#bill/cost-lines.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Sheet } from '#components/dialog.tsx';
import { textColumn } from '#components/tables/columns.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { adminRequestQuery, ProviderErrors } from '#requests/provider-errors.tsx';
import { RequestStatus } from '#requests/request-status.tsx';

const texts = defineTexts('admin-account-request', {
  en: {
    title: 'Request',
    attempts: 'Attempts',
    route: 'Route',
    channel: 'Channel',
    result: 'Result',
    took: 'Duration',
  },
  zh: {
    title: '请求',
    attempts: '各次尝试',
    route: '路由',
    channel: '渠道',
    result: '结果',
    took: '耗时',
  },
});

type Attempt = components['schemas']['Attempt'];

type RequestSheetProps = {
  /** The shown request; null while the sheet is closed. */
  readonly id: string | null;
  readonly onClose: () => void;
};

export function AccountRequestSheet({ id, onClose }: RequestSheetProps) {
  const t = useTexts(texts);
  return (
    <Sheet opened={id !== null} onClose={onClose} title={t('title')} size="xl">
      {id === null ? null : <Details id={id} />}
    </Sheet>
  );
}

function Details({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const { duration } = useFormats();
  const { data: request, error, refetch } = useQuery(adminRequestQuery(id));
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (request === undefined) return <Skeleton height={260} />;
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Copyable value={id} />
        <RequestStatus outcome={request.outcome} code={request.error_code} />
        {request.error_code === null ? null : <Text size="sm">{request.error_code}</Text>}
      </Stack>
      <DataTable
        label={t('attempts')}
        rows={request.attempts}
        keyOf={({ start_ms: start, upstream }) => `${start} ${upstream}`}
        canSort={false}
        columns={[
          textColumn<Attempt>('route', t('route'), ({ upstream, model }) => `${upstream}/${model}`),
          textColumn<Attempt>('channel', t('channel'), ({ channel }) => channel),
          textColumn<Attempt>('result', t('result'), ({ result }) => result),
          textColumn<Attempt>('took', t('took'), ({ duration_ms: ms }) => duration(ms)),
        ]}
      />
      <ProviderErrors errors={request.provider_errors} />
      <CostLines cost={request.cost_details} held={null} model={request.model} />
    </Stack>
  );
}
