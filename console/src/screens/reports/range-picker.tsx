/** A field that selects a number of recent days, or a range of dates. */
import { Group, SegmentedControl } from '@mantine/core';
import { FilterDate } from '#components/tables/filter-fields.tsx';
import { useTexts } from '#i18n/texts.ts';
import { dayRange, PRESETS, type Preset, presetOf, type RangeSearch } from './range.ts';
import { reportTexts } from './report-texts.ts';

const CUSTOM = 'custom';
const CHOICES = [...PRESETS, CUSTOM] as const;

export type RangePickerProps = {
  readonly range: RangeSearch;
  readonly nowMs: number;
  readonly onChange: (range: RangeSearch) => void;
};

export function RangePicker({ range, nowMs, onChange }: RangePickerProps) {
  const t = useTexts(reportTexts);
  const preset = presetOf(range);
  const days = dayRange(range, nowMs);
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
      {preset !== null ? null : (
        <Group gap="xs" align="flex-end">
          <FilterDate
            label={t('from')}
            value={days.from}
            onCommit={(from) => onChange({ from, to: from > days.to ? from : days.to })}
          />
          <FilterDate
            label={t('to')}
            value={days.to}
            onCommit={(to) => onChange({ from: to !== '' && to < days.from ? to : days.from, to })}
          />
        </Group>
      )}
    </Group>
  );
}
