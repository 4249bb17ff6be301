/** Notices of the status page as the APIs show them. */
import * as z from 'zod';
import { type Catalogue, CHANNELS } from '../../../catalogue/catalogue.ts';
import {
  type Affected,
  NOTICE_KINDS,
  NOTICE_STATES,
  type Notice,
  stateOf,
} from '../../../reports/notices/notice.ts';
import { time } from '../../edge/answer-schema.ts';
import { isoTime } from '../account-body.ts';

const STATE = z.enum(NOTICE_STATES).meta({
  description:
    'The state of an incident: investigating, identified, monitoring or resolved. Maintenance has the other states. canceled: the maintenance was canceled before its start.',
});

const AFFECTED = z
  .strictObject({
    model: z.string().nullable().meta({ description: 'The id of the model; null: all models.' }),
    name: z.string().nullable().meta({
      description: 'The name of the model; null: all models, or a model that is no longer sold.',
    }),
    channel: z.enum(CHANNELS).nullable().meta({ description: 'The channel; null: all channels.' }),
  })
  .meta({ id: 'AffectedByNotice' });

const UPDATE = z
  .strictObject({
    at: time.meta({ description: 'When the update was written.' }),
    state: STATE,
    text: z.string().meta({ description: 'The text of the update, as plain text.' }),
  })
  .meta({ id: 'NoticeUpdate' });

const FIELDS = {
  id: z.string().meta({ description: 'The id of the notice.' }),
  kind: z
    .enum(NOTICE_KINDS)
    .meta({ description: 'Whether the notice is about an incident or planned maintenance.' }),
  state: STATE,
  title: z.string().meta({ description: 'The title, as plain text.' }),
  affects: z
    .array(AFFECTED)
    .meta({ description: 'The affected models and channels. Empty: everything is affected.' }),
  starts_at: time.meta({ description: 'When the incident or maintenance began, or will begin.' }),
  ends_at: time.nullable().meta({
    description: 'When the incident or maintenance ended, or will end; null: the incident is open.',
  }),
  updates: z.array(UPDATE).meta({ description: 'The updates, latest first.' }),
  updated_at: time.meta({ description: 'When the notice was last changed.' }),
} as const;

export const NOTICE = z.strictObject(FIELDS).meta({
  id: 'Notice',
  description: 'An incident or maintenance that the operator published.',
});
export type NoticeBody = z.infer<typeof NOTICE>;
/** The fields of a notice, which larger bodies include. */
export const NOTICE_FIELDS = FIELDS;

/**
 * Removes the models and channels that are sold only on price lists, because the public must not
 * see them. Leaves out a notice that names no other models or channels.
 */
export const publicNotices = (
  notices: readonly Notice[],
  { models, all }: Catalogue,
): readonly Notice[] =>
  notices.flatMap((notice) => {
    const affects = notice.affects.filter(({ model, channel }) => {
      if (model === null || !all.has(model)) return true;
      const name = CHANNELS.find((each) => each === channel);
      const [sold, known] = [models.get(model), all.get(model)];
      if (name === undefined) return sold !== undefined;
      return sold?.channels.has(name) === true || known?.channels.has(name) === false;
    });
    if (affects.length === notice.affects.length) return [notice];
    return affects.length === 0 ? [] : [{ ...notice, affects }];
  });

export function noticeBody(notice: Notice, { models }: Catalogue, nowMs: number): NoticeBody {
  return {
    id: notice.id,
    kind: notice.kind,
    state: stateOf(notice, nowMs),
    title: notice.title,
    affects: notice.affects.map(({ model, channel }: Affected) => ({
      model,
      name: model === null ? null : (models.get(model)?.name ?? null),
      channel: CHANNELS.find((name) => name === channel) ?? null,
    })),
    starts_at: isoTime(notice.startsAtMs),
    ends_at: isoTime(notice.endsAtMs),
    updates: notice.updates
      .map(({ atMs, state, text }) => ({ at: isoTime(atMs), state, text }))
      .toReversed(),
    updated_at: isoTime(notice.changedAtMs),
  };
}
