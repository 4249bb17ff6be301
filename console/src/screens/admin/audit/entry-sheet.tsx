/** A side sheet with the details of an audit entry: before, after and hash. */
import { Group, Stack, Table, Text, Title } from '@mantine/core';
import { Copyable } from '#components/copyable.tsx';
import { Sheet } from '#components/dialog.tsx';
import { Moment } from '#components/moment.tsx';
import { useTexts } from '#i18n/texts.ts';
import { AdminLink } from '#screens/admin/admin-link.tsx';
import { useActionName } from './action-texts.ts';
import type { AuditEntry } from './audit-queries.ts';
import { auditTexts } from './audit-texts.ts';
import { type Difference, type Fact, readDetail } from './differences.ts';
import { useIdNames } from './id-names.ts';

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
        <Text size="sm" c="dimmed">
          <Moment at={entry.at} />
        </Text>
      </Group>
      <Table variant="vertical" layout="fixed" withTableBorder>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th w={120}>{t('actor')}</Table.Th>
            <Table.Td>
              <AdminLink id={entry.actor} name={names.get(entry.actor)} />
            </Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('subject')}</Table.Th>
            <Table.Td>
              <AdminLink id={entry.subject} name={names.get(entry.subject)} />
            </Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('hash')}</Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Copyable value={entry.hash} />
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      {differences.length === 0 ? null : <Differences differences={differences} />}
      {facts.length === 0 ? null : <Facts facts={facts} />}
    </Stack>
  );
}

function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  const t = useTexts(auditTexts);
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t('changes')}
      </Title>
      <Table.ScrollContainer minWidth={360} type="native">
        <Table withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('field')}</Table.Th>
              <Table.Th scope="col">{t('before')}</Table.Th>
              <Table.Th scope="col">{t('after')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map(({ field, before, after }) => (
              <Table.Tr key={field}>
                <Table.Td>
                  <Text size="sm" ff="monospace">
                    {field}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <State text={before} color="red" />
                </Table.Td>
                <Table.Td>
                  <State text={after} color="green" />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

function State({ text, color }: { readonly text: string | null; readonly color: string }) {
  const t = useTexts(auditTexts);
  if (text === null) {
    return (
      <Text size="sm" c="dimmed" fs="italic">
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
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t('says')}
      </Title>
      <Table variant="vertical" layout="fixed" withTableBorder>
        <Table.Tbody>
          {facts.map(({ field, value }) => (
            <Table.Tr key={field}>
              <Table.Th w={160}>
                <Text size="sm" ff="monospace">
                  {field}
                </Text>
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
