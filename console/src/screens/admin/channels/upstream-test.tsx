/** The sheet that tests an upstream with one of its models, or the first chat model. */
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { JsonObject } from '#api/json.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Sheet } from '#components/dialog.tsx';
import { useTexts } from '#i18n/texts.ts';
import { testUpstream } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import type { RouteScope } from './route-state-queries.ts';
import { TestAll } from './test-all.tsx';
import { UpstreamFindings } from './upstream-findings.tsx';

export type TestScope = RouteScope & {
  /** A merge patch of the upstream's settings that is not saved. */
  readonly change?: JsonObject;
};

export type UpstreamTestProps = {
  /** What to test; null while the sheet is closed. */
  readonly of: TestScope | null;
  /** The models of the upstream that can be chosen. */
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
  const test = useMutation({
    mutationFn: () => testUpstream({ name: upstream, model, change: asked.change }),
  });
  return (
    <Stack>
      <Text variant="note">{t('testLead')}</Text>
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
      <TestAll upstream={upstream} models={models} change={asked.change} />
    </Stack>
  );
}
