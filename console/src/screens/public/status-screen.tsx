/**
 * The status page: the health of every model on every channel now, over the last minutes, and by
 * hour over the last day.
 */

import { Alert, Anchor, Card, Group, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { usePerson } from '#api/session.ts';
import { STATE_COLORS, StateBadge } from '#catalogue/channel-state.tsx';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Moment } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { isClosed } from './models/catalogue-gate.tsx';
import { FirstByte, Success } from './models/channel-prices.tsx';
import classes from './models/models.module.css';
import { hoursOf, knownHours } from './status/hours.ts';
import {
  type ChannelStatus,
  type ModelStatus,
  type State,
  statusQuery,
} from './status/status-query.ts';

const texts = defineTexts('status', {
  en: {
    healthy: 'All systems operational',
    degraded: 'Some channels are degraded',
    down: 'All models are unavailable',
    healthyHint: 'No channel is failing.',
    degradedHint:
      'Requests use the healthy routes of their channel first, then those of the default channel.',
    downHint: 'Requests are refused. Failed routes are retried within a minute.',
    json: 'View as JSON',
    at: 'Updated',
    lastDay: 'Last 24 hours',
    hour: '{{from}}: {{ratio}} of requests succeeded',
    hourUnknown: '{{from}}: too few requests',
    average_one:
      '{{ratio}} success rate over {{count}} hour (hours with few requests are not counted)',
    average_other:
      '{{ratio}} success rate over {{count}} hours (hours with few requests are not counted)',
    nothing: 'Too few requests in the last 24 hours',
    closed: 'The status page is not public. Sign in to view it.',
  },
  zh: {
    healthy: '一切正常',
    degraded: '部分渠道异常',
    down: '所有模型均不可用',
    healthyHint: '目前没有渠道出现故障。',
    degradedHint: '请求优先使用所选渠道的正常路由，其次使用默认渠道的正常路由。',
    downHint: '请求暂时会被拒绝，故障路由将在一分钟内重试。',
    json: '查看 JSON',
    at: '更新于',
    lastDay: '最近 24 小时',
    hour: '{{from}}：{{ratio}} 的请求成功',
    hourUnknown: '{{from}}：请求太少',
    average_one: '{{count}} 个小时的成功率为 {{ratio}}（不计请求过少的时段）',
    average_other: '{{count}} 个小时的成功率为 {{ratio}}（不计请求过少的时段）',
    nothing: '最近 24 小时的请求太少',
    closed: '状态页未公开，请登录后查看。',
  },
});

const ICONS = { healthy: IconCircleCheck, degraded: IconAlertTriangle, down: IconCircleX } as const;

export function StatusScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(texts);
  const { data, error, refetch } = useQuery(statusQuery(usePerson() !== null));
  const json = (
    <Anchor href="/status.json" target="_blank" rel="noreferrer" size="sm">
      {t('json')}
    </Anchor>
  );
  return (
    <Page title={title('status')} actions={json}>
      {error === null ? null : isClosed(error) ? (
        <Alert>{t('closed')}</Alert>
      ) : (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null ? <Placeholder /> : null}
      {data === undefined ? null : (
        <>
          <Overall state={data.status} at={data.at} />
          <States models={data.models} from={data.hours_from} />
        </>
      )}
    </Page>
  );
}

function Overall({ state, at }: { readonly state: State; readonly at: string }) {
  const t = useTexts(texts);
  const Icon = ICONS[state];
  return (
    <Alert
      color={STATE_COLORS[state]}
      variant="light"
      icon={<Icon aria-hidden />}
      title={t(state)}
      role="status"
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t(`${state}Hint`)}</Text>
        <Text size="sm" aria-hidden>
          {t('at')} <Moment at={at} />
        </Text>
      </Group>
    </Alert>
  );
}

/** A row of the table: a channel of a model. The first row of a model shows the model's name. */
type Line = ChannelStatus & { readonly model: ModelStatus; readonly isFirst: boolean };

function States({
  models,
  from,
}: {
  readonly models: readonly ModelStatus[];
  readonly from: string;
}) {
  const title = useTexts(navigationTexts);
  const columns = useColumns(from);
  const lines = models.flatMap((model) =>
    model.channels.map((channel, at): Line => ({ ...channel, model, isFirst: at === 0 })),
  );
  return (
    <Card padding="xs">
      <DataTable
        label={title('status')}
        columns={columns}
        rows={lines}
        keyOf={({ model, channel }) => `${model.id} ${channel}`}
        minWidth={860}
      />
    </Card>
  );
}

function useColumns(from: string): readonly Column<Line>[] {
  const t = useTexts(texts);
  const words = useTexts(modelTexts);
  const title = useTexts(navigationTexts);
  const nameOf = useChannelName();
  return [
    {
      name: 'model',
      heading: title('models'),
      cell: ({ model, isFirst }) => (isFirst ? <ModelName model={model} /> : null),
    },
    { name: 'channel', heading: words('channel'), cell: ({ channel }) => nameOf(channel) },
    { name: 'state', heading: words('state'), cell: ({ status }) => <StateBadge state={status} /> },
    {
      name: 'success',
      heading: words('success'),
      end: true,
      cell: (channel) => <Success health={channel} />,
    },
    {
      name: 'first-byte',
      heading: `${words('firstByte')} p50 / p95`,
      end: true,
      cell: (channel) => <FirstByte health={channel} />,
    },
    {
      name: 'hours',
      heading: t('lastDay'),
      cell: ({ hours }) => <Hours ratios={hours} from={from} />,
    },
  ];
}

function ModelName({ model: { id, name } }: { readonly model: ModelStatus }) {
  return (
    <TextLink c="inherit" fw={600} inherit to="/models/$id" params={{ id }}>
      {name}
    </TextLink>
  );
}

type HoursProps = { readonly ratios: readonly (number | null)[]; readonly from: string };

function Hours({ ratios, from }: HoursProps) {
  const t = useTexts(texts);
  const { time, percent } = useFormats();
  const { known, average } = knownHours(ratios);
  const summary =
    average === null ? t('nothing') : t('average', { ratio: percent(average), count: known });
  return (
    <div className={classes['hours']} role="img" aria-label={summary}>
      {hoursOf(ratios, from).map((hour) => (
        <Tooltip
          key={hour.from}
          label={
            hour.ratio === null
              ? t('hourUnknown', { from: time(hour.from) })
              : t('hour', { from: time(hour.from), ratio: percent(hour.ratio) })
          }
        >
          <span className={classes['hour']} data-state={hour.state} />
        </Tooltip>
      ))}
    </div>
  );
}

function Placeholder() {
  return (
    <Stack aria-busy>
      <Skeleton height={76} />
      <Skeleton height={640} />
    </Stack>
  );
}
