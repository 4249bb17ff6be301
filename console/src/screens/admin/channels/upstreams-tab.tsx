/** The tab with the upstreams of all routes and a test of each upstream. */

import { Card, Text } from '@mantine/core';
import { IconServer } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { Status } from '#components/status.tsx';
import { actionColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { upstreamNamesQuery } from '#screens/admin/records/record-queries.ts';
import { routesQuery } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import { type ActionsOf, OutStatus, useRouteActions } from './route-actions.tsx';
import { byUpstream, type UpstreamRoutes } from './route-groups.ts';

export function UpstreamsTab() {
  const t = useTexts(channelTexts);
  const { data, error, refetch } = useQuery(routesQuery);
  const names = useQuery(upstreamNamesQuery).data;
  const actions = useRouteActions();
  const columns = useColumns(actions.menu);
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  return (
    <Card>
      <DataTable
        name="admin-upstreams"
        label={t('upstreams')}
        columns={columns}
        rows={data === undefined ? undefined : byUpstream(data.data, names)}
        keyOf={({ upstream }) => upstream}
        empty={<Empty icon={IconServer} title={t('noUpstream')} />}
      />
      {actions.parts}
    </Card>
  );
}

/** The out-of-service state that applies to the whole upstream; null if none does. */
const wholeOut = ({ routes }: UpstreamRoutes) =>
  routes.find(({ out_of_service: out }) => out?.whole_upstream === true)?.out_of_service ?? null;

/**
 * The number of running requests of the upstream. A route that is in several channels counts once.
 */
const inFlightOf = ({ routes }: UpstreamRoutes): number =>
  new Map(routes.map((route) => [route.upstream_model, route.in_flight]))
    .values()
    .reduce((sum, count) => sum + count, 0);

const unhealthy = ({ routes }: UpstreamRoutes): number =>
  routes.filter(({ standing }) => standing !== 'closed').length;

function useColumns(menu: (of: ActionsOf) => ReactNode): readonly Column<UpstreamRoutes>[] {
  const t = useTexts(channelTexts);
  const { count } = useFormats();
  return [
    {
      name: 'upstream',
      heading: t('upstream'),
      cell: ({ upstream }) => (
        <TextLink
          inherit
          c="inherit"
          to="/admin/routes/upstreams/$name"
          params={{ name: upstream }}
        >
          {upstream}
        </TextLink>
      ),
      value: ({ upstream }) => upstream,
    },
    {
      name: 'state',
      heading: t('status'),
      phone: 'state',
      cell: (upstream) => {
        const out = wholeOut(upstream);
        if (out !== null) return <OutStatus out={out} inFlight={inFlightOf(upstream)} />;
        if (upstream.routes.length === 0) return <Status tone="quiet">{t('noRoutes')}</Status>;
        const bad = unhealthy(upstream);
        return bad === 0 ? (
          <Status tone="good">{t('well')}</Status>
        ) : (
          <Status tone="bad">{t('notWell', { count: bad })}</Status>
        );
      },
      value: unhealthy,
    },
    {
      name: 'routes',
      heading: t('routes'),
      end: true,
      cell: ({ routes }) => count(routes.length),
      value: ({ routes }) => routes.length,
    },
    {
      name: 'models',
      heading: t('models'),
      cell: ({ models }) => (
        <Text inherit maw={480} truncate title={models.join(', ')}>
          {models.join(', ')}
        </Text>
      ),
      value: ({ models }) => models.join(', '),
    },
    actionColumn(t('actions'), (of) =>
      of.routes.length === 0
        ? null
        : menu({ upstream: of.upstream, model: null, out: wholeOut(of) }),
    ),
  ];
}
