/**
 * The values of the key form, and the request made from these values. An empty field means no
 * limit.
 */
import { every, oneOf } from '#api/lists.ts';
import type { components } from '#api/schema.gen.ts';
import { CHANNELS, type ChannelName } from '#catalogue/models.ts';
import { isDay } from '#i18n/entered-days.ts';
import { shownZone } from '#i18n/time-zone.ts';
import { dayIn, lastSecondOf } from '#i18n/zoned-days.ts';
import { formatExact, isAmount, parseAmount } from '#money/amount.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { SPEND_WINDOWS, type SpendOf, type SpendWindow } from './budget.ts';

export type ApiKey = components['schemas']['Key'];
export type Scope = ApiKey['scopes'][number];

export const SCOPES = every<Scope>({ inference: true, usage: true, top_up: true, manage: true });
/** The scopes that the API gives a new key by default. */
const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'manage');

/**
 * The form's values. Fields are named after the API's parameters, so that an API error is shown at
 * the right field.
 */
export type KeyForm = {
  readonly name: string;
  /**
   * The expiry. A day such as 2027-01-31: the key expires at the end of this day in the person's
   * time zone. A duration such as `+1h`: it expires after this time. Empty: it never expires.
   */
  readonly expires_at: string;
  readonly limits: {
    readonly spend: { readonly [Window in SpendWindow]: string };
    readonly requests_per_minute: string;
    readonly tokens_per_minute: string;
    readonly concurrency: string;
    readonly models: string[];
    readonly channels: string[];
    readonly ip_ranges: string[];
  };
  /** The scopes of a key; absent for an account. */
  readonly scopes?: readonly Scope[];
  /** Whether the USD wallet of an account pays for requests in CNY; absent for a key. */
  readonly allow_exchange?: boolean;
};

/** The spending limits as entered, in the form of a key, an account or a member. */
export type CapsForm = {
  readonly limits: { readonly spend: { readonly [Window in SpendWindow]?: string } };
};

/** The offered lifetimes of a key, in hours from now. */
export const LIFETIMES = {
  ...{ '+1h': 1, '+1d': 24, '+7d': 168 },
  ...{ '+30d': 720, '+90d': 2_160, '+1y': 8_760 },
} as const;
export type Lifetime = keyof typeof LIFETIMES;
export const LIFETIME_NAMES = every<Lifetime>({
  ...{ '+1h': true, '+1d': true, '+7d': true, '+30d': true, '+90d': true, '+1y': true },
});
const HOUR_MS = 3_600_000;

export const EMPTY_KEY_FORM: KeyForm = {
  name: '',
  expires_at: '',
  limits: {
    spend: { day: '', week: '', month: '', total: '' },
    requests_per_minute: '',
    tokens_per_minute: '',
    concurrency: '',
    models: [],
    channels: [],
    ip_ranges: [],
  },
  scopes: DEFAULT_SCOPES,
};

/** Returns the form values of a key, or of an account, which has the same limits. */
export function keyFormOf({
  name,
  expires_at: expiresAt,
  limits,
  scopes,
}: Pick<ApiKey, 'name' | 'expires_at' | 'limits'> & Partial<Pick<ApiKey, 'scopes'>>): KeyForm {
  const cap = (window: SpendWindow): string => enteredCap(limits.spend[window]);
  const count = (value: number | null): string => (value === null ? '' : String(value));
  return {
    name,
    expires_at: expiresAt === null ? '' : localDay(new Date(expiresAt)),
    limits: {
      spend: { day: cap('day'), week: cap('week'), month: cap('month'), total: cap('total') },
      requests_per_minute: count(limits.requests_per_minute),
      tokens_per_minute: count(limits.tokens_per_minute),
      concurrency: count(limits.concurrency),
      models: [...(limits.models ?? [])],
      channels: [...(limits.channels ?? [])],
      ip_ranges: [...(limits.ip_ranges ?? [])],
    },
    ...(scopes === undefined ? {} : { scopes }),
  };
}

/**
 * Builds the request body, which contains every limit so that an emptied field removes its limit.
 * @param before the form's initial values. An unchanged expiry day is left out of the body, since
 * sending it would move the expiry to the end of that day.
 */
export function keyBodyOf(
  form: KeyForm,
  before: KeyForm = EMPTY_KEY_FORM,
  nowMs: number = Date.now(),
) {
  const { spend, ...limits } = form.limits;
  const isSameDay = form.expires_at === before.expires_at;
  return {
    name: form.name.trim(),
    ...(isSameDay ? {} : { expires_at: expiryOf(form.expires_at, nowMs) }),
    limits: {
      spend: {
        day: capOf(spend.day),
        week: capOf(spend.week),
        month: capOf(spend.month),
        total: capOf(spend.total),
      },
      requests_per_minute: countOrNull(limits.requests_per_minute),
      tokens_per_minute: countOrNull(limits.tokens_per_minute),
      concurrency: countOrNull(limits.concurrency),
      models: listOrNull(limits.models),
      channels: listOrNull(limits.channels.filter(isChannel)),
      ip_ranges: listOrNull(limits.ip_ranges),
    },
    ...(form.scopes === undefined ? {} : { scopes: [...form.scopes] }),
  };
}

export type KeyFormProblem =
  | 'nameMissing'
  | 'notAmount'
  | 'notCount'
  | 'notDay'
  | 'past'
  | 'noScope';
type Problems = { readonly [path: `${string}.${string}`]: KeyFormProblem } & {
  readonly name?: KeyFormProblem;
  readonly expires_at?: KeyFormProblem;
  readonly scopes?: KeyFormProblem;
};

/**
 * Validates the form and returns errors by field path.
 * @param today the current day in the format of `localDay`.
 */
export function keyFormProblems(form: KeyForm, before: KeyForm, today: string): Problems {
  const { requests_per_minute, tokens_per_minute, concurrency } = form.limits;
  const counts = Object.entries({ requests_per_minute, tokens_per_minute, concurrency }).filter(
    ([, text]) => !isEmptyOr(isCount, text),
  );
  return {
    ...(form.name.trim() === '' ? { name: 'nameMissing' } : {}),
    ...expiryProblem(form.expires_at, before.expires_at, today),
    ...(form.scopes?.length === 0 ? { scopes: 'noScope' } : {}),
    ...capProblems(form),
    ...Object.fromEntries(counts.map(([name]) => [`limits.${name}`, 'notCount'])),
  };
}

/** Validates the spending limits of a form and returns errors by field path. */
export function capProblems({
  limits: { spend },
}: CapsForm): Readonly<Record<string, 'notAmount'>> {
  const wrong = SPEND_WINDOWS.filter((window) => !isEmptyOr(isCap, spend[window] ?? ''));
  return Object.fromEntries(wrong.map((window) => [`limits.spend.${window}`, 'notAmount']));
}

function expiryProblem(expiry: string, before: string, today: string): Problems {
  const isUnchanged = expiry === before;
  if (isUnchanged || expiry === '' || oneOf(LIFETIME_NAMES, expiry) !== undefined) return {};
  if (!isDay(expiry)) return { expires_at: 'notDay' };
  return expiry < today ? { expires_at: 'past' } : {};
}

/** Returns the periods whose spend already reaches the limit that is entered in the form. */
export function spentBeyond({ limits }: CapsForm, spend: SpendOf): readonly SpendWindow[] {
  return SPEND_WINDOWS.filter((window) => {
    const cap = capOf(limits.spend[window] ?? '') ?? '';
    const { spent = '0' } = spend[window] ?? {};
    return isAmount(cap) && parseAmount(spent) >= parseAmount(cap);
  });
}

/**
 * Whether the form has limits other than the monthly limit and the expiry, or non-default scopes.
 */
export function hasRareLimits({ limits: { spend, ...limits }, scopes }: KeyForm): boolean {
  if (scopes !== undefined && !isDefault(scopes)) return true;
  const rare = [spend.day, spend.week, spend.total, ...Object.values(limits)];
  return rare.some(({ length }) => length > 0);
}

const isDefault = (scopes: readonly Scope[]): boolean =>
  SCOPES.every((scope) => scopes.includes(scope) === DEFAULT_SCOPES.includes(scope));

/** Returns the day of a time in the person's time zone, such as 2027-01-31. */
export const localDay = (date: Date): string => dayIn(shownZone(), date.getTime());

function expiryOf(text: string, nowMs: number): string | null {
  if (text === '') return null;
  const lifetime = oneOf(LIFETIME_NAMES, text);
  if (lifetime === undefined) return lastSecondOf(shownZone(), text);
  return new Date(nowMs + LIFETIMES[lifetime] * HOUR_MS).toISOString();
}

/** The format of an amount that the API accepts, with at most nine decimal places. */
const CAP = /^\d{1,10}(?:\.\d{1,9})?$/;
const COUNT = /^[1-9]\d{0,9}$/;
const MAX_COUNT = 1_000_000_000;
const isCap = (text: string): boolean => CAP.test(capOf(text) ?? '');
const isCount = (text: string): boolean => COUNT.test(text) && Number(text) <= MAX_COUNT;
const isEmptyOr = (is: (text: string) => boolean, text: string): boolean =>
  text.trim() === '' || is(text.trim());
const isChannel = (name: string): name is ChannelName =>
  CHANNELS.some((channel) => channel === name);

/** Formats a spending limit for its field; an empty text for no limit. */
export const enteredCap = (amount: string | null): string =>
  amount === null ? '' : formatExact(parseAmount(amount));

/** Returns the spending limit for the API; null for an empty field, which means no limit. */
export const capOf = (text: string): string | null =>
  text.trim() === '' ? null : (enteredAmount(text, { zero: true }) ?? text.trim());
const countOrNull = (text: string): number | null =>
  text.trim() === '' ? null : Number(text.trim());
const listOrNull = <Item>(items: Item[]): Item[] | null => (items.length === 0 ? null : items);
