/** The steps to a first request with the person's own client. */
import {
  Button,
  Card,
  Group,
  PasswordInput,
  Select,
  Stack,
  Switch,
  Text,
  ThemeIcon,
  Title,
} from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { type Model, useModels } from '#catalogue/models.ts';
import { TestRequest } from '#chat/test-request.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { useTexts } from '#i18n/texts.ts';
import { CreateKeyDialog } from '#keys/key-dialogs.tsx';
import type { ApiKey } from '#keys/key-form.ts';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import { type CreatedKey, keysQuery } from '#keys/key-queries.ts';
import { stateOf } from '#keys/key-state.ts';
import { Money } from '#money/money.tsx';
import { useRequestColumns } from '#requests/request-columns.tsx';
import { ClientTabs, Program } from '#snippets/program-tabs.tsx';
import { KEY_VARIABLE, simpleChat, simpleEmbedding } from '#snippets/request.ts';
import type { quickStartSearch } from './quick-start-search.ts';
import { quickStartTexts } from './quick-start-texts.ts';

const route = getRouteApi('/app/quick-start');
/** The placeholder for a model name until the catalog has loaded. */
const SOME_MODEL = 'model';
/** The maximum width of a field, and the gap beside it, in pixels. */
const [FIELD_PX, GAP_PX] = [320, 12];

export function FirstRequest() {
  const t = useTexts(quickStartTexts);
  const search = route.useSearch();
  const [typed, setTyped] = useState('');
  const [chosen, choose] = useState<string | null>(null);
  const baseUrl = useGatewayAddress();
  // Without an API key, the session authenticates the request, as in the playground.
  const mayRun = mayAs(useSignedIn().role, 'member');
  const keys = useUsableKeys();
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
  const secret = typed.trim() === '' ? null : typed.trim();
  const key =
    keys.find(({ masked }) => secret !== null && isMaskOf(masked, secret)) ??
    keys.find((each) => each.id === chosen) ??
    keys[0];
  const program = { target: { baseUrl, key: secret }, request };
  return (
    <Card>
      <Stack gap="xl">
        <Step number={1} title={t('stepKey')} isDone={key !== undefined}>
          <KeyChoice
            {...{ keys, apiKey: key, secret: typed, onSecret: setTyped }}
            onChoose={(next) => {
              choose(next);
              setTyped('');
            }}
            onCreated={(created) => {
              choose(created.id);
              setTyped(created.secret);
            }}
          />
        </Step>
        <Step number={2} title={t('stepInstall')}>
          <ClientTabs {...program} nothing={t('nothingToInstall')} />
        </Step>
        <Step number={3} title={t('stepRun')}>
          <Pickers models={models} model={model} channel={channel} />
          <Program {...program} />
          {request.kind === 'chat' && (secret !== null || mayRun) ? (
            <TestRequest
              key={`${request.model} ${request.channel}`}
              {...{ request, secret }}
              send={t('run')}
              works={t('works')}
            />
          ) : null}
        </Step>
        <Arrival apiKey={key} />
      </Stack>
    </Card>
  );
}

type StepProps = {
  readonly number: number;
  readonly title: string;
  readonly isDone?: boolean;
  readonly children: ReactNode;
};

function Step({ number, title, isDone = false, children }: StepProps) {
  const t = useTexts(quickStartTexts);
  const done = { color: 'green', role: 'img', 'aria-label': t('done') };
  return (
    <Stack component="section" gap="sm">
      <Group gap="sm" wrap="nowrap">
        <ThemeIcon variant="light" color="gray" size={24} radius="xl" {...(isDone ? done : {})}>
          {isDone ? <IconCheck size={16} aria-hidden /> : <Text size="xs">{number}</Text>}
        </ThemeIcon>
        <Title order={2} size="h5">
          {title}
        </Title>
      </Group>
      <Stack gap="sm" pl={{ base: 0, sm: 36 }}>
        {children}
      </Stack>
    </Stack>
  );
}

/** Returns the account's active keys, without the playground's keys. */
function useUsableKeys(): readonly ApiKey[] {
  const { data = [] } = useQuery(keysQuery);
  return data.filter((key) => key.purpose === null && stateOf(key, Date.now()) === 'active');
}

/** Whether a secret begins and ends with the same characters as the masked secret from the API. */
function isMaskOf(masked: string, secret: string): boolean {
  const [start = '', end = ''] = masked.split(/\.{3}|…/);
  return secret.startsWith(start) && secret.endsWith(end);
}

type KeyChoiceProps = {
  readonly keys: readonly ApiKey[];
  readonly apiKey: ApiKey | undefined;
  readonly secret: string;
  readonly onChoose: (id: string | null) => void;
  readonly onSecret: (secret: string) => void;
  readonly onCreated: (key: CreatedKey) => void;
};

/**
 * The fields for a key and its secret. The example program below the fields contains the entered
 * secret.
 */
function KeyChoice({ keys, apiKey, secret, onChoose, onSecret, onCreated }: KeyChoiceProps) {
  const t = useTexts(quickStartTexts);
  const tForm = useTexts(keyFormTexts);
  const mayCreate = mayAs(useSignedIn().role, 'member');
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Group align="flex-end" gap="sm">
        {keys.length === 0 ? null : (
          <Select
            label={t('apiKey')}
            flex="1 1 220px"
            maw={FIELD_PX}
            searchable
            limit={100}
            allowDeselect={false}
            nothingFoundMessage={t('nothingFound')}
            data={keys.map(({ id, name, masked }) => ({ value: id, label: `${name} · ${masked}` }))}
            value={apiKey?.id ?? null}
            onChange={onChoose}
          />
        )}
        {mayCreate ? (
          <Button
            variant={keys.length === 0 ? 'filled' : 'default'}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            {tForm('create')}
          </Button>
        ) : null}
      </Group>
      <PasswordInput
        label={t('key')}
        description={t('keyHint', { variable: KEY_VARIABLE })}
        placeholder="sk-mg-…"
        autoComplete="off"
        maw={2 * FIELD_PX + GAP_PX}
        value={secret}
        onChange={({ currentTarget: { value } }) => onSecret(value)}
      />
      <CreateKeyDialog
        opened={isCreating}
        onClose={() => setCreating(false)}
        onCreated={onCreated}
      />
    </>
  );
}

/** The interval at which the page asks the gateway for new requests of the key. */
const REFRESH_MS = 3_000;

const newestQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['requests', 'newest', keyId],
    queryFn: async ({ signal }) => {
      const query = { key_id: keyId, limit: 1 };
      const { data } = await answerOf(
        api.GET('/console/api/requests', { params: { query }, signal }),
      );
      return data[0] ?? null;
    },
    refetchInterval: REFRESH_MS,
  });

/** The last step: shows the newest request of the key, as soon as there is one. */
function Arrival({ apiKey }: { readonly apiKey: ApiKey | undefined }) {
  const t = useTexts(quickStartTexts);
  const { time, model, state } = useRequestColumns('list');
  const { data } = useQuery({ ...newestQuery(apiKey?.id ?? ''), enabled: apiKey !== undefined });
  const newest = data ?? null;
  return (
    <Step number={4} title={t('stepArrive')} isDone={newest !== null}>
      <Group role="status" gap="lg" fz="sm">
        {newest === null ? (
          <Text variant="note">
            {apiKey === undefined ? t('noKey') : t('waiting', { name: apiKey.name })}
          </Text>
        ) : (
          <>
            {[time, model, state].map((column) => (
              <span key={column.name}>{column.cell(newest)}</span>
            ))}
            <Money amount={newest.cost} currency={newest.currency} />
          </>
        )}
      </Group>
    </Step>
  );
}

type PickersProps = {
  readonly models: readonly Model[];
  readonly model: Model | undefined;
  readonly channel: string | null;
};

/**
 * The fields for model, channel and streaming. The choices are in the URL, so that a link to the
 * program can be shared.
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
        maw={FIELD_PX}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('nothingFound')}
        data={models.map(({ id }) => id)}
        value={model?.id ?? null}
        onChange={(id) => set(id === null ? streamed : { ...streamed, model: id })}
      />
      <Select
        label={t('channel')}
        flex="1 1 220px"
        maw={FIELD_PX}
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
