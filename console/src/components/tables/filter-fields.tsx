/** Filter fields above a list. The caller keeps their values in the page's URL. */
import { Input, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { DayInput } from '#components/forms/day-input.tsx';
import { MAX_FILTER_CHARS } from '#components/search-reader.ts';
import { daysOf, endOf, rangeOfDays, startOf, type TimeRange } from '#components/time-range.ts';
import { isDay } from '#i18n/entered-days.ts';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('filter-fields', {
  en: { from: 'From', to: 'To', clear: 'Clear {{label}}' },
  zh: { from: '开始日期', to: '结束日期', clear: '清除{{label}}' },
});

/** Arranges as many fields on a line as fit, but at least two. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, lg: 6 }} spacing="sm" verticalSpacing="xs">
      {children}
    </SimpleGrid>
  );
}

type FilterProps = {
  readonly label: string;
  /** The filter's value in the URL; empty if the filter is not set. */
  readonly value: string;
  readonly onCommit: (value: string) => void;
};

export type FilterTextProps = FilterProps & {
  readonly placeholder?: string;
  /**
   * Whether an icon replaces the visible label, because the field is the only search of the page.
   */
  readonly isSearch?: boolean;
  /** Returns an error message that says what to enter instead; null if the text is valid. */
  readonly check?: (text: string) => string | null;
};

/** A text field that reports its value on blur or on Enter, not on every key press. */
export function FilterText(props: FilterTextProps) {
  const { label, value, onCommit, placeholder, isSearch = false, check } = props;
  const t = useTexts(texts);
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  // When the browser's back or forward button has changed the URL, the field shows the new value.
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const commit = (wanted: string): void => {
    const found = wanted === '' ? null : (check?.(wanted) ?? null);
    setProblem(found);
    if (found === null && wanted !== value) onCommit(wanted);
  };
  const clear = (): void => {
    setText('');
    commit('');
  };
  return (
    <TextInput
      {...(isSearch ? { 'aria-label': label, leftSection: <IconSearch size={16} /> } : { label })}
      value={text}
      error={problem}
      placeholder={placeholder ?? ''}
      maxLength={MAX_FILTER_CHARS}
      // Prevents the browser from suggesting values typed in other fields with this name.
      autoComplete="off"
      rightSection={
        text === '' ? null : (
          <Input.ClearButton onClick={clear} aria-label={t('clear', { label })} />
        )
      }
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => commit(text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(text.trim());
      }}
    />
  );
}

export type DayFieldsProps = {
  readonly range: TimeRange;
  /** The time zone in which the days begin and end. */
  readonly timeZone: string;
  readonly onChange: (range: TimeRange) => void;
};

/** The fields for the first and the last day of a range. */
export function DayFields({ range, timeZone, onChange }: DayFieldsProps) {
  const t = useTexts(texts);
  const days = daysOf(range, timeZone);
  const commit = (name: 'from' | 'to', day: string): void => {
    const chosen = day === '' ? undefined : day;
    const { from, to } = { ...days, ...(name === 'from' ? { from: chosen } : { to: chosen }) };
    const isReversed = from !== undefined && to !== undefined && from > to;
    onChange(rangeOfDays(isReversed ? { from: day, to: day } : { from, to }, timeZone));
  };
  return (['from', 'to'] as const).map((name) => (
    <DayField
      key={name}
      label={t(name)}
      value={days[name] ?? ''}
      onCommit={(day) => commit(name, day)}
    />
  ));
}

/** A field for a day, reported on blur, on Enter, or when it is chosen in the calendar. */
function DayField({ label, value, onCommit }: FilterProps) {
  const [day, setDay] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setDay(value);
  }
  const commit = (wanted: string): void => {
    if (wanted !== value && (wanted === '' || isDay(wanted))) onCommit(wanted);
  };
  return (
    <DayInput
      label={label}
      value={day}
      onChange={setDay}
      onChosen={commit}
      onBlur={() => commit(day)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit(day);
      }}
    />
  );
}

/** Describes a range, which may begin or end within a day. */
export function RangeText({ range: { from, to }, timeZone }: Omit<DayFieldsProps, 'onChange'>) {
  const { span } = useFormats(timeZone);
  const range = from === undefined || to === undefined ? [] : [span(startOf(from), endOf(to))];
  return (
    <Text variant="note" py={6}>
      {[...range, timeZone].join(' · ')}
    </Text>
  );
}

export type FilterChoiceProps = FilterProps & {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** The label of the option that selects every value. */
  readonly any: string;
};

/** The maximum number of options shown at a time. The person finds others by typing. */
const MAX_OPTIONS = 50;
/** With at least this many options, the person can type a part of the label. */
const TYPED_FROM = 12;

export function FilterChoice({ label, value, onCommit, choices, any }: FilterChoiceProps) {
  return (
    <Select
      label={label}
      value={value === '' ? null : value}
      placeholder={any}
      data={[...choices]}
      searchable={choices.length > TYPED_FROM}
      limit={MAX_OPTIONS}
      clearable
      onChange={(chosen) => onCommit(chosen ?? '')}
    />
  );
}
