/**
 * Checks whether the conditions of a price card's row hold, and formats them as in the
 * configuration.
 */
import {
  FACT_NAMES,
  type FactName,
  type FactNames,
  type RowConditions,
  WEEKDAYS,
  type Weekday,
} from './card-terms.ts';

/** The facts of one request for which conditions are checked. */
export type Situation = {
  readonly [Name in FactName]: string;
} & { readonly promptTokens: number; readonly moment: Moment };

/**
 * For each fact, maps the words that several providers use for the default value to the word that
 * conditions use. Applies only to words that the price card itself does not map.
 */
const DEFAULT_NAMES: FactNames = {
  tier: new Map([
    ['standard', 'default'],
    ['standard_only', 'default'],
    ['on_demand', 'default'],
  ]),
  speed: new Map([['default', 'standard']]),
  geo: new Map([['not_available', 'global']]),
  size: new Map(),
  quality: new Map(),
};

/** Maps a provider's value to the value in conditions; null for `auto` or no value. */
export function factOf(name: FactName, names: FactNames, value: string | null): string | null {
  if (value === null) return null;
  const folded = value.toLowerCase();
  const known = names[name].get(folded) ?? DEFAULT_NAMES[name].get(folded) ?? folded;
  return known === 'auto' || known === '' ? null : known;
}

/** An instant in a time zone. The local time is computed when a condition first needs it. */
export class Moment {
  readonly atMs: number;
  readonly #zone: string;
  #local: LocalTime | null = null;

  constructor(atMs: number, zone: string) {
    this.atMs = atMs;
    this.#zone = zone;
  }

  get local(): LocalTime {
    this.#local ??= localTime(this.atMs, this.#zone);
    return this.#local;
  }
}

type LocalTime = {
  readonly date: string;
  readonly weekday: Weekday;
  readonly minuteOfDay: number;
};

/** Formatters by time zone, cached because creating one is slow. There are few time zones. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the formatter of a time zone. @throws RangeError when the zone is unknown. */
export function zoneFormatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  formatters.set(zone, made);
  return made;
}

const MINUTE_MS = 60_000;
/**
 * Caches the local time of the latest minute in each zone, because formatting is the slowest step
 * of pricing.
 */
const latest = new Map<string, { readonly minute: number; readonly local: LocalTime }>();

function localTime(atMs: number, zone: string): LocalTime {
  const minute = Math.floor(atMs / MINUTE_MS);
  const known = latest.get(zone);
  if (known?.minute === minute) return known.local;
  const local = formattedTime(atMs, zone);
  latest.set(zone, { minute, local });
  return local;
}

function formattedTime(atMs: number, zone: string): LocalTime {
  const parts = zoneFormatter(zone).formatToParts(atMs);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  return {
    date,
    weekday: WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? 'sun',
    minuteOfDay: Number(part('hour')) * 60 + Number(part('minute')),
  };
}

export function holds(when: RowConditions, situation: Situation): boolean {
  const { promptTokens, moment } = situation;
  for (const name of FACT_NAMES) {
    if (when[name]?.includes(situation[name]) === false) return false;
  }
  if (when.promptOver !== undefined && promptTokens <= when.promptOver) return false;
  if (when.promptFrom !== undefined && promptTokens < when.promptFrom) return false;
  return holdsAt(when, moment);
}

/** Whether the conditions on the time hold, apart from all others. */
export function holdsAt(
  { fromMs, untilMs, hours, days, notOn }: RowConditions,
  moment: Moment,
): boolean {
  if (fromMs !== undefined && moment.atMs < fromMs) return false;
  if (untilMs !== undefined && moment.atMs >= untilMs) return false;
  if (hours === undefined && days === undefined && notOn === undefined) return true;
  const { date, weekday, minuteOfDay } = moment.local;
  if (days?.includes(weekday) === false || notOn?.includes(date) === true) return false;
  return hours?.some(({ from, to }) => minuteOfDay >= from && minuteOfDay < to) ?? true;
}

/** Whether these conditions depend on the time of a request. */
export const dependsOnTime = (when: RowConditions): boolean =>
  (when.fromMs ?? when.untilMs ?? when.hours ?? when.days ?? when.notOn) !== undefined;

const texts = new WeakMap<RowConditions, string>();

/** Returns conditions as text, such as `tier: priority, prompt_over: 272000`, or empty text. */
export function conditionsText(when: RowConditions): string {
  const known = texts.get(when);
  if (known !== undefined) return known;
  const text = textOf(when);
  texts.set(when, text);
  return text;
}

const list = (name: string, values: readonly string[] | undefined) =>
  values === undefined ? [] : [`${name}: ${values.join(' ')}`];
const one = (name: string, value: number | undefined, show: (value: number) => string = String) =>
  value === undefined ? [] : [`${name}: ${show(value)}`];
const instant = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

function textOf(when: RowConditions): string {
  return [
    ...FACT_NAMES.flatMap((name) => list(name, when[name])),
    ...one('prompt_over', when.promptOver),
    ...one('prompt_from', when.promptFrom),
    ...(dependsOnTime(when) ? [timeText(when)] : []),
  ].join(', ');
}

/** Returns the conditions on the time as text; empty without conditions. */
export function timeText(when: RowConditions): string {
  return [
    ...one('from', when.fromMs, instant),
    ...one('until', when.untilMs, instant),
    ...list(
      'hours',
      when.hours?.map(({ from, to }) => `${clockText(from)}-${clockText(to)}`),
    ),
    ...list('days', when.days),
    ...(when.notOn === undefined ? [] : ['not on holidays']),
  ].join(', ');
}

const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
