/** A notice of an administrator on the status page: an incident, or planned maintenance. */
import { entityTag } from '../../accounts/optimistic-update.ts';
import { GatewayError } from '../../errors.ts';

export const NOTICE_KINDS = ['incident', 'maintenance'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/**
 * States that a person can set. For maintenance this is only `resolved`, because its other states
 * follow from its times.
 */
export const SET_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export type SetState = (typeof SET_STATES)[number];
/**
 * States that are shown. If a person sets maintenance to `resolved`, it is shown as `completed`, or
 * as `canceled` if it had not started.
 */
export const NOTICE_STATES = [
  ...SET_STATES,
  'scheduled',
  'in_progress',
  'completed',
  'canceled',
] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** The subject of a notice: a model, a channel of all models, or a channel of one model. */
export type Affected = { readonly model: string | null; readonly channel: string | null };

export type NoticeUpdate = {
  readonly atMs: number;
  readonly state: NoticeState;
  readonly text: string;
};

export type Notice = {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly title: string;
  /** The affected models and channels; empty if everything is affected. */
  readonly affects: readonly Affected[];
  readonly startsAtMs: number;
  /** The end; null while an incident is open. */
  readonly endsAtMs: number | null;
  /** The updates, oldest first; never empty. */
  readonly updates: readonly NoticeUpdate[];
  readonly createdAtMs: number;
  readonly changedAtMs: number;
  readonly revision: number;
};

const DAY_MS = 86_400_000;
/**
 * How long a notice stays available after its end: the number of days that the status page shows.
 */
export const KEPT_MS = 90 * DAY_MS;
/** Maximum number of notices, so that the public page stays small. */
export const MAX_NOTICES = 300;
export const MAX_UPDATES = 50;
export const MAX_TITLE = 120;
export const MAX_TEXT = 2_000;
export const MAX_AFFECTED = 50;
const MAX_AHEAD_MS = 365 * DAY_MS;
const MAX_MAINTENANCE_MS = 30 * DAY_MS;

export function stateOf(
  { kind, updates, startsAtMs, endsAtMs }: Notice,
  nowMs: number,
): NoticeState {
  const last = updates.at(-1)?.state ?? 'investigating';
  if (kind === 'incident' || last === 'completed' || last === 'canceled') return last;
  if (nowMs < startsAtMs) return 'scheduled';
  return endsAtMs === null || nowMs < endsAtMs ? 'in_progress' : 'completed';
}

export const isOver = (notice: Notice, nowMs: number): boolean =>
  ['resolved', 'completed', 'canceled'].includes(stateOf(notice, nowMs));

/** Whether the notice reports a current failure. */
export const isFailing = (notice: Notice, nowMs: number): boolean =>
  notice.kind === 'incident' && ['investigating', 'identified'].includes(stateOf(notice, nowMs));

/** Whether the notice affects this model: by name, or because it affects all models. */
export const concerns = ({ affects }: Notice, model: string): boolean =>
  affects.length === 0 || affects.some((each) => each.model === null || each.model === model);

/** Returns the entity tag of the fields that can be edited, including the updates. */
export const noticeTag = ({ title, affects, startsAtMs, endsAtMs, updates }: Notice): string =>
  entityTag({ title, affects, startsAtMs, endsAtMs, updates });

export type NewNotice = Pick<Notice, 'kind' | 'title' | 'affects' | 'endsAtMs'> & {
  /** The start; null to start now. */
  readonly startsAtMs: number | null;
  /** The state of an incident; null for `investigating`. It must be null for maintenance. */
  readonly state: SetState | null;
  readonly text: string;
};

/** Returns a new notice. @throws GatewayError `invalid_value` that names a conflicting field. */
export function noticeOf(id: string, wanted: NewNotice, nowMs: number): Notice {
  const { kind, state, text, ...rest } = wanted;
  const notice = {
    ...{ id, kind, ...rest, createdAtMs: nowMs, changedAtMs: nowMs, revision: 1, updates: [] },
    startsAtMs: wanted.startsAtMs ?? nowMs,
  };
  if (kind === 'maintenance') {
    if (state !== null)
      throw invalid(
        'state',
        'is only for incidents: leave it out, because the state of maintenance follows from its times',
      );
    if (notice.endsAtMs === null) throw invalid('ends_at', 'is required for maintenance');
    if (notice.endsAtMs <= nowMs) throw invalid('ends_at', 'must be in the future');
  }
  const isResolved = state === 'resolved';
  const ended = isResolved && notice.endsAtMs === null ? { ...notice, endsAtMs: nowMs } : notice;
  const first = kind === 'incident' ? (state ?? 'investigating') : stateOf(ended, nowMs);
  return checked({ ...ended, updates: [{ atMs: nowMs, state: first, text }] }, nowMs);
}

/**
 * Adds an update.
 * @param state the new state; null to keep the current one.
 * @throws GatewayError `invalid_value`, or `conflict` if there are too many.
 */
export function withUpdate(
  notice: Notice,
  { text, state }: { readonly text: string; readonly state: SetState | null },
  nowMs: number,
): Notice {
  if (notice.updates.length >= MAX_UPDATES) throw tooManyUpdates();
  const next = nextState(notice, state, nowMs);
  const updates = [...notice.updates, { atMs: nowMs, state: next, text }];
  if (notice.kind === 'maintenance') {
    const isEnded = state === 'resolved' && !isOver(notice, nowMs);
    // Canceled maintenance keeps its announced end.
    const endsAtMs = isEnded && next === 'completed' ? nowMs : notice.endsAtMs;
    return { ...notice, updates, endsAtMs };
  }
  const endsAtMs = next === 'resolved' ? (notice.endsAtMs ?? nowMs) : null;
  return { ...notice, updates, endsAtMs };
}

function nextState(notice: Notice, state: SetState | null, nowMs: number): NoticeState {
  const now = stateOf(notice, nowMs);
  if (notice.kind === 'incident') return state ?? now;
  if (state === null || isOver(notice, nowMs)) return now;
  if (state !== 'resolved') {
    throw invalid(
      'state',
      'must be resolved or be left out: the state of maintenance follows from its times',
    );
  }
  return now === 'scheduled' ? 'canceled' : 'completed';
}

export type NoticeEdit = Partial<
  Pick<Notice, 'title' | 'affects' | 'startsAtMs' | 'endsAtMs'> & {
    /** The new text of the latest update. */
    readonly text: string;
  }
>;

/** Returns the edited notice. @throws GatewayError `invalid_value` */
export function edited(notice: Notice, { text, ...edit }: NoticeEdit, nowMs: number): Notice {
  const last = notice.updates.length - 1;
  const updates =
    text === undefined
      ? notice.updates
      : notice.updates.map((each, at) => (at === last ? { ...each, text } : each));
  return checked({ ...notice, ...edit, updates }, nowMs, notice.startsAtMs);
}

/**
 * Returns `notice` if its times are allowed.
 * @param wasStartMs the start before an edit. An unchanged start may be long ago.
 * @throws GatewayError `invalid_value` if the notice's times contradict each other or its state.
 */
function checked(notice: Notice, nowMs: number, wasStartMs: number | null = null): Notice {
  const { kind, startsAtMs, endsAtMs } = notice;
  if (endsAtMs !== null && endsAtMs < startsAtMs) {
    throw invalid('ends_at', 'must not be before starts_at');
  }
  if (startsAtMs !== wasStartMs && startsAtMs < nowMs - KEPT_MS) {
    throw invalid('starts_at', 'must be within the last 90 days');
  }
  if (kind === 'incident') {
    if (startsAtMs > nowMs) throw invalid('starts_at', 'of an incident must not be in the future');
    const isResolved = stateOf(notice, nowMs) === 'resolved';
    if (isResolved && endsAtMs === null)
      throw invalid('ends_at', 'is required for a resolved incident');
    if (!isResolved && endsAtMs !== null) {
      throw invalid('ends_at', 'must be left out while the incident is not resolved');
    }
    if (endsAtMs !== null && endsAtMs > nowMs) {
      throw invalid('ends_at', 'of an incident must not be in the future');
    }
    return notice;
  }
  if (endsAtMs === null) throw invalid('ends_at', 'is required for maintenance');
  if (startsAtMs > nowMs + MAX_AHEAD_MS) throw invalid('starts_at', 'must be within a year');
  if (endsAtMs - startsAtMs > MAX_MAINTENANCE_MS) {
    throw invalid('ends_at', 'must be within 30 days of starts_at');
  }
  return notice;
}

const invalid = (param: string, problem: string): GatewayError =>
  new GatewayError('invalid_value', `${param} ${problem}.`, { param });

const tooManyUpdates = (): GatewayError =>
  new GatewayError(
    'conflict',
    `A notice has at most ${MAX_UPDATES} updates. Edit the latest one, or write another notice.`,
  );
