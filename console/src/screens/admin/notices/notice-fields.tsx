/** The fields of an incident or maintenance. */
import { Group, MultiSelect, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { useModels } from '#catalogue/models.ts';
import { DayInput } from '#components/forms/day-input.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { adminNoticeTexts } from './notice-admin-texts.ts';
import { affectedKey, momentOf, type NoticeForm } from './notice-form.ts';

/** The API's limits, in characters. */
const MAX_TITLE = 120;
export const MAX_TEXT = 2_000;
const MAX_AFFECTED = 50;

export type NoticeFieldsProps<Values extends NoticeForm> = {
  readonly form: UseFormReturnType<Values>;
  readonly textLabel: string;
  /** Whether the form has a field for the end. */
  readonly hasEnd: boolean;
  readonly startHint?: string;
  /** Content between the fields for texts and the fields for times. */
  readonly children?: ReactNode;
};

export function NoticeFields<Values extends NoticeForm>({
  form,
  textLabel,
  hasEnd,
  startHint,
  children,
}: NoticeFieldsProps<Values>) {
  const t = useTexts(adminNoticeTexts);
  return (
    <>
      <TextInput
        label={t('title')}
        maxLength={MAX_TITLE}
        data-autofocus
        {...form.getInputProps('title')}
      />
      {children}
      <Textarea
        label={textLabel}
        description={t('textHint')}
        maxLength={MAX_TEXT}
        autosize
        minRows={3}
        maxRows={12}
        {...form.getInputProps('text')}
      />
      <MultiSelect
        label={t('affects')}
        description={t('affectsHint')}
        data={useAffectable(form.values.affects)}
        maxValues={MAX_AFFECTED}
        limit={200}
        searchable
        clearable
        hidePickedOptions
        {...form.getInputProps('affects')}
        value={[...form.values.affects]}
      />
      <Moment
        form={form}
        name="starts_at"
        label={t('starts')}
        {...(startHint ? { hint: startHint } : {})}
      />
      {hasEnd ? <Moment form={form} name="ends_at" label={t('ends')} /> : null}
    </>
  );
}

type MomentFieldProps<Values extends NoticeForm> = {
  readonly form: UseFormReturnType<Values>;
  readonly name: 'starts_at' | 'ends_at';
  readonly label: string;
  readonly hint?: string;
};

function Moment<Values extends NoticeForm>({ form, name, label, hint }: MomentFieldProps<Values>) {
  const t = useTexts(adminNoticeTexts);
  const { pair } = useFormats();
  const { error } = form.getInputProps(name);
  const time = form.getInputProps(`${name}.time`);
  return (
    <Group align="flex-start" grow wrap="nowrap">
      <DayInput
        label={label}
        description={hint}
        {...form.getInputProps(`${name}.day`)}
        value={form.values[name].day}
        error={error}
      />
      <TextInput
        label={t('timeUtc')}
        description={hint === undefined ? undefined : '\u00a0'}
        placeholder="09:30"
        autoComplete="off"
        maxLength={5}
        aria-label={pair(label, t('timeUtc'))}
        {...time}
      />
    </Group>
  );
}

/**
 * Returns the options of the field `affects`: all channels and models.
 * @param chosen the selected options, which are included even if they are no longer sold.
 */
function useAffectable(chosen: readonly string[]) {
  const label = useAffectableLabel();
  const models = useModels().data ?? [];
  const channels = ['direct', 'stable', 'economical'] as const;
  const all = [
    ...channels.map((channel) => affectedKey(null, channel)),
    ...models.flatMap(({ id, channels: sold }) => [
      affectedKey(id, null),
      ...sold.map(({ channel }) => affectedKey(id, channel)),
    ]),
  ];
  return [...new Set([...all, ...chosen])].map((value) => ({ value, label: label(value) }));
}

/** Returns a function that names the model and channel of an option of `affects`. */
export function useAffectableLabel(): (key: string) => string {
  const t = useTexts(adminNoticeTexts);
  const channelName = useChannelName();
  const models = useModels().data ?? [];
  return (key) => {
    const at = key.indexOf(' ');
    const [channel, id] = [key.slice(0, at), key.slice(at + 1)];
    const name = models.find((model) => model.id === id)?.name ?? id;
    if (id === '') return `${channelName(channel)} · ${t('anyModel')}`;
    return channel === '' ? name : `${name} · ${channelName(channel)}`;
  };
}

/** Returns the form's validation. @param needsTimes whether both times are required. */
export function useNoticeChecks(needsTimes: boolean) {
  const t = useTexts(adminNoticeTexts);
  const moment = (entered: NoticeForm['starts_at'], isNeeded: boolean): string | null => {
    const found = momentOf(entered);
    return found === undefined || (found === null && isNeeded) ? t('wrongMoment') : null;
  };
  return ({ title, text, starts_at: start, ends_at: end }: NoticeForm) => ({
    title: title.trim() === '' ? t('required') : null,
    text: text.trim() === '' ? t('required') : null,
    starts_at: moment(start, needsTimes),
    ends_at: moment(end, needsTimes),
  });
}
