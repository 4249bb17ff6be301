/**
 * The audit log: filters kept in the URL, the changes of each entry, and a check of the hash
 * chain.
 */
import { Button, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { given } from '#api/given.ts';
import { ShortTime } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { DayFields, FilterBar, FilterChoice } from '#components/tables/filter-fields.tsx';
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
import { useIdNames } from './audit/id-names.ts';
import { SubjectSelect } from './audit/subject-select.tsx';
import { ActorSelect } from './people/actor-select.tsx';

const route = getRouteApi('/app/admin/audit');

export function AuditScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(auditTexts);
  const search = route.useSearch();
  const [entry, setEntry] = useState<AuditEntry | null>(null);
  const pages = useInfiniteQuery(auditQuery(search));
  const check = useChainCheck();
  const isFiltered = Object.keys(given(search)).length > 0;
  return (
    <Page title={title('audit')} actions={<ChainCheckButton check={check} />}>
      <ChainCheckResult check={check} />
      <AuditFilters />
      <ListCard
        label={t('entries')}
        pages={pages}
        columns={useColumns(setEntry)}
        keyOf={({ id }) => id}
        name="admin-audit"
        csv={{ href: auditCsvAddress(search) }}
        hasViews
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
      <SubjectSelect {...field('subject')} />
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
  const names = useIdNames();
  const nameOf = (id: string): string => names.get(id) ?? id;
  return [
    {
      name: 'at',
      heading: t('when'),
      cell: (entry) => (
        <UnstyledButton fz="inherit" mih={24} aria-haspopup="dialog" onClick={() => show(entry)}>
          <ShortTime at={entry.at} />
          <VisuallyHidden>{t('details', { id: entry.id })}</VisuallyHidden>
        </UnstyledButton>
      ),
      value: ({ at }) => at,
    },
    {
      name: 'action',
      heading: t('action'),
      phone: 'state',
      cell: ({ action }) => <span style={{ whiteSpace: 'nowrap' }}>{actionName(action)}</span>,
      value: ({ action }) => actionName(action),
    },
    {
      name: 'subject',
      heading: t('subject'),
      cell: ({ subject }) => <AdminLink id={subject} name={names.get(subject)} />,
      value: ({ subject }) => nameOf(subject),
    },
    {
      name: 'actor',
      heading: t('actor'),
      cell: ({ actor }) => <AdminLink id={actor} name={names.get(actor)} />,
      value: ({ actor }) => nameOf(actor),
    },
    {
      name: 'changes',
      heading: t('changes'),
      cell: (entry) => <Changes entry={entry} nameOf={nameOf} />,
    },
  ];
}

type ChangesProps = { readonly entry: AuditEntry; readonly nameOf: (id: string) => string };

/** The changes of an entry on one line. */
function Changes({ entry, nameOf }: ChangesProps) {
  const t = useTexts(auditTexts);
  const { differences, facts } = readDetail(entry.detail);
  const changes = differences.map(
    ({ field, before, after }) =>
      `${field}: ${before === null ? '' : `${nameOf(before)} → `}${after === null ? t('none') : nameOf(after)}`,
  );
  // Details that are IDs come last, since the other details say more.
  const ordered = facts.toSorted((a, b) => Number(isId(a.field)) - Number(isId(b.field)));
  const lines = [...changes, ...ordered.map(({ field, value }) => `${field}: ${nameOf(value)}`)];
  return (
    <Text inherit truncate maw={340} title={lines.join('\n')}>
      {lines.join(' · ')}
    </Text>
  );
}

const isId = (field: string): boolean => /(?:^|_)id$/.test(field);
