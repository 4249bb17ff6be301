/** A field that selects who made a change: a person by part of the e-mail address, or a token. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '#i18n/texts.ts';
import { auditTexts } from '#screens/admin/audit/audit-texts.ts';
import { peopleQuery } from './all-people.ts';

/** The delay between the last keystroke and the search. */
const TYPING_MS = 250;
/** The actors that are not people: the operator's token, and the gateway itself. */
const OTHERS = ['admin', 'system'] as const;

export type ActorSelectProps = {
  readonly label: string;
  /** The ID in the URL; empty for everybody. */
  readonly value: string;
  readonly onCommit: (id: string) => void;
};

export function ActorSelect({ label, value, onCommit }: ActorSelectProps) {
  const t = useTexts(auditTexts);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data } = useInfiniteQuery(peopleQuery({ search }));
  const people = data?.pages[0]?.data.map(({ id, email }) => ({ value: id, label: email })) ?? [];
  const known = [...people, ...OTHERS.map((id) => ({ value: id, label: t(id) }))];
  const isUnknown = value !== '' && !known.some((each) => each.value === value);
  return (
    <Select
      label={label}
      value={value === '' ? null : value}
      data={isUnknown ? [{ value, label: value }, ...known] : known}
      searchable
      clearable
      // Shows all options: the server has already filtered them.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      onChange={(id) => onCommit(id ?? '')}
    />
  );
}
