/** The stored secrets: which are set, by whom, and which settings use them. */
import { Button, Card, Group, Text } from '@mantine/core';
import { IconLock, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { type Column, NOTHING } from '#components/tables/column.ts';
import {
  actionColumn,
  RowAction,
  statusColumn,
  textColumn,
  timeColumn,
} from '#components/tables/columns.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { DeleteSecretDialog, SecretFormDialog } from './secrets/secret-form.tsx';
import { type StoredSecret, secretsQuery } from './secrets/secret-queries.ts';
import { secretTexts } from './secrets/secrets-texts.ts';

export function SecretsScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(secretTexts);
  const { data, error, refetch } = useQuery(secretsQuery);
  /** The name of the secret to set: empty for a new secret, null while no dialog is open. */
  const [name, setName] = useState<string | null>(null);
  const [removed, remove] = useState<StoredSecret | null>(null);
  const columns = useColumns(setName, remove);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setName('')}>
      {t('add')}
    </Button>
  );
  return (
    <Page title={title('secrets')} actions={add}>
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      {error !== null && data === undefined ? null : (
        <Card>
          <DataTable
            label={t('list')}
            name="admin-secrets"
            columns={columns}
            rows={data?.data}
            keyOf={(secret) => secret.name}
            empty={
              <Empty icon={IconLock} title={t('empty')}>
                {t('emptyHint')}
              </Empty>
            }
          />
        </Card>
      )}
      <SecretFormDialog
        of={name}
        taken={data?.data.map((secret) => secret.name) ?? []}
        onClose={() => setName(null)}
      />
      <DeleteSecretDialog secret={removed} onClose={() => remove(null)} />
    </Page>
  );
}

const TONES = { ready: 'good', unreadable: 'bad', unset: 'attention' } as const;

function useColumns(
  set: (name: string) => void,
  remove: (secret: StoredSecret) => void,
): readonly Column<StoredSecret>[] {
  const t = useTexts(secretTexts);
  return [
    textColumn('name', t('name'), ({ name }) => name),
    statusColumn('state', t('state'), ({ state }) => [TONES[state], t(state)]),
    textColumn('ends', t('ends'), ({ last_four: ends }) => ends),
    timeColumn('setAt', t('setAt'), ({ set_at: at }) => at),
    textColumn('setBy', t('setBy'), ({ set_by: by, set_by_name: name }) =>
      by === 'admin' ? t('admin') : (name ?? by),
    ),
    {
      name: 'usedBy',
      heading: t('usedBy'),
      cell: ({ used_by: users, problem }) => (
        <Text
          inherit
          maw={320}
          style={{ overflowWrap: 'anywhere' }}
          {...(problem === null ? {} : { title: problem })}
        >
          {users.length === 0 ? NOTHING : users.map((path) => <UsedBy key={path} path={path} />)}
        </Text>
      ),
      value: ({ used_by: users }) => (users.length === 0 ? null : users.join(', ')),
    },
    actionColumn(t('actions'), (secret) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <RowAction
          label={t(secret.state === 'unset' ? 'set' : 'replace')}
          of={secret.name}
          onClick={() => set(secret.name)}
        />
        {secret.state === 'unset' ? null : (
          <RowAction label={t('remove')} of={secret.name} onClick={() => remove(secret)} />
        )}
      </Group>
    )),
  ];
}

/** A setting that uses a secret. A setting of an upstream links to the upstream's page. */
function UsedBy({ path }: { readonly path: string }) {
  const { name } =
    /^upstreams\.(?<name>.+?)\.(?:api_key|headers|reconcile|sign_in)\b/.exec(path)?.groups ?? {};
  return (
    <div>
      {name === undefined ? (
        path
      ) : (
        <TextLink inherit c="inherit" to="/admin/routes/upstreams/$name" params={{ name }}>
          {path}
        </TextLink>
      )}
    </div>
  );
}
