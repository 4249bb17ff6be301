/** A field that selects a number of recent days, or a range of dates. */
import { Group, SegmentedControl } from '@mantine/core';
import { DayFields, RangeText } from '#components/tables/filter-fields.tsx';
import { rangeOfDays } from '#components/time-range.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { dayRange, PRESETS, type Preset, presetOf, type RangeSearch } from './range.ts';

const texts = defineTexts('range-picker', {
  en: {
    range: 'Time range',
    today: 'Today',
    '7d': '7 d',
    '30d': '30 d',
    '90d': '90 d',
    custom: 'Custom',
  },
  zh: {
    range: '时间范围',
    today: '今天',
    '7d': '7 天',
    '30d': '30 天',
    '90d': '90 天',
    custom: '自定义',
  },
});

const CUSTOM = 'custom';
const CHOICES = [...PRESETS, CUSTOM] as const;

export type RangePickerProps = {
  readonly range: RangeSearch;
  /** The time zone in which days begin and end. */
  readonly timeZone: string;
  readonly nowMs: number;
  readonly onChange: (range: RangeSearch) => void;
};

export function RangePicker({ range, timeZone, nowMs, onChange }: RangePickerProps) {
  const t = useTexts(texts);
  const preset = presetOf(range);
  const days = rangeOfDays(dayRange(range, nowMs, timeZone), timeZone);
  const { from = days.from, to = days.to } = preset === null ? range : {};
  const fields = { range: { from, to }, timeZone };
  const choose = (choice: Preset | typeof CUSTOM): void =>
    onChange(choice === CUSTOM ? days : { range: choice });
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        aria-label={t('range')}
        value={preset ?? CUSTOM}
        onChange={choose}
        data={CHOICES.map((value) => ({ value, label: t(value) }))}
      />
      {preset === null ? <DayFields {...fields} onChange={onChange} /> : null}
      <RangeText {...fields} />
    </Group>
  );
}
