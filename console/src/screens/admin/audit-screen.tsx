/**
 * The audit log: filters kept in the URL, the changes of each entry, and a check of the hash
 * chain.
 */
import {
  Alert,
  Button,
  Select,
  type SelectProps,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { type UseMutationResult, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { given } from '#api/given.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { ShortTime } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { DayFields, FilterBar, FilterChoice } from '#components/tables/filter-fields.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { AdminLink } from './admin-link.tsx';
import { auditActions, useActionName, useFieldName } from './audit/action-texts.ts';
import { type AuditEntry, auditAddress, auditQuery, checkChain } from './audit/audit-queries.ts';
import { auditTexts } from './audit/audit-texts.ts';
import { readDetail } from './audit/differences.ts';
import { EntrySheet } from './audit/entry-sheet.tsx';
import { useIdNames } from './audit/id-names.ts';
import { useValueText } from './audit/value-texts.ts';
import { peopleQuery } from './people/all-people.ts';

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
        download={{ href: auditAddress(search) }}
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
      show: 'wide',
      heading: t('changes'),
      cell: (entry) => <Changes entry={entry} names={names} />,
    },
  ];
}

type ChangesProps = {
  readonly entry: AuditEntry;
  readonly names: ReadonlyMap<string, string>;
};

/** The changes that an entry records, on one line. */
function Changes({ entry, names }: ChangesProps) {
  const t = useTexts(auditTexts);
  const fieldName = useFieldName();
  const valueText = useValueText();
  const { pair } = useFormats();
  const textOf = (field: string, value: string): string =>
    names.get(value) ?? valueText(field, value);
  const { differences, facts } = readDetail(entry.detail);
  const changes = differences.map(({ field, before, after }) => {
    const was = before === null ? '' : `${textOf(field, before)} → `;
    return pair(fieldName(field), `${was}${after === null ? t('none') : textOf(field, after)}`);
  });
  // Details that are IDs come last. IDs without a name are omitted, and so is the ID of the changed
  // object, because it has its own column.
  const telling = facts
    .filter(({ field, value }) => !isId(field) || (names.has(value) && value !== entry.subject))
    .toSorted((a, b) => Number(isId(a.field)) - Number(isId(b.field)));
  const lines = [
    ...changes,
    ...telling.map(({ field, value }) => pair(fieldName(field), textOf(field, value))),
  ];
  return (
    <Text inherit truncate maw={{ base: 250, xl: 440 }} title={lines.join('\n')}>
      {lines.join(' · ')}
    </Text>
  );
}

const isId = (field: string): boolean => /(?:^|_)id$/.test(field);

type Check = UseMutationResult<Awaited<ReturnType<typeof checkChain>>, Error, void>;

const useChainCheck = (): Check => useMutation({ mutationFn: () => checkChain() });

/** A button that verifies the hash chain of the audit log. */
function ChainCheckButton({ check }: { readonly check: Check }) {
  const t = useTexts(auditTexts);
  return (
    <Button
      variant="default"
      leftSection={<IconShieldCheck size={16} />}
      loading={check.isPending}
      onClick={() => check.mutate()}
    >
      {t('verify')}
    </Button>
  );
}

function ChainCheckResult({ check }: { readonly check: Check }) {
  const t = useTexts(auditTexts);
  if (check.error !== null) return <ApiProblem error={check.error} />;
  return check.data === undefined ? null : <Result {...check.data} label={t('chain')} />;
}

type ResultProps = Awaited<ReturnType<typeof checkChain>> & { readonly label: string };

function Result({ ok, verified_up_to: upTo, first_broken_id: brokenId, label }: ResultProps) {
  const t = useTexts(auditTexts);
  if (!ok) {
    return (
      <Alert color="red" role="alert" icon={<IconShieldX />} title={label}>
        {t('broken', { id: brokenId ?? upTo })}
      </Alert>
    );
  }
  return (
    <Alert color="green" role="status" icon={<IconShieldCheck />} title={label}>
      {upTo === 0 ? t('soundEmpty') : t('sound', { count: upTo, id: upTo })}
    </Alert>
  );
}

type IdSelectProps = {
  readonly label: string;
  /** The ID in the URL; empty if the filter is not set. */
  readonly value: string;
  readonly onCommit: (id: string) => void;
};

type KnownIds = Pick<SelectProps, 'limit' | 'filter' | 'onSearchChange'> & {
  readonly known: readonly { readonly value: string; readonly label: string }[];
};

/** A field that selects an ID by its name. An ID in the URL that has no name is shown as it is. */
function IdSelect({ value, onCommit, known, ...select }: IdSelectProps & KnownIds) {
  const t = useTexts(auditTexts);
  const isUnknown = value !== '' && !known.some((each) => each.value === value);
  return (
    <Select
      {...select}
      placeholder={t('any')}
      value={value === '' ? null : value}
      data={isUnknown ? [{ value, label: value }, ...known] : [...known]}
      searchable
      clearable
      onChange={(id) => onCommit(id ?? '')}
    />
  );
}

/** The maximum number of options shown at a time. */
const MAX_OPTIONS = 50;

/**
 * A filter by what was changed: an account, person, key or batch, which the user selects by its
 * name.
 */
function SubjectSelect(props: IdSelectProps) {
  const known = [...useIdNames()].map(([id, name]) => ({ value: id, label: name }));
  return <IdSelect {...props} known={known} limit={MAX_OPTIONS} />;
}

/** The delay between the last keystroke and the search. */
const TYPING_MS = 250;
/** The actors that are not people: the operator's token, and the gateway itself. */
const OTHERS = ['admin', 'system'] as const;

/** A field that selects who made a change: a person by email address, the token, or the gateway. */
function ActorSelect(props: IdSelectProps) {
  const t = useTexts(auditTexts);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data } = useInfiniteQuery(peopleQuery({ search }));
  const people = data?.pages[0]?.data.map(({ id, email }) => ({ value: id, label: email })) ?? [];
  return (
    <IdSelect
      {...props}
      known={[...people, ...OTHERS.map((id) => ({ value: id, label: t(id) }))]}
      // Shows all options: the server has already filtered them.
      filter={({ options }) => options}
      onSearchChange={setTyped}
    />
  );
}
