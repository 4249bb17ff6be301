/** The sheets that test an upstream with one of its models, or all routes of a model. */
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JsonObject } from '#api/json.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { Sheet } from '#components/dialog.tsx';
import { useTexts } from '#i18n/texts.ts';
import { routesQuery, testUpstream } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import { testedGroups } from './route-groups.ts';
import type { RouteScope } from './route-state-queries.ts';
import { type RouteGroup, TestAll } from './test-all.tsx';
import { UpstreamFindings } from './upstream-findings.tsx';

export type TestScope = RouteScope & {
  /** A merge patch with unsaved settings of the upstream, which the test applies. */
  readonly change?: JsonObject;
  /** The model as callers name it. If set, this sheet can also test the model's other routes. */
  readonly sold?: string;
};

export type UpstreamTestProps = {
  /** The upstream to test; null while the sheet is closed. */
  readonly of: TestScope | null;
  /** The upstream's models that can be selected. */
  readonly models: readonly string[];
  readonly onClose: () => void;
};

export function UpstreamTestSheet({ of, models, onClose }: UpstreamTestProps) {
  const t = useTexts(channelTexts);
  return (
    <Sheet
      opened={of !== null}
      onClose={onClose}
      title={of === null ? '' : t('result', { upstream: of.upstream })}
    >
      {of === null ? null : <UpstreamTest of={of} models={models} />}
    </Sheet>
  );
}

type TestProps = { readonly of: TestScope; readonly models: readonly string[] };

function UpstreamTest({ of: { upstream, ...asked }, models }: TestProps) {
  const t = useTexts(channelTexts);
  const [model, setModel] = useState(asked.model);
  const ofModel = useRouteGroups(asked.sold).filter(({ routes }) => routes.length > 1);
  const ofUpstream = {
    label: t('testAll', { count: models.length }),
    routes: models.map((each) => ({ upstream, model: each })),
  };
  const groups = models.length > 1 ? [ofUpstream, ...ofModel] : ofModel;
  const test = useMutation({
    mutationFn: () => testUpstream({ name: upstream, model, change: asked.change }),
  });
  return (
    <Stack>
      <Text variant="note">{t('testLead')}</Text>
      <Group align="flex-end">
        {models.length === 0 ? (
          <TextInput
            flex={1}
            label={t('askedModel')}
            data-autofocus
            value={model ?? ''}
            onChange={({ currentTarget }) => setModel(currentTarget.value.trim() || null)}
          />
        ) : (
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
        )}
        <Button
          leftSection={<IconPlugConnected size={16} />}
          loading={test.isPending}
          disabled={models.length === 0 && model === null}
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
      <TestAll groups={groups} change={asked.change} />
    </Stack>
  );
}

/**
 * Returns the groups of routes that can be tested together: one group with all routes of the model,
 * and one for each channel that has only some of these routes.
 */
function useRouteGroups(model: string | undefined): readonly RouteGroup[] {
  const t = useTexts(channelTexts);
  const channelName = useChannelName();
  const { data } = useQuery(routesQuery);
  if (model === undefined) return [];
  return testedGroups(data?.data ?? [], model).map(({ channel, routes }) => ({
    label: t('testRoutesOf', {
      count: routes.length,
      what: channel === null ? model : `${model} · ${channelName(channel)}`,
    }),
    routes,
  }));
}

export type RoutesTestProps = {
  /** The model whose routes are tested; null while the sheet is closed. */
  readonly model: string | null;
  readonly onClose: () => void;
};

/** The sheet that tests all routes of a model, or the routes of one channel. */
export function RoutesTestSheet({ model, onClose }: RoutesTestProps) {
  const t = useTexts(channelTexts);
  const groups = useRouteGroups(model ?? undefined);
  return (
    <Sheet
      opened={model !== null}
      onClose={onClose}
      title={model === null ? '' : t('result', { upstream: model })}
    >
      {model === null ? null : (
        <Stack>
          <Text variant="note">{t('testLead')}</Text>
          <TestAll groups={groups} />
        </Stack>
      )}
    </Sheet>
  );
}
