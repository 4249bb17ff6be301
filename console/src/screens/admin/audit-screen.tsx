/**
 * The audit log: filters kept in the URL, the changes of each entry, and a check of the hash
 * chain.
 */
import { Badge, Button, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { given } from '#api/given.ts';
import { ShortTime } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { CsvLink } from '#components/tables/csv-link.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import {
  DayFields,
  FilterBar,
  FilterChoice,
  FilterText,
} from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { AdminLink } from './admin-link.tsx';
import { auditActions, useActionName } from './audit/action-texts.ts';
import { type AuditEntry, auditCsvAddress, auditQuery } from './audit/audit-queries.ts';
import { auditTexts } from './audit/audit-texts.ts';
import { ChainCheckButton, ChainCheckResult, useChainCheck } from './audit/chain-check.tsx';
import { readDetail } from './audit/differences.ts';
import { EntrySheet } from './audit/entry-sheet.tsx';
import { ActorSelect } from './people/actor-select.tsx';

const route = getRouteApi('/app/admin/audit');
/** The number of changes shown in the list. The side sheet shows all changes. */
const SHOWN_CHANGES = 2;

export function AuditScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(auditTexts);
  const search = route.useSearch();
  const [entry, setEntry] = useState<AuditEntry | null>(null);
  const pages = useInfiniteQuery(auditQuery(search));
  const check = useChainCheck();
  const isFiltered = Object.keys(given(search)).length > 0;
  const csv = <CsvLink href={auditCsvAddress(search)} />;
  const actions = (
    <>
      {csv}
      <ChainCheckButton check={check} />
    </>
  );
  return (
    <Page title={title('audit')} actions={actions}>
      <ChainCheckResult check={check} />
      <AuditFilters />
      <ListCard
        label={t('entries')}
        pages={pages}
        columns={useColumns(setEntry)}
        keyOf={({ id }) => id}
        minWidth={820}
        expected={12}
        empty={{
          icon: IconHistory,
          title: isFiltered ? t('empty') : t('emptyLog'),
          hint: isFiltered ? t('emptyHint') : undefined,
        }}
      />
      <EntrySheet entry={entry} onClose={() => setEntry(null)} />
    </Page>
  );
}

function AuditFilters() {
  const t = useTexts(auditTexts);
  const actionName = useActionName();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const timeZone = useTimeZone();
  const field = (name: 'actor' | 'action' | 'subject') => ({
    label: t(name),
    value: search[name] ?? '',
    onCommit: (text: string) => void navigate({ search: { ...search, [name]: text } }),
  });
  return (
    <FilterBar>
      <ActorSelect {...field('actor')} />
      <FilterChoice
        {...field('action')}
        any={t('any')}
        choices={auditActions().map((action) => ({ value: action, label: actionName(action) }))}
      />
      <FilterText {...field('subject')} placeholder="acc_…" />
      <DayFields
        {...{ timeZone, range: search }}
        onChange={(range) => void navigate({ search: { ...search, ...range } })}
      />
      {Object.keys(given(search)).length === 0 ? null : (
        <Button
          variant="subtle"
          justify="flex-start"
          style={{ alignSelf: 'end' }}
          onClick={() => void navigate({ search: {} })}
        >
          {t('clear')}
        </Button>
      )}
    </FilterBar>
  );
}

function useColumns(show: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] {
  const t = useTexts(auditTexts);
  const actionName = useActionName();
  return [
    {
      name: 'at',
      heading: t('when'),
      cell: (entry) => (
        <UnstyledButton fz="sm" onClick={() => show(entry)}>
          <Text span inherit c="var(--mantine-color-anchor)" style={{ whiteSpace: 'nowrap' }}>
            <ShortTime at={entry.at} />
          </Text>
          <VisuallyHidden>{t('details', { id: entry.id })}</VisuallyHidden>
        </UnstyledButton>
      ),
    },
    {
      name: 'action',
      heading: t('action'),
      cell: ({ action }) => (
        <Badge miw="max-content" title={action}>
          {actionName(action)}
        </Badge>
      ),
    },
    { name: 'subject', heading: t('subject'), cell: ({ subject }) => <AdminLink id={subject} /> },
    { name: 'actor', heading: t('actor'), cell: ({ actor }) => <AdminLink id={actor} /> },
    { name: 'changes', heading: t('changes'), cell: (entry) => <Changes entry={entry} /> },
  ];
}

/** A summary of the first changes in an entry. */
function Changes({ entry }: { readonly entry: AuditEntry }) {
  const t = useTexts(auditTexts);
  const { differences, facts } = readDetail(entry.detail);
  const changes = differences.map(
    ({ field, before, after }) =>
      `${field}: ${before === null ? '' : `${before} → `}${after ?? t('none')}`,
  );
  // Details that are IDs come last, since the other details say more.
  const ordered = facts.toSorted((a, b) => Number(isId(a.field)) - Number(isId(b.field)));
  const lines = [...changes, ...ordered.map(({ field, value }) => `${field}: ${value}`)];
  const hidden = lines.length - SHOWN_CHANGES;
  return (
    <Stack gap={0}>
      {lines.slice(0, SHOWN_CHANGES).map((line, index) => (
        <Text key={line} size="sm" truncate maw={420} title={line}>
          {line}
          {hidden > 0 && index === SHOWN_CHANGES - 1 ? (
            <Text span c="dimmed" size="xs">
              {' '}
              {t('more', { count: hidden })}
            </Text>
          ) : null}
        </Text>
      ))}
    </Stack>
  );
}

const isId = (field: string): boolean => /(?:^|_)id$/.test(field);
