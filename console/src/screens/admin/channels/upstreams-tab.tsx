/** The tab with the upstreams of all routes and a test of each upstream. */
import { Button, Card, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlugConnected, IconServer } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { Sheet } from '#components/dialog.tsx';
import { Empty } from '#components/empty.tsx';
import { Status } from '#components/status.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { routesQuery, testUpstream } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import { byUpstream, type UpstreamRoutes } from './route-groups.ts';
import { UpstreamFindings } from './upstream-findings.tsx';

export function UpstreamsTab() {
  const t = useTexts(channelTexts);
  const { data, error, refetch } = useQuery(routesQuery);
  const [testing, setTesting] = useState<UpstreamRoutes | null>(null);
  const columns = useColumns(setTesting);
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  return (
    <Card>
      <DataTable
        name="admin-upstreams"
        label={t('upstreams')}
        columns={columns}
        rows={data === undefined ? undefined : byUpstream(data.data)}
        keyOf={({ upstream }) => upstream}
        empty={<Empty icon={IconServer} title={t('noUpstream')} />}
      />
      <Sheet
        opened={testing !== null}
        onClose={() => setTesting(null)}
        title={testing === null ? '' : t('result', { upstream: testing.upstream })}
      >
        {testing === null ? null : <UpstreamTest {...testing} />}
      </Sheet>
    </Card>
  );
}

const unhealthy = ({ routes }: UpstreamRoutes): number =>
  routes.filter(({ standing }) => standing !== 'closed').length;

function useColumns(test: (upstream: UpstreamRoutes) => void): readonly Column<UpstreamRoutes>[] {
  const t = useTexts(channelTexts);
  const { count } = useFormats();
  return [
    {
      name: 'upstream',
      heading: t('upstream'),
      cell: ({ upstream }) => upstream,
      value: ({ upstream }) => upstream,
    },
    {
      name: 'state',
      heading: t('status'),
      phone: 'state',
      cell: (upstream) => {
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
    {
      name: 'test',
      heading: t('actions'),
      end: true,
      phone: 'action',
      cell: (upstream) => (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`${t('test')} ${upstream.upstream}`}
          onClick={() => test(upstream)}
        >
          {t('test')}
        </Button>
      ),
    },
  ];
}

function UpstreamTest({ upstream, models }: UpstreamRoutes) {
  const t = useTexts(channelTexts);
  const [model, setModel] = useState<string | null>(null);
  const test = useMutation({ mutationFn: () => testUpstream(upstream, model) });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('testLead')}
      </Text>
      <Group align="flex-end">
        <Select
          flex={1}
          label={t('askedModel')}
          placeholder={t('anyModel')}
          data={[...models]}
          value={model}
          onChange={setModel}
          clearable
          searchable
        />
        <Button
          leftSection={<IconPlugConnected size={16} />}
          loading={test.isPending}
          data-autofocus
          onClick={() => test.mutate()}
        >
          {t('test')}
        </Button>
      </Group>
      {test.error === null ? null : <ApiProblem error={test.error} />}
      {test.data === undefined ? null : (
        <div role="status">
          <UpstreamFindings found={test.data} />
        </div>
      )}
    </Stack>
  );
}
