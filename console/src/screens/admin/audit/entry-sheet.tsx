/** A side sheet with the details of an audit entry: before, after and hash. */

import { Group, Stack, Text, Title } from '@mantine/core';
import { Copyable } from '#components/copyable.tsx';
import { Sheet } from '#components/dialog.tsx';
import { FactTable } from '#components/facts.tsx';
import { Moment } from '#components/moment.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { AdminLink } from '#screens/admin/admin-link.tsx';
import { useActionName, useFieldName } from './action-texts.ts';
import type { AuditEntry } from './audit-queries.ts';
import { auditTexts } from './audit-texts.ts';
import { type Difference, type Fact, readDetail } from './differences.ts';
import { useIdNames } from './id-names.ts';
import { useValueText } from './value-texts.ts';

export type EntrySheetProps = {
  /** The shown entry; null while the sheet is closed. */
  readonly entry: AuditEntry | null;
  readonly onClose: () => void;
};

export function EntrySheet({ entry, onClose }: EntrySheetProps) {
  const t = useTexts(auditTexts);
  return (
    <Sheet
      opened={entry !== null}
      onClose={onClose}
      title={entry === null ? '' : t('entry', { id: entry.id })}
    >
      {entry === null ? null : <EntryBody entry={entry} />}
    </Sheet>
  );
}

function EntryBody({ entry }: { readonly entry: AuditEntry }) {
  const t = useTexts(auditTexts);
  const actionName = useActionName();
  const names = useIdNames();
  const { differences, facts } = readDetail(entry.detail);
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <Text fw={600}>{actionName(entry.action)}</Text>
        <Text variant="note">
          <Moment at={entry.at} />
        </Text>
      </Group>
      <FactTable
        width={120}
        facts={[
          { name: t('actor'), value: <AdminLink id={entry.actor} name={names.get(entry.actor)} /> },
          {
            name: t('subject'),
            value: <AdminLink id={entry.subject} name={names.get(entry.subject)} />,
          },
          { name: t('hash'), value: <Copyable value={entry.hash} /> },
        ]}
      />
      {differences.length === 0 ? null : <Differences differences={differences} />}
      {facts.length === 0 ? null : <Facts facts={facts} />}
    </Stack>
  );
}

function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  const t = useTexts(auditTexts);
  const fieldName = useFieldName();
  const valueText = useValueText();
  const textOf = (field: string, value: string | null) =>
    value === null ? null : valueText(field, value);
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t('changes')}
      </Title>
      <DataTable
        label={t('changes')}
        rows={differences}
        keyOf={({ field }) => field}
        columns={[
          {
            name: 'field',
            heading: t('field'),
            cell: ({ field }) => fieldName(field),
          },
          {
            name: 'before',
            heading: t('before'),
            cell: ({ field, before }) => <State text={textOf(field, before)} color="red" />,
          },
          {
            name: 'after',
            heading: t('after'),
            cell: ({ field, after }) => <State text={textOf(field, after)} color="green" />,
          },
        ]}
      />
    </Stack>
  );
}

function State({ text, color }: { readonly text: string | null; readonly color: string }) {
  const t = useTexts(auditTexts);
  if (text === null) {
    return (
      <Text variant="note" fs="italic">
        {t('none')}
      </Text>
    );
  }
  return (
    <Text
      size="sm"
      c={`var(--mantine-color-${color}-light-color)`}
      style={{ overflowWrap: 'anywhere' }}
    >
      {text}
    </Text>
  );
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const t = useTexts(auditTexts);
  const fieldName = useFieldName();
  const valueText = useValueText();
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t('says')}
      </Title>
      <FactTable
        facts={facts.map(({ field, value }) => ({
          name: fieldName(field),
          value: valueText(field, value),
        }))}
      />
    </Stack>
  );
}
