/** The quick start: the first request with each client. The programs run as shown. */

import { Card, Group, PasswordInput, Select, SimpleGrid, Switch, Text } from '@mantine/core';
import { IconKey, IconMessages } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { type Model, useModels } from '#catalogue/models.ts';
import { TestRequest } from '#chat/test-request.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { ButtonLink, TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Page } from '#components/page.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { ProgramTabs } from '#snippets/program-tabs.tsx';
import { KEY_VARIABLE, simpleChat, simpleEmbedding } from '#snippets/request.ts';
import { GUIDES } from './guides.ts';
import type { quickStartSearch } from './quick-start-search.ts';
import { quickStartTexts } from './quick-start-texts.ts';

const route = getRouteApi('/app/quick-start');
/** The model in the programs until the catalog has loaded. */
const SOME_MODEL = 'model';

export function QuickStartScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(quickStartTexts);
  const mayCreate = mayAs(useSignedIn().role, 'member');
  const actions = (
    <>
      <ButtonLink variant="default" leftSection={<IconMessages size={16} />} to="/playground">
        {t('playground')}
      </ButtonLink>
      <ButtonLink leftSection={<IconKey size={16} />} to="/keys" search={{ new: true }}>
        {t('createKey')}
      </ButtonLink>
    </>
  );
  return (
    <Page title={title('quickStart')} actions={mayCreate ? actions : undefined}>
      <Addresses />
      <ProgramCard />
      <Guides />
    </Page>
  );
}

function Addresses() {
  const t = useTexts(quickStartTexts);
  const address = useGatewayAddress();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Card>
        <Text size="sm" fw={600}>
          {t('openai')}
        </Text>
        <Copyable value={`${address}/v2`} />
        <Text size="xs" c="dimmed" mt={4}>
          {t('openaiHint')}
        </Text>
      </Card>
      <Card>
        <Text size="sm" fw={600}>
          {t('anthropic')}
        </Text>
        <Copyable value={address} />
        <Text size="xs" c="dimmed" mt={4}>
          {t('anthropicHint')}
        </Text>
      </Card>
    </SimpleGrid>
  );
}

function ProgramCard() {
  const t = useTexts(quickStartTexts);
  const search = route.useSearch();
  const [key, setKey] = useState('');
  const baseUrl = useGatewayAddress();
  // Without a key, the request is sent with the session, as in the playground.
  const mayRun = mayAs(useSignedIn().role, 'member');
  const { data: catalogue, error, refetch } = useModels();
  if (error !== null && catalogue === undefined) {
    return <ApiProblem error={error} onRetry={() => void refetch()} />;
  }
  const models = (catalogue ?? []).filter(({ kind }) => kind !== 'image');
  const model = models.find(({ id }) => id === search.model) ?? models[0];
  const channel = model?.channels.find((each) => each.channel === search.channel)?.channel ?? null;
  const id = model?.id ?? SOME_MODEL;
  const request =
    model?.kind === 'embedding'
      ? simpleEmbedding(id, channel)
      : simpleChat(id, { channel, isStreamed: search.stream === true });
  const secret = key.trim();
  return (
    <SectionCard title={t('program')}>
      <Pickers models={models} model={model} channel={channel} />
      <PasswordInput
        label={t('key')}
        description={t('keyHint', { variable: KEY_VARIABLE })}
        placeholder="sk-mg-…"
        autoComplete="off"
        maw={520}
        value={key}
        onChange={({ currentTarget: { value } }) => setKey(value)}
      />
      <ProgramTabs target={{ baseUrl, key: secret === '' ? null : secret }} request={request} />
      {request.kind === 'chat' && (secret !== '' || mayRun) ? (
        <TestRequest
          key={`${request.model} ${request.channel}`}
          request={request}
          secret={secret === '' ? null : secret}
          send={t('run')}
          works={t('works')}
        />
      ) : null}
    </SectionCard>
  );
}

function Guides() {
  const t = useTexts(quickStartTexts);
  return (
    <SectionCard title={t('guides')} lead={t('guidesLead')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        {Object.entries(GUIDES).map(([guide, products]) => (
          <TextLink key={guide} size="sm" to="/quick-start/$guide" params={{ guide }}>
            {products}
          </TextLink>
        ))}
      </SimpleGrid>
    </SectionCard>
  );
}

type PickersProps = {
  readonly models: readonly Model[];
  readonly model: Model | undefined;
  readonly channel: string | null;
};

/**
 * The fields for model, channel and streaming. The URL contains the choices, so that a program can
 * be shared as a link.
 */
function Pickers({ models, model, channel }: PickersProps) {
  const t = useTexts(quickStartTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const set = (next: ReturnType<typeof quickStartSearch>): void => {
    void navigate({ search: next, replace: true, resetScroll: false });
  };
  const { stream, channel: _, ...rest } = search;
  const streamed = stream === true ? ({ stream } as const) : {};
  const standard = model?.channels.find(({ default: isDefault }) => isDefault)?.channel ?? '';
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label={t('model')}
        flex="1 1 220px"
        maw={320}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('nothingFound')}
        data={models.map(({ id }) => id)}
        value={model?.id ?? null}
        onChange={(id) => set(id === null ? streamed : { ...streamed, model: id })}
      />
      <Select
        label={t('channel')}
        flex="1 1 180px"
        maw={280}
        allowDeselect={false}
        data={[
          { value: DEFAULT_CHANNEL, label: t('defaultChannel', { channel: standard }) },
          ...(model?.channels ?? []).map(({ channel: name }) => ({ value: name, label: name })),
        ]}
        value={channel ?? DEFAULT_CHANNEL}
        onChange={(name) =>
          set({
            ...rest,
            ...streamed,
            ...(name === null || name === DEFAULT_CHANNEL ? {} : { channel: name }),
          })
        }
      />
      <Switch
        label={t('stream')}
        pb={8}
        checked={stream === true}
        disabled={model?.kind === 'embedding'}
        onChange={({ currentTarget: { checked } }) =>
          set({
            ...rest,
            ...(channel === null ? {} : { channel }),
            ...(checked ? { stream: true } : {}),
          })
        }
      />
    </Group>
  );
}

/** The list value that stands for the default channel. No channel has this name. */
const DEFAULT_CHANNEL = '-';
