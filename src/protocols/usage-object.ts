/** Reads plausible counters and writes the cost in the `usage` objects of both dialects. */
import { plainNumber } from '../json/exact-numbers.ts';
import { asJsonObject, type JsonObject } from '../json/object.ts';
import { divideHalfEven, formatDecimal } from '../money/amount.ts';
import { PICO_DIGITS } from '../money/price.ts';
import { FEE_UNITS, type Served } from '../money/served.ts';
import type { CostFields } from './dialect.ts';
import type { ReportedCost, ToolUses, UsagePath } from './quirks.ts';

/** Largest plausible count. A higher count is a fault of the upstream and must not be charged. */
const MAX_COUNT = 1_000_000_000;
/** Most uses of one tool in a request. No provider allows more, so a higher count is a fault. */
const MAX_USES = 1000;
/** Longest id, model name or tier that is kept on a receipt. */
const MAX_NAME_UNITS = 256;
/** Highest plausible price of one request, in pico-USD. */
const MAX_COST_PICO = 10n ** 18n;

/** Returns a token count. Null and absent counters are 0; an implausible count is NaN. */
export function tokenCount(value: unknown): number {
  const given = value ?? 0;
  const believable =
    typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= MAX_COUNT;
  return believable ? given : Number.NaN;
}

/**
 * Divides a total among parts that it includes, and a rest, which is last. Earlier parts count in
 * full, so the results are disjoint and sum to the total, however the parts overlap.
 */
export function disjointParts(total: number, ...parts: readonly number[]): readonly number[] {
  let rest = total;
  const taken = parts.map((part) => {
    const own = Math.min(part, rest);
    rest -= own;
    return own;
  });
  return [...taken, rest];
}

/** Returns the value at a path, such as `prompt_tokens_details.cached_tokens`. */
export function valueAt(json: JsonObject, path: UsagePath): unknown {
  let at: unknown = json;
  for (const name of path.split('.')) at = asJsonObject(at)?.[name];
  return at ?? null;
}

/** Returns a name that the upstream reports; null if there is none, or it is too long to keep. */
export const reportedName = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME_UNITS ? value : null;

/** Returns the plausible counts of tool uses that are not 0. */
export function toolUsesIn(usage: JsonObject, paths: ToolUses): Served['uses'] {
  const uses: { -readonly [Unit in keyof Served['uses']]: number } = {};
  for (const unit of FEE_UNITS) {
    let count = 0;
    for (const path of paths[unit] ?? []) count += tokenCount(valueAt(usage, path));
    if (count > 0 && count <= MAX_USES) uses[unit] = count;
  }
  return uses;
}

/** Returns the upstream's own price, rounded to 12 places; null if it is absent or implausible. */
export function reportedUsd(usage: JsonObject, cost: ReportedCost | null): string | null {
  if (cost === null) return null;
  const value = plainNumber(valueAt(usage, cost.path));
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const match = /^(\d{1,20})(?:\.(\d{1,40}))?(?:e([+-]\d{1,2}))?$/.exec(String(value));
  if (match === null) return null;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  const places = PICO_DIGITS - cost.decimals - fraction.length + Number(exponent);
  const pico =
    places >= 0 ? digits * 10n ** BigInt(places) : divideHalfEven(digits, 10n ** BigInt(-places));
  return pico > MAX_COST_PICO ? null : formatDecimal(pico, PICO_DIGITS, 0);
}

/** Returns the cost as JSON text, so that no digit is lost. Null removes the operator's cost. */
export const costMembers = (cost: CostFields): ReadonlyMap<string, string | null> =>
  new Map([
    ['cost_details', null],
    ['cost_in_usd_ticks', null],
    ['cost', cost.usd],
    ['cost_exact', JSON.stringify(cost.exact)],
    ['cost_currency', JSON.stringify(cost.currency)],
  ]);

/** Returns usage as JSON text. The cost follows its counts and replaces an upstream's own. */
export function usageWithCost(usage: Readonly<Record<string, unknown>>, cost: CostFields): string {
  const members = costMembers(cost);
  const counts = Object.entries(usage)
    .filter(([name]) => !members.has(name))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const costs = [...members]
    .filter(([, json]) => json !== null)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${[...counts, ...costs].join(',')}}`;
}
