/** A field that selects what was changed, by the name of an account, person, key or batch. */
import { Select } from '@mantine/core';
import { useIdNames } from './id-names.ts';

/** The most options shown at a time. */
const MAX_OPTIONS = 50;

export type SubjectSelectProps = {
  readonly label: string;
  /** The ID in the URL; empty for everything. */
  readonly value: string;
  readonly onCommit: (id: string) => void;
};

export function SubjectSelect({ label, value, onCommit }: SubjectSelectProps) {
  const names = useIdNames();
  const known = [...names].map(([id, name]) => ({ value: id, label: name }));
  return (
    <Select
      label={label}
      value={value === '' ? null : value}
      data={value === '' || names.has(value) ? known : [{ value, label: value }, ...known]}
      limit={MAX_OPTIONS}
      searchable
      clearable
      onChange={(id) => onCommit(id ?? '')}
    />
  );
}
