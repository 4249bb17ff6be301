/** The tab with the live state of every route of every channel, by model. */
import {
  Alert,
  Badge,
  Card,
  Group,
  Skeleton,
  Stack,
  Switch,
  Text,
  Title,
  Tooltip,
} from '@mantine/core';
import { IconHeartbeat, IconPlugConnectedX, IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { Ago } from '#components/moment.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { offersQuery, REFRESH_SECONDS, routesQuery } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import { byModel, type ModelRoutes, matching, type RouteHealth, share } from './route-groups.ts';
import { StandingBadge, useStandingWords } from './standing-badge.tsx';

export type HealthTabProps = {
  readonly find: string;
  readonly onlyTrouble: boolean;
  readonly onFind: (text: string) => void;
  readonly onOnlyTrouble: (only: boolean) => void;
};

export function HealthTab({ find, onlyTrouble, onFind, onOnlyTrouble }: HealthTabProps) {
  const t = useTexts(channelTexts);
  const { data, error, refetch } = useQuery(routesQuery);
  if (data === undefined) {
    if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
    return <Skeleton height={320} />;
  }
  const shown = byModel(matching(data.data, find, onlyTrouble));
  return (
    <Stack gap="lg">
      {error === null ? null : <ApiProblem error={error} />}
      <Outages models={byModel(data.data)} />
      <Group align="flex-end" justify="space-between">
        <Group align="flex-end">
          <FilterText
            label={t('find')}
            placeholder={t('findHint')}
            value={find}
            onCommit={onFind}
          />
          <Switch
            label={t('trouble')}
            checked={onlyTrouble}
            onChange={(event) => onOnlyTrouble(event.currentTarget.checked)}
            pb={8}
          />
        </Group>
        <Text size="sm" c="dimmed" pb={8}>
          {t('live', { seconds: REFRESH_SECONDS })}
        </Text>
      </Group>
      {shown.length > 0 ? (
        shown.map((model) => <ModelCard key={model.model} {...model} />)
      ) : (
        <Card>
          {onlyTrouble && find === '' ? (
            <Empty icon={IconHeartbeat} title={t('allWell')}>
              {t('allWellHint')}
            </Empty>
          ) : (
            <Empty icon={IconRoute} title={t('none')}>
              {t('noneHint')}
            </Empty>
          )}
        </Card>
      )}
    </Stack>
  );
}

/** Alerts about channels that are down. */
function Outages({ models }: { readonly models: readonly ModelRoutes[] }) {
  const t = useTexts(channelTexts);
  const offers = useQuery(offersQuery).data?.data ?? [];
  const words = useStandingWords();
  const out = models.flatMap(({ model, channels }) =>
    channels.filter(({ state }) => state === 'out').map((it) => ({ model, ...it })),
  );
  return out.map(({ model, channel, routes }) => {
    const main = offers.find((offer) => offer.model === model && offer.default)?.channel;
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
        icon={<IconPlugConnectedX />}
        title={t('outTitle', { model, channel })}
      >
        {consequence}
        {routes.map((route) => (
          <Text key={`${route.upstream}/${route.upstream_model}`} size="sm" mt={4}>
            {route.upstream}/{route.upstream_model}: {words(route)}{' '}
            {route.last_failure?.cause ?? route.last_failure?.code ?? ''}
          </Text>
        ))}
      </Alert>
    );
  });
}

function ModelCard({ model, channels }: ModelRoutes) {
  const t = useTexts(channelTexts);
  const offers = useQuery(offersQuery).data?.data ?? [];
  const rows = channels.flatMap(({ routes }) =>
    routes.map((route, index) => ({ route, of: routes, isFirst: index === 0 })),
  );
  const main = offers.find((offer) => offer.model === model && offer.default)?.channel ?? null;
  return (
    <Card>
      <Title order={2} size="h5" mb="xs">
        {model}
      </Title>
      <DataTable
        label={t('routes', { model })}
        columns={useColumns(main)}
        rows={rows}
        keyOf={({ route }) => `${route.channel}/${route.upstream}/${route.upstream_model}`}
        minWidth={920}
      />
    </Card>
  );
}

type Row = {
  readonly route: RouteHealth;
  /** All routes of the channel that the route belongs to. */
  readonly of: readonly RouteHealth[];
  readonly isFirst: boolean;
};

/**
 * Returns the columns of the table.
 * @param main the default channel.
 */
function useColumns(main: string | null): readonly Column<Row>[] {
  const t = useTexts(channelTexts);
  const { percent, count } = useFormats();
  return [
    {
      name: 'channel',
      heading: t('channel'),
      cell: ({ route: { channel }, isFirst }) =>
        isFirst ? (
          <Group gap={6} wrap="nowrap">
            {channel}
            {channel === main ? <Badge miw="max-content">{t('defaultChannel')}</Badge> : null}
          </Group>
        ) : null,
    },
    {
      name: 'route',
      heading: t('route'),
      cell: ({ route }) => (
        <Text size="sm" ff="monospace">
          {route.upstream}/{route.upstream_model}
        </Text>
      ),
    },
    {
      name: 'share',
      heading: t('share'),
      end: true,
      cell: ({ route, of }) => percent(share(route, of)),
    },
    { name: 'state', heading: t('state'), cell: ({ route }) => <StandingBadge route={route} /> },
    {
      name: 'success',
      heading: t('success'),
      hint: t('fiveMinutes'),
      end: true,
      cell: ({ route }) => <Success route={route} />,
    },
    {
      name: 'first-byte',
      heading: t('firstByte'),
      end: true,
      cell: ({ route: { first_byte_ms: firstByte } }) => <FirstByte firstByte={firstByte} />,
    },
    {
      name: 'in-flight',
      heading: t('inFlight'),
      end: true,
      cell: ({ route }) => count(route.in_flight),
    },
    {
      name: 'failure',
      heading: t('lastFailure'),
      cell: ({ route }) => <LastFailure failure={route.last_failure} />,
    },
  ];
}

const NOTHING = '–';

function Success({ route }: { readonly route: RouteHealth }) {
  const t = useTexts(channelTexts);
  const { percent, count } = useFormats();
  if (route.success_rate === null) return NOTHING;
  return (
    <Tooltip label={t('ended', { count: count(route.ended) })}>
      <span>{percent(route.success_rate)}</span>
    </Tooltip>
  );
}

function FirstByte({ firstByte }: { readonly firstByte: RouteHealth['first_byte_ms'] }) {
  const { duration } = useFormats();
  if (firstByte === null) return NOTHING;
  return (
    <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
      {duration(firstByte.p50)} / {duration(firstByte.p95)}
    </Text>
  );
}

function LastFailure({ failure }: { readonly failure: RouteHealth['last_failure'] }) {
  if (failure === null) return NOTHING;
  return (
    <Stack gap={0}>
      <Text size="sm" maw={260} truncate title={failure.cause ?? failure.code}>
        {failure.cause ?? failure.code}
      </Text>
      <Text size="xs" c="dimmed">
        <Ago at={failure.at} />
      </Text>
    </Stack>
  );
}
