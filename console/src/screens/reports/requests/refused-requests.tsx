/** Requests that ended with an error before anything was charged, in a list and one by one. */
import { Alert, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Moment } from '#components/moment.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { Status } from '#components/status.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useKeyNames } from '#keys/key-names.ts';
import { type RequestState, stateTexts, TONES } from '#requests/outcome.ts';
import { RequestTime, requestColumnTexts } from '#requests/request-columns.tsx';

const texts = defineTexts('refused-requests', {
  en: {
    title: 'Not charged',
    message: 'Message',
    free: 'Nothing was charged for this request.',
    notFound: 'No request with this ID',
    notFoundHint:
      'Check the ID. Requests that were refused are kept only in memory: the newest 200 of the account, until the gateway restarts.',
  },
  zh: {
    title: '未扣费的请求',
    message: '说明',
    free: '此请求没有扣费。',
    notFound: '找不到此 ID 的请求',
    notFoundHint: '请检查 ID。被拒绝的请求只保存在内存中：每个账户最近 200 个，网关重启后清空。',
  },
});

type Refusal = components['schemas']['Refusal'];

/** @param id an id or its beginning; undefined for all. */
const refusalsQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['refusals', id],
    queryFn: async ({ signal }) => {
      const query = given({ id });
      return (await answerOf(api.GET('/console/api/refusals', { params: { query }, signal }))).data;
    },
  });

function stateOf({ status, code }: Refusal): RequestState {
  if (status < 500) return 'refused';
  if (code === 'upstream_timeout') return 'timed_out';
  if (code === 'shutting_down') return 'gateway_restarted';
  return code.startsWith('upstream') ? 'provider_error' : 'gateway_error';
}

function RefusalStatus({ refusal }: { readonly refusal: Refusal }) {
  const t = useTexts(stateTexts);
  const state = stateOf(refusal);
  return (
    <Status tone={TONES[state]} title={refusal.message}>
      {t(state)}
    </Status>
  );
}

/** The refused requests whose id begins with `id`, in a card, which is left out without any. */
export function RefusedRequests({ id }: { readonly id: string | undefined }) {
  const t = useTexts(texts);
  const heading = useTexts(requestColumnTexts);
  const keys = useKeyNames();
  const { data = [] } = useQuery(refusalsQuery(id));
  const columns: readonly Column<Refusal>[] = [
    {
      name: 'time',
      heading: heading('time'),
      phone: 'title',
      cell: ({ id, at }) => <RequestTime id={id} at={at} opens="here" />,
      value: ({ at }) => at,
    },
    { name: 'model', heading: heading('model'), cell: ({ model }) => model ?? '–' },
    {
      name: 'state',
      heading: heading('state'),
      phone: 'state',
      cell: (refusal) => <RefusalStatus refusal={refusal} />,
    },
    {
      name: 'code',
      heading: heading('code'),
      cell: ({ code, status }) => `${status} ${code}`,
      value: ({ code, status }) => `${status} ${code}`,
    },
    {
      name: 'key',
      heading: heading('key'),
      show: 'wide',
      cell: ({ key_id: key }) => keys.get(key) ?? key,
      value: ({ key_id: key }) => keys.get(key) ?? key,
    },
    {
      name: 'message',
      heading: t('message'),
      show: 'wide',
      phone: 'hidden',
      cell: ({ message }) => (
        <Text span inherit lineClamp={1} title={message}>
          {message}
        </Text>
      ),
    },
  ];
  if (data.length === 0) return null;
  return (
    <SectionCard title={t('title')}>
      <DataTable label={t('title')} columns={columns} rows={data} keyOf={(refusal) => refusal.id} />
    </SectionCard>
  );
}

/** What happened to a request that has no receipt. */
export function RefusedRequest({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const keys = useKeyNames();
  const { data } = useQuery(refusalsQuery(id));
  const refusal = data?.find((each) => each.id === id);
  if (data === undefined) return null;
  if (refusal === undefined) {
    return (
      <Alert color="gray" title={t('notFound')}>
        {t('notFoundHint')}
      </Alert>
    );
  }
  return (
    <Stack gap="sm">
      <Copyable value={id} />
      <RefusalStatus refusal={refusal} />
      <Alert color="yellow" title={`${refusal.status} ${refusal.code}`}>
        {refusal.message}
      </Alert>
      <Text size="sm">{t('free')}</Text>
      <Text size="sm" c="dimmed">
        <Moment at={refusal.at} /> · {refusal.model ?? refusal.endpoint} ·{' '}
        <TextLink inherit underline="always" to="/keys/$id" params={{ id: refusal.key_id }}>
          {keys.get(refusal.key_id) ?? refusal.key_id}
        </TextLink>
      </Text>
    </Stack>
  );
}
