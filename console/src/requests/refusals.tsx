/**
 * Requests that ended with an error before anything was charged: their list, and the details of
 * one.
 */
import { Alert, Stack, Text } from '@mantine/core';
import { IconShieldOff } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Copyable, shortId } from '#components/copyable.tsx';
import { Moment } from '#components/moment.tsx';
import { Status } from '#components/status.tsx';
import type { Column } from '#components/tables/column.ts';
import { textColumn } from '#components/tables/columns.tsx';
import { FilterChoice } from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useKeyNames } from '#keys/key-names.ts';
import { type RequestState, stateTexts, TONES } from './outcome.ts';
import { ProviderErrors } from './provider-errors.tsx';
import {
  type Refusal,
  type RefusalFilter,
  type RefusalScope,
  refusalCountsQuery,
  refusalQuery,
  refusalsHref,
  refusalsQuery,
} from './refusal-query.ts';
import { requestColumnTexts } from './request-columns.tsx';

const texts = defineTexts('refused-requests', {
  en: {
    title: 'Refused requests',
    message: 'Message',
    reason: 'Reason',
    any: 'Any',
    counted_one: '{{shown}} refused request (UTC days)',
    counted_other: '{{shown}} refused requests (UTC days)',
    sampled: 'If very many requests are refused, only a sample is listed.',
    none: 'No refused requests',
    noneHint: 'Requests that fail before anything is charged are listed here.',
    free: 'Nothing was charged for this request.',
    notFound: 'No request with this ID',
    notFoundHint:
      'Check the ID. Refused requests are deleted after some time. If very many are refused, only a sample is kept.',
  },
  zh: {
    title: '被拒绝的请求',
    message: '说明',
    reason: '原因',
    any: '全部',
    counted_one: '共拒绝 {{shown}} 次请求（按 UTC 日期统计）',
    counted_other: '共拒绝 {{shown}} 次请求（按 UTC 日期统计）',
    sampled: '拒绝次数过多时，仅列出部分请求。',
    none: '没有被拒绝的请求',
    noneHint: '在扣费之前就出错的请求会显示在这里。',
    free: '此请求没有扣费。',
    notFound: '找不到此 ID 的请求',
    notFoundHint: '请检查 ID。被拒绝的请求会在一段时间后删除；拒绝次数过多时，仅保留部分请求。',
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

export type RefusalListProps = {
  readonly scope: RefusalScope;
  readonly filter: RefusalFilter;
  /** Shows the time of a request, as a link to its details. */
  readonly time: (refusal: Refusal) => ReactNode;
  /** Further columns, after the status. */
  readonly more?: readonly Column<Refusal>[];
};

/** The list of refused requests, in a card. */
export function RefusalList({ scope, filter, time, more = [] }: RefusalListProps) {
  const t = useTexts(texts);
  const heading = useTexts(requestColumnTexts);
  const { count } = useFormats();
  const keys = useKeyNames();
  const { data: counts = [] } = useQuery(refusalCountsQuery(scope, filter));
  const counted = counts.reduce((sum, [, requests]) => sum + requests, 0);
  const columns: readonly Column<Refusal>[] = [
    { name: 'time', heading: heading('time'), phone: 'title', cell: time, value: ({ at }) => at },
    textColumn('model', heading('model'), ({ model }) => model ?? '–'),
    {
      name: 'state',
      heading: heading('state'),
      phone: 'state',
      cell: (refusal) => <RefusalStatus refusal={refusal} />,
      value: ({ status }) => status,
    },
    ...more,
    textColumn('code', t('reason'), ({ code, status }) => `${status} ${code}`),
    textColumn('key', heading('key'), ({ key_id: key }) => keys.get(key) ?? shortId(key), {
      show: 'wide',
    }),
    {
      name: 'message',
      heading: t('message'),
      show: 'wide',
      phone: 'hidden',
      cell: ({ message }) => (
        <Text inherit truncate maw={360} title={message}>
          {message}
        </Text>
      ),
      value: ({ message }) => message,
    },
    {
      name: 'id',
      heading: heading('id'),
      show: 'chosen',
      phone: 'hidden',
      cell: ({ id }) => <Copyable value={id} shown={shortId(id)} />,
      value: ({ id }) => id,
    },
  ];
  return (
    <ListCard
      label={t('title')}
      name={`refusals-${scope}`}
      columns={columns}
      pages={useInfiniteQuery(refusalsQuery(scope, filter))}
      keyOf={({ id }) => id}
      expected={12}
      download={{ href: refusalsHref(scope, filter) }}
      hasViews
      summary={
        <Text variant="note" title={t('sampled')}>
          {t('counted', { count: counted, shown: count(counted) })}
        </Text>
      }
      empty={{ icon: IconShieldOff, title: t('none'), hint: t('noneHint') }}
    />
  );
}

type ReasonChoiceProps = Pick<RefusalListProps, 'scope' | 'filter'> & {
  readonly value: string;
  readonly onCommit: (code: string) => void;
};

/** A filter by the error codes that occurred, most frequent first. */
export function ReasonChoice({ scope, filter, value, onCommit }: ReasonChoiceProps) {
  const t = useTexts(texts);
  const { data: counts = [] } = useQuery(refusalCountsQuery(scope, filter));
  const codes = new Set([...(value === '' ? [] : [value]), ...counts.map(([code]) => code)]);
  return (
    <FilterChoice
      label={t('reason')}
      any={t('any')}
      choices={[...codes].map((code) => ({ value: code, label: code }))}
      {...{ value, onCommit }}
    />
  );
}

type RefusedRequestProps = {
  readonly scope: RefusalScope;
  readonly id: string;
  /** Content below the details of the request. */
  readonly children?: (refusal: Refusal) => ReactNode;
};

/** Shows what happened to a request that has no receipt. */
export function RefusedRequest({ scope, id, children }: RefusedRequestProps) {
  const t = useTexts(texts);
  const { data: refusal, error, refetch } = useQuery(refusalQuery(scope, id));
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (refusal === undefined) return null;
  if (refusal === null) {
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
      <Facts refusal={refusal} scope={scope} />
      <ProviderErrors errors={refusal.provider_errors ?? []} />
      {children?.(refusal)}
    </Stack>
  );
}

function Facts({ refusal, scope }: { readonly refusal: Refusal; readonly scope: RefusalScope }) {
  const keys = useKeyNames();
  const { key_id: key } = refusal;
  return (
    <Text variant="note" component="div">
      <Moment at={refusal.at} /> · {refusal.model ?? refusal.endpoint} ·{' '}
      {scope === 'all' ? (
        <Copyable value={key} shown={shortId(key)} />
      ) : (
        <TextLink inherit underline="always" to="/keys/$id" params={{ id: key }}>
          {keys.get(key) ?? key}
        </TextLink>
      )}
    </Text>
  );
}
