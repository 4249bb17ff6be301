/** The buttons that verify every invariant of the ledger and create a backup. */
import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { IconDatabaseExport, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Copyable } from '#components/copyable.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { booksTexts } from './books-texts.ts';

type Verification = components['schemas']['LedgerVerification'];
type Breach = Verification['breaches'][number];
type Backup = components['schemas']['Backup'];
type Check<Answer> = UseMutationResult<Answer, Error, void>;

export const useVerification = (): Check<Verification> =>
  useMutation({ mutationFn: () => answerOf(api.GET('/admin/v1/ledger/verify')) });

export const useBackup = (): Check<Backup> =>
  useMutation({ mutationFn: () => answerOf(api.POST('/admin/v1/backup')) });

type BooksActionsProps = {
  readonly verification: Check<Verification>;
  readonly backup: Check<Backup>;
};

export function BooksActions({ verification, backup }: BooksActionsProps) {
  const t = useTexts(booksTexts);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDatabaseExport size={16} />}
        loading={backup.isPending}
        onClick={() => backup.mutate()}
      >
        {t('backup')}
      </Button>
      <Button
        leftSection={<IconShieldCheck size={16} />}
        loading={verification.isPending}
        onClick={() => verification.mutate()}
      >
        {t('verify')}
      </Button>
    </>
  );
}

export function BooksFindings({ verification, backup }: BooksActionsProps) {
  const t = useTexts(booksTexts);
  return (
    <>
      {verification.isPending ? (
        <Stack gap={6} role="status">
          <Progress value={100} animated aria-label={t('verifying')} />
          <Text variant="note">{t('verifying')}</Text>
        </Stack>
      ) : null}
      {verification.error === null ? null : <ApiProblem error={verification.error} />}
      {verification.data === undefined ? null : <VerificationResult result={verification.data} />}
      {backup.error === null ? null : <ApiProblem error={backup.error} />}
      {backup.data === undefined ? null : <BackupShown backup={backup.data} />}
    </>
  );
}

function VerificationResult({ result }: { readonly result: Verification }) {
  const t = useTexts(booksTexts);
  if (result.ok) {
    return (
      <Alert color="green" role="status" icon={<IconShieldCheck />} title={t('sound')}>
        {t('soundText')}
      </Alert>
    );
  }
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconShieldX />}
      title={t('breached', { count: result.breach_count })}
    >
      <Stack gap="sm">
        <Text size="sm">{t('breachedText', { shown: result.breaches.length })}</Text>
        <Breaches breaches={result.breaches} />
      </Stack>
    </Alert>
  );
}

function Breaches({ breaches }: { readonly breaches: readonly Breach[] }) {
  const t = useTexts(booksTexts);
  const columns: readonly Column<Breach>[] = [
    { name: 'invariant', heading: t('invariant'), cell: ({ invariant }) => invariant },
    {
      name: 'subject',
      heading: t('subject'),
      cell: ({ subject }) => <Copyable value={subject} />,
    },
    { name: 'detail', heading: t('detail'), cell: ({ detail }) => detail },
  ];
  return (
    <DataTable
      label={t('breaches')}
      columns={columns}
      rows={breaches}
      keyOf={({ invariant, subject, detail }) => `${invariant} ${subject} ${detail}`}
      minWidth={640}
    />
  );
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEP = 1000;

function BackupShown({ backup }: { readonly backup: Backup }) {
  const t = useTexts(booksTexts);
  const { time } = useFormats();
  return (
    <Alert color="green" role="status" icon={<IconDatabaseExport />} title={t('backedUp')}>
      <Text size="sm">
        {t('backedUpText', { size: sizeText(backup.bytes), time: time(backup.taken_at) })}
      </Text>
      <Copyable value={backup.file} />
    </Alert>
  );
}

function sizeText(bytes: number): string {
  const index = Math.min(
    UNITS.length - 1,
    Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)),
  );
  const unit = UNITS[index] ?? 'byte';
  const format = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(undefined, format).format(bytes / STEP ** index);
}
