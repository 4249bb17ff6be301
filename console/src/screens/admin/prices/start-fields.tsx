/** The fields for when prices take effect: at once, or at a time in UTC. */
import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { DayInput } from '#components/forms/day-input.tsx';
import { isDay } from '#i18n/entered-days.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { pricesTexts } from './prices-texts.ts';

export type Start = { readonly start: string; readonly day: string; readonly time: string };

export const FROM_NOW: Start = { start: 'now', day: '', time: '00:00' };

/** Returns the time in ISO 8601; null for now, undefined if the fields are invalid. */
export function momentOf({ start, day, time }: Start): string | null | undefined {
  if (start === 'now') return null;
  const isTime = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time);
  if (!isDay(day) || !isTime) return undefined;
  return `${day}T${time.length === 5 ? `${time}:00` : time}Z`;
}

/** Returns the error of each field; an empty object if the start is now or at a future time. */
export function startProblems(
  values: Start,
  nowMs: number,
  t: ReturnType<typeof useTexts<'noDay' | 'noTime' | 'notLater'>>,
): { readonly day?: string; readonly time?: string } {
  const moment = momentOf(values);
  if (moment === undefined) return isDay(values.day) ? { time: t('noTime') } : { day: t('noDay') };
  return moment !== null && Date.parse(moment) <= nowMs ? { day: t('notLater') } : {};
}

export function StartFields<Values extends Start>({
  form,
}: {
  readonly form: UseFormReturnType<Values>;
}) {
  const t = useTexts(pricesTexts);
  const { time: formatted } = useFormats();
  const moment = momentOf(form.values) ?? null;
  return (
    <Stack gap="xs">
      <Stack gap={4}>
        <Text size="sm" fw={500} id="price-start">
          {t('start')}
        </Text>
        <SegmentedControl
          aria-labelledby="price-start"
          data={[
            { value: 'now', label: t('fromNow') },
            { value: 'later', label: t('fromLater') },
          ]}
          {...form.getInputProps('start')}
        />
      </Stack>
      {form.values.start === 'now' ? null : (
        <>
          <Group align="flex-start" grow>
            <DayInput label={t('day')} {...form.getInputProps('day')} value={form.values.day} />
            <TextInput
              label={t('timeUtc')}
              placeholder="00:00"
              autoComplete="off"
              maxLength={8}
              {...form.getInputProps('time')}
            />
          </Group>
          {moment === null ? null : (
            <Text variant="caption">{t('startsAt', { time: formatted(moment) })}</Text>
          )}
        </>
      )}
    </Stack>
  );
}
