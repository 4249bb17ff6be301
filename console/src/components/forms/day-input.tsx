/**
 * A field for a day, typed in the format of the person's region or chosen in the browser's
 * calendar. A native date field alone would use the browser's language instead of the page's.
 */
import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { enteredDays, isDay } from '#i18n/entered-days.ts';
import { defineTexts, useLanguage, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('day-input', {
  en: {
    calendar: 'Open calendar: {{label}}',
    wrong: 'Enter a date such as {{example}}.',
  },
  zh: { calendar: '打开日历：{{label}}', wrong: '请输入日期，例如 {{example}}' },
});

/**
 * The day shown as an example. No month has the number 31, so the order of day and month is clear.
 */
const EXAMPLE = '2027-01-31';

export type DayInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'label' | 'min'> & {
  readonly label: string;
  /** A day such as 2027-01-31; empty if no day is entered. */
  readonly value: string;
  /** The first day that the calendar offers. */
  readonly min?: string;
  /** Called with a day, with an empty text, or with a text that is not a day. */
  readonly onChange: (day: string) => void;
  /** Called when a day was chosen in the calendar, after `onChange`. */
  readonly onChosen?: (day: string) => void;
};

export function DayInput({ label, value, min, onChange, onChosen, ...field }: DayInputProps) {
  const t = useTexts(texts);
  const [language] = useLanguage();
  const days = useMemo(() => enteredDays(language), [language]);
  const [isFocused, setFocused] = useState(false);
  const isKnown = isDay(value);
  const shown = isKnown ? days.write(value) : value;
  // The text as it was typed, and the value that was parsed from it.
  const [typed, setTyped] = useState({ text: shown, value });
  const calendar = useRef<HTMLInputElement>(null);
  const type = (text: string): string => {
    const day = days.read(text) ?? text.trim();
    setTyped({ text, value: day });
    onChange(day);
    return day;
  };
  const isWrong = value !== '' && !isKnown && !isFocused;

  return (
    <div style={{ position: 'relative' }}>
      <TextInput
        label={label}
        placeholder={days.pattern}
        inputMode="numeric"
        autoComplete="off"
        maxLength={40}
        {...field}
        error={isWrong ? t('wrong', { example: days.write(EXAMPLE) }) : field.error}
        value={typed.value === value ? typed.text : shown}
        onChange={({ currentTarget: { value: text } }) => void type(text)}
        onFocus={(event) => {
          setFocused(true);
          field.onFocus?.(event);
        }}
        onBlur={(event) => {
          setFocused(false);
          setTyped({ text: shown, value });
          field.onBlur?.(event);
        }}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t('calendar', { label })}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={16} aria-hidden />
          </ActionIcon>
        }
      />
      <input
        ref={calendar}
        type="date"
        aria-hidden
        tabIndex={-1}
        min={min}
        value={isKnown ? value : ''}
        style={{ position: 'absolute', bottom: 0, right: 0, opacity: 0, pointerEvents: 'none' }}
        onChange={({ currentTarget: { value: day } }) => onChosen?.(type(day))}
      />
    </div>
  );
}
