/** The tab with the live state of every route of every channel, in one table. */
import { Alert, Box, Group, Switch, Text } from '@mantine/core';
import { IconHeartbeat, IconPlugConnectedX, IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { historyQuery } from '#catalogue/status-query.ts';
import { UptimeBars } from '#catalogue/uptime-bars.tsx';
import { Empty } from '#components/empty.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { offersQuery, REFRESH_SECONDS, routesQuery } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import { byModel, matching, type RouteHealth, share } from './route-groups.ts';
import { StandingStatus, useStandingWords } from './standing-status.tsx';

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
  const isWell = onlyTrouble && find === '';
  return (
    <>
      {all === undefined ? null : <Outages routes={all} />}
      <Group align="flex-end" mb="md" data-page-filter>
        <FilterText label={t('find')} placeholder={t('findHint')} value={find} onCommit={onFind} />
        <Switch
          label={t('trouble')}
          checked={onlyTrouble}
          onChange={(event) => onOnlyTrouble(event.currentTarget.checked)}
          pb={6}
        />
      </Group>
      <SectionCard
        title={t('routes')}
        size="h5"
        query={routes}
        aside={
          <Text size="sm" c="dimmed">
            {t('live', { seconds: REFRESH_SECONDS })}
          </Text>
        }
      >
        <div>
          <DataTable
            name="admin-routes"
            label={t('routes')}
            columns={useColumns(all ?? [])}
            rows={all === undefined ? undefined : matching(all, find, onlyTrouble)}
            keyOf={({ model, channel, ...at }) =>
              `${model}/${channel}/${at.upstream}/${at.upstream_model}`
            }
            expected={10}
            csv={{ file: ['routes'] }}
            hasViews
            empty={
              <Empty
                icon={isWell ? IconHeartbeat : IconRoute}
                title={t(isWell ? 'allWell' : 'none')}
              >
                {t(isWell ? 'allWellHint' : 'noneHint')}
              </Empty>
            }
          />
        </div>
      </SectionCard>
    </>
  );
}

/** Alerts about channels that are down. */
function Outages({ routes }: { readonly routes: readonly RouteHealth[] }) {
  const t = useTexts(channelTexts);
  const mainOf = useMainChannel();
  const words = useStandingWords();
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
            {nameOf(route)}: {words(route)} {failureOf(route) ?? ''}
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

const NOTHING = '–';

/** @param all the routes among which the requests of a channel are shared. */
function useColumns(all: readonly RouteHealth[]): readonly Column<RouteHealth>[] {
  const t = useTexts(channelTexts);
  const { shortTime } = useFormats();
  const channelName = useChannelName();
  const mainOf = useMainChannel();
  return [
    {
      name: 'model',
      heading: t('model'),
      cell: ({ model }) => <Line text={model} />,
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
      cell: (route) => <Line text={nameOf(route)} />,
      value: nameOf,
    },
    {
      name: 'state',
      heading: t('state'),
      phone: 'state',
      cell: (route) => <StandingStatus route={route} />,
      value: ({ standing }) => t(standing),
    },
    ...useFigures(all),
    {
      name: 'days',
      heading: t('days'),
      hint: t('daysHint'),
      show: 'wide',
      cell: (route) => <Days route={route} />,
    },
    {
      name: 'failure',
      heading: t('lastFailure'),
      show: all.some((each) => each.last_failure !== null) ? 'always' : 'chosen',
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
  ];
}

function useFigures(all: readonly RouteHealth[]): readonly Column<RouteHealth>[] {
  const t = useTexts(channelTexts);
  const { percent, count, duration } = useFormats();
  const shareOf = (route: RouteHealth): number =>
    share(
      route,
      all.filter(({ model, channel }) => model === route.model && channel === route.channel),
    );
  return [
    {
      name: 'share',
      heading: t('share'),
      end: true,
      cell: (route) => percent(shareOf(route)),
      value: shareOf,
    },
    {
      name: 'success',
      heading: t('success'),
      hint: t('fiveMinutes'),
      end: true,
      cell: ({ success_rate: rate, ended }) => (
        <span title={t('ended', { count: count(ended) })}>
          {rate === null ? NOTHING : percent(rate)}
        </span>
      ),
      value: ({ success_rate: rate }) => rate,
    },
    {
      name: 'first-byte',
      heading: t('firstByte'),
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

const Line = ({ text }: { readonly text: string }) => (
  <span style={{ whiteSpace: 'nowrap' }}>{text}</span>
);

/** The success rates of the last 90 days of the route's channel. */
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
