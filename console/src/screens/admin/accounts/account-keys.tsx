/** The tab with an account's keys, which opens the same dialogs that members use. */
import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Empty } from '#components/empty.tsx';
import { Ago } from '#components/moment.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { KeyActions } from '#keys/key-actions.tsx';
import { KeyApiProvider } from '#keys/key-api.ts';
import { CreateKeyDialog } from '#keys/key-dialogs.tsx';
import type { ApiKey } from '#keys/key-form.ts';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import type { CreatedKey } from '#keys/key-queries.ts';
import { KeySpend } from '#keys/key-spend.tsx';
import { KeyStatus } from '#keys/key-status.tsx';
import { keyTexts } from '#keys/key-texts.ts';
import { SecretDialog } from '#keys/secret-dialog.tsx';
import { accountKeysQuery, keyApiOf } from './account-queries.ts';

export function AccountKeys({ accountId }: { readonly accountId: string }) {
  const t = useTexts(keyTexts);
  const tForm = useTexts(keyFormTexts);
  const keyApi = useMemo(() => keyApiOf(accountId), [accountId]);
  const { data, error, refetch } = useQuery(accountKeysQuery(accountId));
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedKey | null>(null);
  const columns = useColumns();
  const make = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {tForm('create')}
    </Button>
  );
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  return (
    <KeyApiProvider value={keyApi}>
      <Stack>
        <Group justify="flex-end">{data?.data.length === 0 ? null : make}</Group>
        <Card>
          <DataTable
            label={t('keys')}
            columns={columns}
            rows={data?.data}
            keyOf={({ id }) => id}
            minWidth={820}
            empty={<Empty icon={IconKey} title={t('empty')} action={make} />}
          />
        </Card>
      </Stack>
      <CreateKeyDialog
        opened={isMaking}
        onClose={() => setMaking(false)}
        onCreated={(key) => {
          setMaking(false);
          setMade(key);
        }}
      />
      {made === null ? null : (
        <SecretDialog
          secret={made.secret}
          models={made.limits.models}
          onSaved={() => setMade(null)}
        />
      )}
    </KeyApiProvider>
  );
}

function useColumns(): readonly Column<ApiKey>[] {
  const t = useTexts(keyTexts);
  return [
    {
      name: 'name',
      heading: t('name'),
      cell: ({ id, name, masked }) => (
        <Stack gap={0}>
          <Text size="sm" fw={500} maw={280} truncate title={name}>
            {name}
          </Text>
          <Copyable value={id} shown={masked} />
        </Stack>
      ),
    },
    { name: 'status', heading: t('status'), cell: (key) => <KeyStatus apiKey={key} /> },
    { name: 'spend', heading: t('spend'), cell: (key) => <KeySpend apiKey={key} /> },
    {
      name: 'lastUsed',
      heading: t('lastUsed'),
      cell: ({ last_used_at: at }) => (at === null ? t('never') : <Ago at={at} />),
    },
    { name: 'created', heading: t('created'), cell: ({ created_at: at }) => <Ago at={at} /> },
    {
      name: 'actions',
      heading: t('actions'),
      end: true,
      cell: (key) => <KeyActions apiKey={key} />,
    },
  ];
}
