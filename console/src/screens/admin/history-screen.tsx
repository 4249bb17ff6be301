/** The configuration's history: revisions with restore, export and import, and the nodes. */
import { Button, FileButton, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconDownload, IconUpload, IconVersions } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { Status } from '#components/status.tsx';
import { type Column, NOTHING } from '#components/tables/column.ts';
import { actionColumn, RowAction, timeColumn } from '#components/tables/columns.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import {
  EXPORT_ADDRESS,
  proposeImport,
  proposeRestore,
  type Revision,
  revisionsQuery,
} from './history/history-queries.ts';
import { historyTexts } from './history/history-texts.ts';
import { NodesCard } from './history/nodes-card.tsx';
import { RevisionSheet } from './history/revision-sheet.tsx';
import { useActor, useChanges, useOrigin } from './history/revision-words.ts';
import { hasPrices, type Previewable } from './prices/price-api.ts';
import { EarnedPreview } from './prices/price-preview.tsx';
import { ChangeDialog, type Proposal } from './settings/change-dialog.tsx';
import { fieldsQuery } from './settings/config-queries.ts';

const route = getRouteApi('/app/admin/history');

/** The maximum size of a file that the API accepts. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** A change that was sent as a dry run, with the texts of its dialog. */
type Proposed = {
  readonly title: string;
  readonly submit: string;
  readonly proposal: Proposal;
  readonly preview: Previewable;
};

export function HistoryScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(historyTexts);
  const { revision = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: string | undefined): void =>
    void navigate({ search: { revision: next }, replace: next === undefined });
  const settings = useQuery(fieldsQuery);
  const pages = useInfiniteQuery(revisionsQuery);
  const newest = pages.data?.pages[0]?.data[0]?.revision ?? null;
  const { proposed, problem, isRunning, restore, importFile, close } = useProposals();
  const isInFile = settings.data?.mode === 'file';
  const restoreShown = (id: string): void => {
    show(undefined);
    restore(id);
  };
  return (
    <Page
      title={title('history')}
      actions={
        <Group gap="xs">
          <Button
            component="a"
            href={EXPORT_ADDRESS}
            download="modelgate.yaml"
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            {t('export')}
          </Button>
          {isInFile ? null : <ImportButton isRunning={isRunning} onFile={importFile} />}
        </Group>
      }
    >
      {isInFile ? (
        <Text variant="note" maw={840} style={{ overflowWrap: 'anywhere' }}>
          {t('inFile', { file: settings.data?.file ?? '' })}
        </Text>
      ) : null}
      {problem === null ? null : <ApiProblem error={problem} />}
      <ListCard
        label={t('list')}
        name="admin-history"
        pages={pages}
        columns={useColumns({ newest, show, restore })}
        keyOf={(each) => String(each.revision)}
        expected={8}
        empty={{ icon: IconVersions, title: t('none') }}
      />
      {isInFile || settings.data === undefined ? null : <NodesCard />}
      <RevisionSheet
        {...{ revision, newest }}
        onRestore={restoreShown}
        onClose={() => show(undefined)}
      />
      <ChangeDialog
        proposal={proposed?.proposal ?? null}
        onClose={close}
        {...(proposed === null ? {} : { title: proposed.title, submit: proposed.submit })}
      >
        {proposed === null || !hasPrices(proposed.proposal.plan) ? null : (
          <EarnedPreview of={proposed.preview} />
        )}
      </ChangeDialog>
    </Page>
  );
}

/** Sends restores and imports as a dry run, and keeps the last result for the dialog. */
function useProposals() {
  const t = useTexts(historyTexts);
  const [proposed, setProposed] = useState<Proposed | null>(null);
  const trying = useMutation({
    mutationFn: (propose: () => Promise<Proposed>) => propose(),
    onSuccess: setProposed,
  });
  return {
    proposed,
    problem: trying.error,
    isRunning: trying.isPending,
    close: () => setProposed(null),
    restore: (revision: string): void =>
      trying.mutate(async () => ({
        title: t('restoreTitle', { revision }),
        submit: t('restoreSubmit'),
        proposal: await proposeRestore(revision),
        preview: { revision: Number(revision) },
      })),
    importFile: (file: File): void =>
      trying.mutate(async () => {
        const { name } = file;
        if (file.size > MAX_FILE_BYTES) throw new Error(t('tooLarge', { name }));
        const yaml = await file.text();
        return {
          title: t('importTitle', { name }),
          submit: t('importSubmit'),
          proposal: await proposeImport(yaml, name),
          preview: { yaml },
        };
      }),
  };
}

type ImportButtonProps = {
  readonly isRunning: boolean;
  readonly onFile: (file: File) => void;
};

function ImportButton({ isRunning, onFile }: ImportButtonProps) {
  const t = useTexts(historyTexts);
  const reset = useRef<() => void>(null);
  return (
    <FileButton
      accept=".yaml,.yml"
      resetRef={reset}
      onChange={(file) => {
        if (file !== null) onFile(file);
        // Without this reset, the browser would not report the same file when it is chosen again.
        reset.current?.();
      }}
    >
      {({ onClick }) => (
        <Button leftSection={<IconUpload size={16} />} loading={isRunning} onClick={onClick}>
          {t('importFile')}
        </Button>
      )}
    </FileButton>
  );
}

/** A column of short texts that are not wrapped. */
const shortColumn = (
  name: string,
  heading: string,
  value: (revision: Revision) => string,
): Column<Revision> => ({
  ...{ name, heading, value },
  cell: (revision) => (
    <Text inherit truncate maw={170} title={value(revision)}>
      {value(revision)}
    </Text>
  ),
});

type ColumnsOptions = {
  readonly newest: number | null;
  readonly show: (revision: string) => void;
  readonly restore: (revision: string) => void;
};

function useColumns({ newest, show, restore }: ColumnsOptions): readonly Column<Revision>[] {
  const t = useTexts(historyTexts);
  const actor = useActor();
  const origin = useOrigin();
  const changes = useChanges();
  return [
    {
      name: 'revision',
      heading: t('revision'),
      cell: ({ revision }) => (
        <Group gap="xs" wrap="nowrap">
          <UnstyledButton
            fz="inherit"
            mih={24}
            aria-haspopup="dialog"
            onClick={() => show(String(revision))}
          >
            {revision}
            <VisuallyHidden>{t('details', { revision })}</VisuallyHidden>
          </UnstyledButton>
          {revision === newest ? <Status tone="good">{t('inForce')}</Status> : null}
        </Group>
      ),
      value: ({ revision }) => revision,
    },
    timeColumn('at', t('at'), ({ at }) => at),
    shortColumn('by', t('by'), actor),
    shortColumn('origin', t('origin'), origin),
    {
      name: 'changes',
      heading: t('changes'),
      cell: (revision) => (
        <Text inherit truncate maw={420} title={revision.paths.join('\n')}>
          {changes(revision) ?? NOTHING}
        </Text>
      ),
      value: changes,
    },
    {
      name: 'note',
      heading: t('note'),
      show: 'wide',
      cell: ({ note }) => (
        <Text inherit truncate maw={240} title={note}>
          {note === '' ? NOTHING : note}
        </Text>
      ),
      value: ({ note }) => (note === '' ? null : note),
    },
    actionColumn(t('actions'), ({ revision }) =>
      revision === newest ? null : (
        <RowAction
          label={t('restoreOne')}
          of={String(revision)}
          onClick={() => restore(String(revision))}
        />
      ),
    ),
  ];
}
