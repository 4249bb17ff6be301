/** Fields above a list that narrow it. What they say is kept in the page's address by who shows them. */
import { Autocomplete, Select, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** As many in a line as the screen has room for, two on the narrowest. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm" verticalSpacing="xs">
      {children}
    </SimpleGrid>
  );
}

type FilterProps = {
  readonly label: string;
  /** As the address has it; empty: any. */
  readonly value: string;
  readonly onCommit: (value: string) => void;
};

export type FilterTextProps = FilterProps & {
  readonly placeholder?: string;
  readonly suggestions?: readonly string[];
};

/** Text that counts once it is left, chosen, or sent with Enter: not with each letter. */
export function FilterText({
  label,
  value,
  onCommit,
  placeholder = '',
  suggestions = [],
}: FilterTextProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // Back and forward change the address, and with it what stands here.
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

/** A day; its calendar is the browser's. */
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
  /** What it says while nothing is chosen. */
  readonly any: string;
};

export function FilterChoice({ label, value, onCommit, choices, any }: FilterChoiceProps) {
  return (
    <Select
      label={label}
      value={value === '' ? null : value}
      placeholder={any}
      data={[...choices]}
      clearable
      onChange={(chosen) => onCommit(chosen ?? '')}
    />
  );
}
