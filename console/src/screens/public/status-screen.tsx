/**
 * The status page. It shows the health of every model on every channel: now, by hour over the last
 * day, and by day over the last 90 days. It also shows incidents.
 */
import { Anchor, Card, Group, Stack, Text } from '@mantine/core';
import { IconRss } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { usePerson } from '#api/session.ts';
import { ChannelState, HEALTH_TONES, type State } from '#catalogue/channel-state.tsx';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Notice } from '#catalogue/notice-facts.tsx';
import {
  type ChannelStatus,
  historyQuery,
  type Incident,
  type ModelStatus,
  type StatusAnswer,
  statusQuery,
} from '#catalogue/status-query.ts';
import { UptimeBars } from '#catalogue/uptime-bars.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Moment } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { CardSkeleton, SectionCard } from '#components/section-card.tsx';
import { Status } from '#components/status.tsx';
import { textColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { Closed, isClosed } from './models/catalogue-gate.tsx';
import { FirstByte, Uptime } from './models/channel-figures.tsx';
import classes from './models/models.module.css';
import { OpenNotices, PastNotices } from './status/notices.tsx';

const texts = defineTexts('status', {
  en: {
    healthy: 'All systems operational',
    degraded: 'Some channels are degraded',
    down: 'All models are unavailable',
    unknown: 'No data yet',
    healthyHint: 'No channel is failing.',
    degradedHint:
      'Requests use the healthy routes of their channel first, then those of the default channel.',
    downHint: 'Requests will probably fail. Failed routes are retried within a minute.',
    noticed: 'Incident in progress',
    noticedHint: 'Details are below.',
    manage: 'Manage incidents',
    unknownHint: 'Too few requests in the last 24 hours to judge the health of any channel.',
    json: 'View as JSON',
    at: 'Updated',
    channels: 'Channels',
    utcDays: 'Last 90 days (UTC)',
    incidents: 'Incidents',
    noIncidents: 'No incidents in the last 90 days',
    subscribe: 'Subscribe',
    time: 'Time',
    ongoing: 'Ongoing',
    resolved: 'Resolved',
    failed: 'Failure rate',
  },
  zh: {
    healthy: '一切正常',
    degraded: '部分渠道异常',
    down: '所有模型均不可用',
    unknown: '暂无数据',
    healthyHint: '目前没有渠道出现故障。',
    degradedHint: '请求优先使用所选渠道的正常路由，其次使用默认渠道的正常路由。',
    downHint: '请求很可能会失败，故障路由将在一分钟内重试。',
    noticed: '故障处理中',
    noticedHint: '详情见下方。',
    manage: '管理故障公告',
    unknownHint: '最近 24 小时的请求太少，无法判断任何渠道的状态。',
    json: '查看 JSON',
    at: '更新于',
    channels: '渠道',
    utcDays: '最近 90 天（UTC）',
    incidents: '故障记录',
    noIncidents: '最近 90 天没有故障',
    subscribe: '订阅',
    time: '时间',
    ongoing: '进行中',
    resolved: '已恢复',
    failed: '失败率',
  },
});

export function StatusScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(texts);
  const person = usePerson();
  const isSignedIn = person !== null;
  const { data, error, refetch } = useQuery(statusQuery(isSignedIn));
  const history = useQuery(historyQuery(isSignedIn));
  const links = (
    <Group gap="md">
      {person?.role === 'administrator' ? (
        <TextLink to="/admin/routes" search={{ tab: 'notices' }} size="sm">
          {t('manage')}
        </TextLink>
      ) : null}
      <Anchor href="/status.json" target="_blank" rel="noreferrer" size="sm">
        {t('json')}
      </Anchor>
    </Group>
  );
  if (error !== null && isClosed(error)) {
    return (
      <Page title={title('status')}>
        <Closed />
      </Page>
    );
  }
  return (
    <Page title={title('status')} actions={links}>
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Placeholder /> : null}
      {data === undefined ? null : (
        <>
          <Overall state={data.status} isNoticed={isNoticed(data)} at={data.at} />
          <OpenNotices notices={data.notices} />
          <SectionCard
            title={t('channels')}
            size="h5"
            query={{ error: history.error, refetch: history.refetch }}
          >
            <States
              models={data.models}
              hoursFrom={data.hours_from}
              daysFrom={history.data?.days_from ?? data.at}
              daysOf={(id, name) =>
                history.data?.models
                  .find((model) => model.id === id)
                  ?.channels.find(({ channel }) => channel === name)?.days ?? []
              }
            />
          </SectionCard>
          {history.data === undefined ? null : <Incidents of={history.data} />}
        </>
      )}
    </Page>
  );
}

/**
 * Whether the status is degraded only because of an operator's notice: no channel is degraded or
 * down.
 */
const isNoticed = ({ status, models }: StatusAnswer): boolean =>
  status === 'degraded' &&
  models.every(({ channels }) =>
    channels.every((channel) => channel.status === 'healthy' || channel.status === 'unknown'),
  );

type OverallProps = {
  readonly state: State;
  readonly isNoticed: boolean;
  readonly at: string;
};

function Overall({ state, isNoticed: noticed, at }: OverallProps) {
  const t = useTexts(texts);
  const word = noticed ? 'noticed' : state;
  return (
    <Card role="status">
      <Group justify="space-between" gap="xs">
        <Stack gap={4}>
          <Text component="div" size="lg" fw={600}>
            <Status tone={HEALTH_TONES[state]}>{t(word)}</Status>
          </Text>
          <Text variant="note">{t(`${word}Hint`)}</Text>
        </Stack>
        <Text variant="note" aria-hidden>
          {t('at')} <Moment at={at} />
        </Text>
      </Group>
    </Card>
  );
}

/** A row of the table: a channel of a model. */
type Line = ChannelStatus & { readonly model: ModelStatus };

type StatesProps = {
  readonly models: readonly ModelStatus[];
  readonly hoursFrom: string;
  readonly daysFrom: string;
  readonly daysOf: (model: string, channel: string) => readonly (number | null)[];
};

function States(props: StatesProps) {
  const t = useTexts(texts);
  const columns = useColumns(props);
  const lines = props.models.flatMap((model) =>
    model.channels.map((channel): Line => ({ ...channel, model })),
  );
  return (
    <DataTable
      label={t('channels')}
      columns={columns}
      rows={lines}
      keyOf={({ model, channel }) => `${model.id} ${channel}`}
      minWidth={940}
    />
  );
}

function useColumns({ hoursFrom, daysFrom, daysOf }: StatesProps): readonly Column<Line>[] {
  const t = useTexts(texts);
  const words = useTexts(modelTexts);
  const title = useTexts(navigationTexts);
  const nameOf = useChannelName();
  return [
    {
      name: 'model',
      heading: title('models'),
      cell: ({ model }) => (
        <TextLink to="/models/$id" params={{ id: model.id }} c="inherit" inherit>
          {model.name}
        </TextLink>
      ),
      value: ({ model }) => model.name,
    },
    textColumn('channel', words('channel'), ({ channel }) => nameOf(channel), { phone: 'amount' }),
    {
      name: 'state',
      heading: words('state'),
      cell: ({ status }) => <ChannelState state={status} />,
      value: ({ status }) => status,
      phone: 'state',
    },
    {
      name: 'days',
      heading: t('utcDays'),
      cell: ({ model, channel }) => (
        <div className={classes['days']}>
          <UptimeBars ratios={daysOf(model.id, channel)} from={daysFrom} unit="day" />
        </div>
      ),
    },
    {
      name: 'uptime',
      heading: words('uptime'),
      end: true,
      cell: ({ uptime_90d: ratio }) => <Uptime ratio={ratio} />,
      value: ({ uptime_90d: ratio }) => ratio,
    },
    {
      name: 'hours',
      heading: words('lastDay'),
      cell: ({ hours }) => <UptimeBars ratios={hours} from={hoursFrom} unit="hour" />,
      phone: 'hidden',
    },
    {
      name: 'success',
      heading: words('success'),
      unit: '24 h',
      end: true,
      cell: ({ success_rate: ratio }) => <Uptime ratio={ratio} />,
      value: ({ success_rate: ratio }) => ratio,
    },
    {
      name: 'first-byte',
      heading: words('firstByte'),
      unit: 'p50 / p95',
      end: true,
      cell: (channel) => <FirstByte health={channel} />,
      value: ({ first_byte_ms: times }) => times?.p50 ?? null,
    },
  ];
}

type Recorded = { readonly incidents: readonly Incident[]; readonly notices: readonly Notice[] };

/** Past incidents, reported by the operator or measured by the gateway. */
function Incidents({ of: { incidents, notices } }: { readonly of: Recorded }) {
  const t = useTexts(texts);
  const past = notices.filter(({ state }) => ['resolved', 'completed', 'canceled'].includes(state));
  return (
    <SectionCard
      title={t('incidents')}
      size="h5"
      aside={
        <Anchor href="/status/incidents.atom" size="sm" target="_blank" rel="noreferrer">
          <Group component="span" gap={4}>
            <IconRss size={14} aria-hidden />
            {t('subscribe')}
          </Group>
        </Anchor>
      }
    >
      {past.length === 0 ? null : <PastNotices notices={past} />}
      {incidents.length + past.length === 0 ? <Text variant="note">{t('noIncidents')}</Text> : null}
      {incidents.length === 0 ? null : <IncidentTable incidents={incidents} />}
    </SectionCard>
  );
}

function IncidentTable({ incidents }: { readonly incidents: readonly Incident[] }) {
  const t = useTexts(texts);
  const words = useTexts(modelTexts);
  const title = useTexts(navigationTexts);
  const nameOf = useChannelName();
  const { percent } = useFormats();
  const columns: readonly Column<Incident>[] = [
    textColumn('model', title('models'), ({ name }) => name),
    { name: 'channel', heading: words('channel'), cell: ({ channel }) => nameOf(channel) },
    {
      name: 'state',
      heading: words('state'),
      cell: ({ ongoing }) => (
        <Status tone={ongoing ? 'bad' : 'quiet'}>{t(ongoing ? 'ongoing' : 'resolved')}</Status>
      ),
      phone: 'state',
    },
    {
      name: 'time',
      heading: t('time'),
      cell: ({ from, until, ongoing }) => (
        <>
          <Moment at={from} /> – {ongoing ? null : <Moment at={until} />}
        </>
      ),
      value: ({ from }) => from,
    },
    {
      name: 'failed',
      heading: t('failed'),
      end: true,
      cell: ({ success_rate: ratio }) => percent(1 - ratio),
      value: ({ success_rate: ratio }) => 1 - ratio,
      phone: 'amount',
    },
  ];
  return (
    <DataTable
      label={t('incidents')}
      columns={columns}
      rows={incidents}
      keyOf={({ model, channel, from }) => `${model} ${channel} ${from}`}
    />
  );
}

function Placeholder() {
  return (
    <Stack aria-busy>
      <CardSkeleton height={76} />
      <CardSkeleton height={640} />
    </Stack>
  );
}
