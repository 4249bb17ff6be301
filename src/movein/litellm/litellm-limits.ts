/** Converts the limits and budgets of LiteLLM's keys, users and teams to limits of the gateway. */
import type { LimitsChange } from '../../accounts/limits/limits.ts';
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import type { CapWindow } from '../../ledger/ledger.ts';
import { type NanoAmount, nano, ZERO } from '../../money/amount.ts';
import { amountIn, countIn, isSet, numberIn, objectIn, textIn, textsIn } from '../json-values.ts';

/** The converted limits of a key, user or team, with notes on the limits that could not move. */
export type ReadLimits = {
  readonly limits: LimitsChange;
  /**
   * Whether the key or account must be disabled, because one of its limits allows nothing or cannot
   * be enforced by the gateway.
   */
  readonly isBlocked: boolean;
  readonly notes: readonly string[];
};

/** Maximum models that the limits of a key can list. */
const MAX_MODELS = 100;
/** Maximum characters of a model's name. A longer text cannot be a model's name. */
const MAX_MODEL_CHARS = 200;
const MAX_A_MINUTE = 1_000_000_000;
/**
 * The largest possible cap: a billion USD in nano-USD. A larger budget limits nothing in practice,
 * so it is ignored.
 */
const MAX_CAP = 1_000_000_000n * 1_000_000_000n;
const ALL_MODELS = 'all-proxy-models';
const TEAM_MODELS = 'all-team-models';
const NO_MODELS = 'no-default-models';

export type ModelNames = {
  /** The names of all models that callers can request. */
  readonly names: readonly string[];
  /**
   * The names of models by the group (`access_groups` of deployments) that a key's list can name.
   */
  readonly groups: ReadonlyMap<string, readonly string[]>;
};

const COUNTS = [
  ['requestsPerMinute', 'rpm_limit'],
  ['tokensPerMinute', 'tpm_limit'],
  ['concurrency', 'max_parallel_requests'],
] as const;
type Counts = { [Name in (typeof COUNTS)[number][0]]?: number };

/**
 * Converts the limits of a key, user or team.
 * @param row its row.
 * @param budget the row of the budget that `row` refers to, whose limits apply where `row` has
 *   none.
 * @param known the models and groups that `row` can name.
 */
export function limitsOf(
  row: JsonObject,
  budget: JsonObject | null,
  known: ModelNames,
): ReadLimits {
  const notes: string[] = [];
  const counts: Counts = {};
  let isBlocked = false;
  for (const [name, column] of COUNTS) {
    const value = numberIn(row, column) ?? numberIn(budget ?? {}, column);
    if (value === null) continue;
    if (value < 1) isBlocked = true;
    else counts[name] = Math.min(Math.floor(value), MAX_A_MINUTE);
  }
  if (isBlocked) notes.push('It has a limit of 0, which allows nothing, so it is disabled.');
  const models = modelsOf(textsIn(row, 'models'), known);
  if (models !== null && models.length > MAX_MODELS) {
    isBlocked = true;
    notes.push(`It lists more than ${MAX_MODELS} models, so it is disabled.`);
  }
  const spend = spendOf(row, budget, notes);
  const limits = {
    ...counts,
    ...(models === null || models.length > MAX_MODELS ? {} : { models }),
    ...(Object.keys(spend).length === 0 ? {} : { spend }),
  };
  notes.push(...lostLimits(row));
  return { limits, isBlocked, notes };
}

/** Returns the models that a list allows; null if it allows all models. */
function modelsOf(listed: readonly string[], known: ModelNames): readonly string[] | null {
  // With `TEAM_MODELS`, a key may use the models of its team. The account gets the team's list as a
  // limit, so the key needs none.
  const own = listed.filter((each) => each !== TEAM_MODELS);
  if (listed.length === 0 || own.length < listed.length || own.includes(ALL_MODELS)) return null;
  const names = own
    .filter((each) => each !== NO_MODELS)
    .flatMap((each) => known.groups.get(each) ?? matching(each, known.names));
  return [...new Set(names.filter((name) => name !== '' && name.length <= MAX_MODEL_CHARS))];
}

/**
 * Returns those of `names` that match a pattern with `*`. Returns a pattern without `*` as it is.
 */
function matching(pattern: string, names: readonly string[]): readonly string[] {
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  if (end === undefined) return [pattern];
  // Uses no regular expression: users write the patterns, and matching could take exponential time.
  return names.filter((name) => {
    let at = name.startsWith(start) ? start.length : -1;
    for (const part of parts) {
      if (at < 0) return false;
      const found = name.indexOf(part, at);
      at = found < 0 ? -1 : found + part.length;
    }
    return at >= 0 && name.length - at >= end.length && name.endsWith(end);
  });
}

type Spend = { [Window in CapWindow]?: NanoAmount };

function spendOf(row: JsonObject, budget: JsonObject | null, notes: string[]): Spend {
  const spend: Spend = {};
  const own = [row, budget ?? {}].find((each) => budgetIn(each) !== null);
  const further = asArray(row['budget_limits']).map((each) => asJsonObject(each) ?? {});
  for (const limit of [own ?? {}, ...further]) {
    const max = budgetIn(limit);
    if (max === null || max > MAX_CAP) continue;
    const duration = textIn(limit, 'budget_duration');
    const { window, isExact } = windowOf(duration);
    // Earlier spending is subtracted only from a budget without a period. With a period, the new
    // cap starts at zero spending.
    const spent = window === 'total' ? (amountIn(row, 'spend') ?? ZERO) : ZERO;
    const cap = nano(max > spent ? max - spent : 0n);
    const present = spend[window];
    if (present === undefined || cap < present) spend[window] = cap;
    if (!isExact)
      notes.push(`Its budget period was ${duration}; here the budget is ${WINDOWS[window]}.`);
  }
  return spend;
}

/**
 * Returns the budget of a row in nano-USD; null if it has none. A negative budget allows nothing,
 * so it counts as zero.
 */
export const budgetIn = (row: JsonObject): NanoAmount | null =>
  (numberIn(row, 'max_budget') ?? 0) < 0 ? ZERO : amountIn(row, 'max_budget');

const WINDOWS: Readonly<Record<CapWindow, string>> = {
  day: 'for a day',
  week: 'for a week',
  month: 'for a calendar month',
  total: 'the amount that is left, without a period',
};
const WORDS: ReadonlyMap<string, string> = new Map([
  ['hourly', '1h'],
  ['daily', '1d'],
  ['weekly', '7d'],
  ['monthly', '30d'],
]);
const HOURS: ReadonlyMap<string, number> = new Map([
  ['s', 1 / 3600],
  ['m', 1 / 60],
  ['h', 1],
  ['d', 24],
  ['w', 168],
  ['mo', 720],
]);
const [DAY_HOURS, WEEK_HOURS, MONTH_HOURS] = [24, 168, 720];

/**
 * Returns the spending period for a budget. `isExact` is true if the period equals that of the
 * budget. This is so for LiteLLM's `1d`, `7d` and `30d`, which also start at midnight, on Mondays
 * and on the first of a month, in UTC. Any other duration becomes the next longer period, so that
 * nobody can spend more than before.
 */
function windowOf(duration: string | null): { window: CapWindow; isExact: boolean } {
  if (duration === null) return { window: 'total', isExact: true };
  const text = WORDS.get(duration.trim().toLowerCase()) ?? duration;
  const [, count, unit = ''] = /^(\d+)(mo|[smhdw])$/.exec(text) ?? [];
  const hours = Number(count) * (HOURS.get(unit) ?? Number.NaN);
  // If LiteLLM cannot parse a duration, it resets the budget at midnight.
  if (Number.isNaN(hours)) return { window: 'day', isExact: false };
  if (hours <= DAY_HOURS) return { window: 'day', isExact: hours === DAY_HOURS };
  if (hours <= WEEK_HOURS) return { window: 'week', isExact: hours === WEEK_HOURS };
  if (hours <= MONTH_HOURS) return { window: 'month', isExact: hours === MONTH_HOURS };
  return { window: 'total', isExact: false };
}

/** Returns notes on limits that have no counterpart in the gateway. */
function lostLimits(row: JsonObject): readonly string[] {
  const metadata = objectIn(row, 'metadata');
  const isLimited = (name: string): boolean => isSet(row[name]) || isSet(metadata[name]);
  return [
    isLimited('model_max_budget') ? 'It has budgets by model, which are not imported.' : null,
    isLimited('model_rpm_limit') || isLimited('model_tpm_limit')
      ? 'It has rate limits by model, which are not imported.'
      : null,
    countIn(row, 'tpd_limit') === null ? null : 'Its limit of tokens per day is not imported.',
    isLimited('guardrails') || isLimited('policies')
      ? 'It has guardrails or policies, which are not imported.'
      : null,
    isSet(row['object_permission_id'])
      ? 'Its permissions for MCP servers, agents and vector stores are not imported.'
      : null,
    isSet(row['access_group_ids']) ? 'Allow the models of its access groups by hand.' : null,
    isSet(row['aliases']) ? 'It has its own model aliases, which are not imported.' : null,
    isSet(row['temp_budget_increase'])
      ? 'A temporary increase of its budget is not imported.'
      : null,
  ].filter((note) => note !== null);
}
