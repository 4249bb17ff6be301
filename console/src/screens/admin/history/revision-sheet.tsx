/** A side sheet with everything that a revision changed. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '#components/api-problem.tsx';
import { Sheet } from '#components/dialog.tsx';
import { FactTable } from '#components/facts.tsx';
import { Moment } from '#components/moment.tsx';
import { useTexts } from '#i18n/texts.ts';
import { ChangeTable } from '#screens/admin/settings/change-dialog.tsx';
import { revisionQuery } from './history-queries.ts';
import { historyTexts } from './history-texts.ts';
import { useActor, useOrigin } from './revision-words.ts';

export type RevisionSheetProps = {
  /** The number of the shown revision; empty while the sheet is closed. */
  readonly revision: string;
  /** The newest revision, which cannot be restored. */
  readonly newest: number | null;
  readonly onRestore: (revision: string) => void;
  readonly onClose: () => void;
};

export function RevisionSheet({ revision, onClose, ...rest }: RevisionSheetProps) {
  const t = useTexts(historyTexts);
  return (
    <Sheet
      opened={revision !== ''}
      onClose={onClose}
      size="xl"
      title={revision === '' ? '' : t('title', { revision })}
    >
      {revision === '' ? null : <SheetBody {...rest} revision={revision} />}
    </Sheet>
  );
}

function SheetBody({ revision, newest, onRestore }: Omit<RevisionSheetProps, 'onClose'>) {
  const t = useTexts(historyTexts);
  const actor = useActor();
  const origin = useOrigin();
  const { data, error, refetch } = useQuery(revisionQuery(revision));
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={240} aria-label={t('loading')} />;
  const { changes } = data;
  return (
    <Stack gap="lg">
      <FactTable
        width={120}
        facts={[
          { name: t('at'), value: <Moment at={data.at} /> },
          { name: t('by'), value: actor(data) },
          { name: t('origin'), value: origin(data) },
          { name: t('note'), value: data.note },
        ]}
      />
      {changes.length === 0 ? (
        <Text size="sm">{t('noChanges')}</Text>
      ) : (
        <ChangeTable changes={changes} />
      )}
      {newest === null || newest === data.revision ? null : (
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onRestore(revision)}>
            {t('restoreSubmit')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
