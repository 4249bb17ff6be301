/** The tab with the upstreams of all routes and a test of each upstream. */
import {
  Badge,
  Button,
  Card,
  Group,
  Paper,
  Select,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconPlugConnected, IconServer } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { useTexts } from '#i18n/texts.ts';
import { routesQuery, testUpstream } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import { byUpstream, type UpstreamRoutes } from './route-groups.ts';
import { UpstreamFindings } from './upstream-findings.tsx';

export function UpstreamsTab() {
  const t = useTexts(channelTexts);
  const { data, error, refetch } = useQuery(routesQuery);
  if (data === undefined) {
    if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
    return <Skeleton height={240} />;
  }
  const upstreams = byUpstream(data.data);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('testLead')}
      </Text>
      {upstreams.length === 0 ? <Empty icon={IconServer} title={t('noUpstream')} /> : null}
      {upstreams.map((upstream) => (
        <UpstreamCard key={upstream.upstream} {...upstream} />
      ))}
    </Stack>
  );
}

function UpstreamCard({ upstream, routes, models }: UpstreamRoutes) {
  const t = useTexts(channelTexts);
  const [model, setModel] = useState<string | null>(null);
  const test = useMutation({ mutationFn: () => testUpstream(upstream, model) });
  const unwell = routes.filter(({ standing }) => standing !== 'closed').length;
  return (
    <Card>
      <Stack>
        <Group justify="space-between" align="flex-end">
          <Stack gap={4}>
            <Group gap="sm">
              <Title order={2} size="h5">
                {upstream}
              </Title>
              {unwell === 0 ? null : <Badge color="red">{t('notWell', { count: unwell })}</Badge>}
            </Group>
            <Text size="sm" c="dimmed">
              {t('routesCount', { count: routes.length })} · {models.join(', ')}
            </Text>
          </Stack>
          <Group align="flex-end">
            <Select
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
              aria-label={`${t('test')} ${upstream}`}
              onClick={() => test.mutate()}
            >
              {t('test')}
            </Button>
          </Group>
        </Group>
        {test.error === null ? null : <ApiProblem error={test.error} />}
        {test.data === undefined ? null : (
          <Paper withBorder p="md" role="status" aria-label={t('result', { upstream })}>
            <UpstreamFindings found={test.data} />
          </Paper>
        )}
      </Stack>
    </Card>
  );
}
