/** Filter fields above a list. The caller keeps their values in the page's URL. */
import { Autocomplete, Select, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** Arranges the fields with as many on a line as fit, but at least two. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" verticalSpacing="xs">
      {children}
    </SimpleGrid>
  );
}

type FilterProps = {
  readonly label: string;
  /** The value in the URL; empty for any value. */
  readonly value: string;
  readonly onCommit: (value: string) => void;
};

export type FilterTextProps = FilterProps & {
  readonly placeholder?: string;
  readonly suggestions?: readonly string[];
};

/**
 * A text field that reports its value on blur, on selection or on Enter, but not on every letter.
 */
export function FilterText({
  label,
  value,
  onCommit,
  placeholder = '',
  suggestions = [],
}: FilterTextProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // When the browser's back or forward button has changed the URL, the field shows the new value.
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const commit = (wanted: string): void => {
    if (wanted.trim() !== value) onCommit(wanted.trim());
  };
  return (
    <Autocomplete
      label={label}
      value={text}
      placeholder={placeholder}
      data={[...suggestions]}
      clearable
      onChange={setText}
      onClear={() => commit('')}
      onOptionSubmit={commit}
      onBlur={() => commit(text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(text);
      }}
    />
  );
}

/** A field for a date, with the browser's own calendar. */
export function FilterDate({ label, value, onCommit }: FilterProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      onChange={(event) => onCommit(event.currentTarget.value)}
    />
  );
}

export type FilterChoiceProps = FilterProps & {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** The label of the option that selects every value. */
  readonly any: string;
};

/** The most options shown at a time. With more, the person types a part of the label. */
const MAX_OPTIONS = 50;

export function FilterChoice({ label, value, onCommit, choices, any }: FilterChoiceProps) {
  return (
    <Select
      label={label}
      value={value === '' ? null : value}
      placeholder={any}
      data={[...choices]}
      searchable={choices.length > MAX_OPTIONS}
      limit={MAX_OPTIONS}
      clearable
      onChange={(chosen) => onCommit(chosen ?? '')}
    />
  );
}
