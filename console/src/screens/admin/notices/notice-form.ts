/** The form values of incidents and maintenance, and their conversion to request bodies. */
import type { components, paths } from '#api/schema.gen.ts';
import type { ChannelName } from '#catalogue/models.ts';
import { isDay } from '#i18n/entered-days.ts';

type Notice = components['schemas']['AdminNotice'];
type BodyOf<Operation> = Operation extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
export type NewNotice = BodyOf<paths['/admin/v1/notices']['post']>;
export type NoticeEdit = BodyOf<paths['/admin/v1/notices/{id}']['patch']>;
export type NoticeUpdate = BodyOf<paths['/admin/v1/notices/{id}/updates']['post']>;
export type SetState = NonNullable<NoticeUpdate['state']>;

/** A day such as 2027-01-31 and a time such as 09:30, in UTC. Both are empty if no time is set. */
export type EnteredMoment = { readonly day: string; readonly time: string };
export const NO_MOMENT: EnteredMoment = { day: '', time: '' };

export type NoticeForm = {
  readonly title: string;
  readonly text: string;
  /**
   * The affected channels and models, each as `CHANNEL MODEL`, where an empty part means all. An
   * empty list means everything.
   */
  readonly affects: readonly string[];
  readonly starts_at: EnteredMoment;
  readonly ends_at: EnteredMoment;
};

/** Returns the time in ISO 8601; null if both fields are empty, undefined if a field is invalid. */
export function momentOf({ day, time }: EnteredMoment): string | null | undefined {
  if (day === '' && time === '') return null;
  const isTime = /^([01]?\d|2[0-3]):[0-5]\d$/.test(time);
  return isDay(day) && isTime ? `${day}T${time.padStart(5, '0')}:00Z` : undefined;
}

export const enteredMoment = (iso: string | null): EnteredMoment =>
  iso === null ? NO_MOMENT : { day: iso.slice(0, 10), time: iso.slice(11, 16) };

export const affectedKey = (model: string | null, channel: string | null): string =>
  `${channel ?? ''} ${model ?? ''}`;

const CHANNEL_NAMES: readonly string[] = ['direct', 'stable', 'economical'] satisfies ChannelName[];
const isChannel = (name: string): name is ChannelName => CHANNEL_NAMES.includes(name);

export function affectedOf(key: string): { model?: string; channel?: ChannelName } {
  const at = key.indexOf(' ');
  const [channel, model] = [key.slice(0, at), key.slice(at + 1)];
  return {
    ...(model === '' ? {} : { model }),
    ...(isChannel(channel) ? { channel } : {}),
  };
}

export const noticeFormOf = ({ title, updates, affects, ...times }: Notice): NoticeForm => ({
  title,
  text: updates[0]?.text ?? '',
  affects: affects.map(({ model, channel }) => affectedKey(model, channel)),
  starts_at: enteredMoment(times.starts_at),
  ends_at: enteredMoment(times.ends_at),
});

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns only the changed fields, since the form would round unchanged times to the minute. */
export function editOf(values: NoticeForm, saved: NoticeForm): NoticeEdit {
  const has = (name: keyof NoticeForm): boolean => !same(values[name], saved[name]);
  const [startsAt, endsAt] = [momentOf(values.starts_at), momentOf(values.ends_at)];
  return {
    ...(has('title') ? { title: values.title } : {}),
    ...(has('text') ? { text: values.text } : {}),
    ...(has('affects') ? { affects: values.affects.map(affectedOf) } : {}),
    ...(has('starts_at') && startsAt != null ? { starts_at: startsAt } : {}),
    ...(has('ends_at') && endsAt != null ? { ends_at: endsAt } : {}),
  };
}

export function newNoticeOf(
  kind: Notice['kind'],
  { title, text, affects, ...times }: NoticeForm,
  state: SetState,
): NewNotice {
  const [startsAt, endsAt] = [momentOf(times.starts_at), momentOf(times.ends_at)];
  return {
    ...{ kind, title, text, affects: affects.map(affectedOf) },
    ...(kind === 'incident' ? { state } : {}),
    ...(startsAt == null ? {} : { starts_at: startsAt }),
    ...(endsAt == null ? {} : { ends_at: endsAt }),
  };
}
