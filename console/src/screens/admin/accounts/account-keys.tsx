/** The tab with an account's keys, which opens the same dialogs that members use. */
import { Button, Card, Group, Stack } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { KeyApiProvider } from '#keys/key-api.ts';
import { SELECTING_KEYS, useKeyColumns } from '#keys/key-columns.tsx';
import { CreateKeyDialog } from '#keys/key-dialogs.tsx';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import type { CreatedKey } from '#keys/key-queries.ts';
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
  const columns = useKeyColumns({ name: ({ name }) => name, isManaged: () => true });
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
            name="keys"
            label={t('keys')}
            columns={columns}
            rows={data?.data}
            keyOf={({ id }) => id}
            csv={{ file: ['keys', accountId] }}
            selecting={SELECTING_KEYS}
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
