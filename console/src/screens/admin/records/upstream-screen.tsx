/** The page of an upstream: its address and credentials, routes, models, settings and removal. */
import { Button, Group } from '@mantine/core';
import { IconPlugConnected, IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { asObject } from '#api/json.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { ButtonLink, TextLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { actionColumn, RowAction, statusColumn, textColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { routesQuery } from '#screens/admin/channels/channel-queries.ts';
import { byUpstream, type RouteHealth } from '#screens/admin/channels/route-groups.ts';
import { type TestScope, UpstreamTestSheet } from '#screens/admin/channels/upstream-test.tsx';
import { secretsQuery } from '#screens/admin/secrets/secret-queries.ts';
import { ChangeDialog, ChangeProblem } from '#screens/admin/settings/change-dialog.tsx';
import { useProposing } from './proposing.ts';
import { RecordForm } from './record-form.tsx';
import { type OpenedRecord, RecordPage } from './record-page.tsx';
import { removeUpstream } from './record-queries.ts';
import { recordTexts } from './record-texts.ts';
import { Removal } from './removal.tsx';
import { storingSecrets } from './typed-secrets.ts';
import { UpstreamFacts } from './upstream-facts.tsx';

const route = getRouteApi('/app/admin/routes/upstreams/$name');

export function UpstreamScreen() {
  const t = useTexts(recordTexts);
  const { name } = route.useParams();
  const [tested, test] = useState<TestScope | null>(null);
  const { data } = useQuery(routesQuery);
  const own = byUpstream(data?.data ?? []).find(({ upstream }) => upstream === name);
  const isNetwork = ({ fields }: OpenedRecord): boolean =>
    fields.some(({ type }) => type === 'secret');
  return (
    <RecordPage
      section="upstreams"
      id={name}
      tab="upstreams"
      title={name}
      actions={(opened) => (
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconPlugConnected size={16} />}
            onClick={() => test({ upstream: name, model: null })}
          >
            {t('test')}
          </Button>
          {opened.revision === null || !isNetwork(opened) ? null : (
            <ButtonLink to="/admin/providers/new" search={{ upstream: name }}>
              {t('addModels')}
            </ButtonLink>
          )}
        </Group>
      )}
    >
      {({ fields, revision }) => (
        <>
          <UpstreamFacts fields={fields} />
          <Routes name={name} revision={revision} routes={data && (own?.routes ?? [])} />
          {revision === null ? null : (
            <>
              <Settings
                {...{ fields, revision }}
                onTest={(change) => test({ upstream: name, model: null, change })}
              />
              <Removal what={name} section="upstreams" send={removeUpstream(revision, name)} />
            </>
          )}
          <UpstreamTestSheet of={tested} models={own?.models ?? []} onClose={() => test(null)} />
        </>
      )}
    </RecordPage>
  );
}

type SettingsProps = {
  readonly fields: OpenedRecord['fields'];
  readonly revision: number;
  readonly onTest: (change: NonNullable<TestScope['change']>) => void;
};

function Settings({ fields, revision, onTest }: SettingsProps) {
  const t = useTexts(recordTexts);
  const { name } = route.useParams();
  const secrets = useQuery(secretsQuery).data?.data ?? [];
  const taken = new Set(secrets.map((secret) => secret.name));
  return (
    <RecordForm
      {...{ fields, revision }}
      sender={storingSecrets(revision, taken)}
      trial={{
        label: t('testEdits'),
        run: (patch) => onTest(asObject(asObject(patch['upstreams'])?.[name]) ?? {}),
      }}
    />
  );
}

type RoutesProps = {
  readonly name: string;
  readonly revision: number | null;
  readonly routes: readonly RouteHealth[] | undefined;
};

function Routes({ name, revision, routes }: RoutesProps) {
  const t = useTexts(recordTexts);
  const { propose, proposal, close, problem } = useProposing<RouteHealth>();
  const columns = useColumns(
    revision === null ? null : (of) => propose(of, removeUpstream(revision, name, of)),
  );
  return (
    <SectionCard title={t('routes')} size="h5">
      {problem === null ? null : <ChangeProblem error={problem} />}
      <DataTable
        label={t('routes')}
        columns={columns}
        rows={routes}
        keyOf={labelOf}
        empty={
          <Empty icon={IconRoute} title={t('noRoutes')}>
            {t('noRoutesHint')}
          </Empty>
        }
      />
      <ChangeDialog
        proposal={proposal}
        title={t('removeRouteTitle', { route: proposal === null ? '' : labelOf(proposal.about) })}
        submit={t('removeRouteSubmit')}
        onClose={close}
      />
    </SectionCard>
  );
}

const labelOf = ({ model, channel, upstream_model: there }: RouteHealth): string =>
  `${model} · ${channel} · ${there}`;

const TONES = {
  closed: 'good',
  half_open: 'attention',
  open: 'bad',
  cooling: 'attention',
} as const;

function useColumns(remove: ((of: RouteHealth) => void) | null): readonly Column<RouteHealth>[] {
  const t = useTexts(recordTexts);
  const channelName = useChannelName();
  return [
    {
      name: 'model',
      heading: t('model'),
      cell: ({ model }) => (
        <TextLink inherit c="inherit" to="/admin/routes/models/$id" params={{ id: model }}>
          {model}
        </TextLink>
      ),
      value: ({ model }) => model,
    },
    textColumn('channel', t('channel'), ({ channel }) => channelName(channel)),
    textColumn('there', t('there'), ({ upstream_model: there }) => there),
    textColumn('priority', t('priority'), ({ priority }) => priority, { end: true }),
    textColumn('weight', t('weight'), ({ weight }) => weight, { end: true }),
    statusColumn('status', t('status'), ({ standing, out_of_service: out }) =>
      out === null ? [TONES[standing], t(standing)] : ['quiet', t(out.state)],
    ),
    ...(remove === null
      ? []
      : [
          actionColumn<RouteHealth>(t('actions'), (of) => (
            <RowAction label={t('removeRoute')} of={labelOf(of)} onClick={() => remove(of)} />
          )),
        ]),
  ];
}
