/** The tab with the live state of every route of every channel, in one table. */
import { Alert, Box, Card, Group, Switch, Text } from '@mantine/core';
import { IconHeartbeat, IconPlugConnectedX, IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { offersQuery } from '#catalogue/price-origin.tsx';
import { historyQuery } from '#catalogue/status-query.ts';
import { UptimeBars } from '#catalogue/uptime-bars.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { Status, type Tone } from '#components/status.tsx';
import { NOTHING } from '#components/tables/column.ts';
import { actionColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { REFRESH_SECONDS, routesQuery } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import { type ActionsOf, OutStatus, useRouteActions } from './route-actions.tsx';
import {
  byModel,
  isOut,
  matching,
  type RouteHealth,
  type Standing,
  share,
  standingCounts,
} from './route-groups.ts';
import { routeStateTexts } from './route-state-texts.ts';
import { weightTexts } from './weight-texts.ts';

export type HealthTabProps = {
  readonly find: string;
  readonly onlyTrouble: boolean;
  readonly onFind: (text: string) => void;
  readonly onOnlyTrouble: (only: boolean) => void;
};

export function HealthTab({ find, onlyTrouble, onFind, onOnlyTrouble }: HealthTabProps) {
  const t = useTexts(channelTexts);
  const routes = useQuery(routesQuery);
  const all = routes.data?.data;
  const actions = useRouteActions();
  const columns = useColumns(all ?? [], actions.menu);
  const isWell = onlyTrouble && find === '';
  const problem =
    routes.error === null ? null : (
      <ApiProblem error={routes.error} onRetry={() => void routes.refetch()} />
    );
  if (problem !== null && all === undefined) return problem;
  return (
    <>
      {all === undefined ? null : <Outages routes={all} />}
      <Group mb="md" data-page-filter>
        <Box flex="1 1 240px" maw={420}>
          <FilterText
            isSearch
            label={t('find')}
            placeholder={t('findHint')}
            value={find}
            onCommit={onFind}
          />
        </Box>
        <Switch
          label={t('trouble')}
          checked={onlyTrouble}
          onChange={(event) => onOnlyTrouble(event.currentTarget.checked)}
        />
      </Group>
      {problem}
      <Card>
        <DataTable
          name="admin-routes"
          label={t('routes')}
          columns={columns}
          rows={all === undefined ? undefined : matching(all, find, onlyTrouble)}
          keyOf={({ model, channel, ...at }) =>
            `${model}/${channel}/${at.upstream}/${at.upstream_model}`
          }
          expected={10}
          download={{ file: ['routes'] }}
          hasViews
          summary={<Summary routes={all ?? []} />}
          empty={
            <Empty icon={isWell ? IconHeartbeat : IconRoute} title={t(isWell ? 'allWell' : 'none')}>
              {t(isWell ? 'allWellHint' : 'noneHint')}
            </Empty>
          }
        />
      </Card>
      {actions.parts}
    </>
  );
}

/** The number of routes in each state. States without routes are omitted. */
function Summary({ routes }: { readonly routes: readonly RouteHealth[] }) {
  const t = useTexts(channelTexts);
  const { out, well, bad } = standingCounts(routes);
  return (
    <Group gap="md" wrap="wrap">
      {well === 0 ? null : <Status tone="good">{t('wellCount', { count: well })}</Status>}
      {bad === 0 ? null : <Status tone="bad">{t('notWell', { count: bad })}</Status>}
      {out === 0 ? null : <Status tone="quiet">{t('outCount', { count: out })}</Status>}
      <Text variant="note">{t('live', { seconds: REFRESH_SECONDS })}</Text>
    </Group>
  );
}

/** Alerts about channels that are down. */
function Outages({ routes }: { readonly routes: readonly RouteHealth[] }) {
  const t = useTexts(channelTexts);
  const mainOf = useMainChannel();
  const words = useStandingWords();
  const states = useTexts(routeStateTexts);
  const out = byModel(routes).flatMap(({ model, channels }) =>
    channels.filter(({ state }) => state === 'out').map((it) => ({ model, ...it })),
  );
  return out.map(({ model, channel, routes: failing }) => {
    const main = mainOf(model);
    const consequence =
      main === undefined
        ? t('outSomewhere')
        : main === channel
          ? t('outDefault')
          : t('outOther', { channel: main });
    return (
      <Alert
        key={`${model}/${channel}`}
        color="red"
        role="status"
        mb="md"
        icon={<IconPlugConnectedX />}
        title={t('outTitle', { model, channel })}
      >
        {consequence}
        {failing.map((route) => (
          <Text key={nameOf(route)} size="sm" mt={4}>
            {nameOf(route)}:{' '}
            {route.out_of_service === null
              ? `${words(route)} ${failureOf(route) ?? ''}`
              : states(route.out_of_service.state)}
          </Text>
        ))}
      </Alert>
    );
  });
}

const nameOf = ({ upstream, upstream_model: there }: RouteHealth): string => `${upstream}/${there}`;
const failureOf = ({ last_failure: failure }: RouteHealth): string | null =>
  failure === null ? null : (failure.cause ?? failure.code);

/** Returns a function that finds the default channel of a model. */
function useMainChannel(): (model: string) => string | undefined {
  const offers = useQuery(offersQuery).data?.data ?? [];
  return (model) => offers.find((offer) => offer.model === model && offer.default)?.channel;
}

/**
 * Returns the columns.
 * @param all the routes of all channels, from which the column `share` is calculated: the
 *   fraction of its channel's requests that each route receives.
 */
function useColumns(
  all: readonly RouteHealth[],
  menu: (of: ActionsOf) => ReactNode,
): readonly Column<RouteHealth>[] {
  const t = useTexts(channelTexts);
  const { shortTime } = useFormats();
  const channelName = useChannelName();
  const mainOf = useMainChannel();
  const states = useTexts(routeStateTexts);
  return [
    {
      name: 'model',
      heading: t('model'),
      cell: ({ model }) => (
        <TextLink inherit c="inherit" to="/admin/routes/models/$id" params={{ id: model }}>
          <Line text={model} />
        </TextLink>
      ),
      value: ({ model }) => model,
    },
    {
      name: 'channel',
      heading: t('channel'),
      cell: ({ model, channel }) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          {channelName(channel)}
          {mainOf(model) === channel ? (
            <Text span inherit c="dimmed">
              {` · ${t('defaultChannel')}`}
            </Text>
          ) : null}
        </span>
      ),
      value: ({ channel }) => channelName(channel),
    },
    {
      name: 'route',
      heading: t('route'),
      cell: (route) => <Line text={nameOf(route)} maw={200} />,
      value: nameOf,
    },
    {
      name: 'state',
      heading: t('state'),
      phone: 'state',
      cell: (route) => <StandingStatus route={route} />,
      value: ({ standing, out_of_service: out }) =>
        out === null ? t(standing) : states(out.state),
    },
    ...useFigures(all),
    {
      name: 'failure',
      heading: t('lastFailure'),
      show: all.some((each) => each.last_failure !== null) ? 'wide' : 'chosen',
      cell: (route) => {
        const at = route.last_failure?.at;
        const text = failureOf(route);
        return text === null || at === undefined ? (
          NOTHING
        ) : (
          <Text inherit maw={200} truncate title={`${shortTime(at)}: ${text}`}>
            {text}
          </Text>
        );
      },
      value: failureOf,
    },
    {
      name: 'days',
      heading: t('days'),
      hint: t('daysHint'),
      show: 'wide',
      cell: (route) => <Days route={route} />,
    },
    actionColumn(t('actions'), (place) =>
      menu({
        ...{ upstream: place.upstream, model: place.upstream_model },
        ...{ out: place.out_of_service, place },
      }),
    ),
  ];
}

/** The lowest normal success rate. A lower rate is red, even if the circuit breaker is closed. */
const LEAST_SUCCESS = 0.9;

function useFigures(all: readonly RouteHealth[]): readonly Column<RouteHealth>[] {
  const t = useTexts(channelTexts);
  const ranks = useTexts(weightTexts);
  const { percent, count, duration } = useFormats();
  const shareOf = (route: RouteHealth): number =>
    share(
      route,
      all.filter(({ model, channel }) => model === route.model && channel === route.channel),
    );
  return [
    {
      name: 'priority',
      heading: ranks('priority'),
      end: true,
      show: all.some(({ priority }) => priority !== 1) ? 'wide' : 'chosen',
      cell: ({ priority }) => priority,
      value: ({ priority }) => priority,
    },
    {
      name: 'share',
      heading: t('share'),
      end: true,
      // If each channel has only one route, every route receives 100% of the requests, so the
      // column is hidden.
      show: all.some((route) => shareOf(route) < 1) ? 'wide' : 'chosen',
      cell: (route) => {
        const part = shareOf(route);
        if (part > 0) return percent(part);
        return isOut(route) ? (
          NOTHING
        ) : (
          <Text span inherit c="dimmed" title={ranks('standbyHint')}>
            {ranks('standby')}
          </Text>
        );
      },
      value: shareOf,
    },
    {
      name: 'success',
      heading: t('success'),
      hint: t('fiveMinutes'),
      end: true,
      cell: ({ success_rate: rate, ended }) =>
        rate === null ? (
          NOTHING
        ) : (
          <Text
            span
            inherit
            c={rate < LEAST_SUCCESS ? 'var(--mantine-color-error)' : 'inherit'}
            title={t('ended', { count: count(ended) })}
          >
            {percent(rate)}
          </Text>
        ),
      value: ({ success_rate: rate }) => rate,
    },
    {
      name: 'first-byte',
      heading: t('firstByte'),
      show: 'fits',
      unit: 'p50 / p95',
      hint: t('fiveMinutes'),
      end: true,
      cell: ({ first_byte_ms: ms }) =>
        ms === null ? NOTHING : `${duration(ms.p50)} / ${duration(ms.p95)}`,
      value: ({ first_byte_ms: ms }) => ms?.p50 ?? null,
    },
    {
      name: 'in-flight',
      heading: t('inFlight'),
      end: true,
      show: 'chosen',
      cell: (route) => count(route.in_flight),
      value: ({ in_flight: inFlight }) => inFlight,
    },
  ];
}

type LineProps = { readonly text: string; readonly maw?: number };

const Line = ({ text, maw = 240 }: LineProps) => (
  <Text inherit truncate maw={maw} title={text}>
    {text}
  </Text>
);

/** The daily success rates of the route's channel in the last 90 days. */
function Days({ route: { model, channel } }: { readonly route: RouteHealth }) {
  const { data } = useQuery(historyQuery(true));
  const days = data?.models
    .find(({ id }) => id === model)
    ?.channels.find((each) => each.channel === channel)?.days;
  if (data === undefined || days === undefined) return NOTHING;
  return (
    <Box w={120}>
      <UptimeBars ratios={days} from={data.days_from} unit="day" />
    </Box>
  );
}

const TONES: Readonly<Record<Standing, Tone>> = {
  closed: 'good',
  half_open: 'attention',
  open: 'bad',
  cooling: 'attention',
};

/** A route's state. An explanation is shown on hover. */
function StandingStatus({ route }: { readonly route: RouteHealth }) {
  const t = useTexts(channelTexts);
  const words = useStandingWords();
  const { out_of_service: out } = route;
  if (out !== null) return <OutStatus out={out} inFlight={route.in_flight} />;
  return (
    <Status tone={TONES[route.standing]} title={words(route)}>
      {t(route.standing)}
    </Status>
  );
}

/** Returns a function that explains a route's state, when it began, and the time left to wait. */
function useStandingWords(): (route: RouteHealth) => string {
  const t = useTexts(channelTexts);
  const { ago, duration } = useFormats();
  return ({ standing, retry_in_ms: waitMs, since }) => {
    const wait = duration(waitMs);
    const sentence = {
      closed: () => t('closedWords'),
      half_open: () => t('half_openWords'),
      open: () => (waitMs > 0 ? t('openWords', { wait }) : t('openNowWords')),
      cooling: () => (waitMs > 0 ? t('coolingWords', { wait }) : t('coolingNowWords')),
    }[standing]();
    if (since === null || standing === 'closed') return sentence;
    return `${sentence} ${t('since', { ago: ago(since) })}`;
  };
}
