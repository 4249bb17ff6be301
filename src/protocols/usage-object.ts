/**
 * Reads counts in the `usage` objects of all dialects, rejects implausible ones, and writes the
 * cost into these objects.
 */
import { plainNumber } from '../json/exact-numbers.ts';
import { asJsonObject, type JsonObject } from '../json/object.ts';
import { PICO_DIGITS } from '../money/price.ts';
import { FEE_UNITS, type Served } from '../money/served.ts';
import type { CostFields } from './dialect.ts';
import type { ReportedCost, ToolUses, UsagePath } from './quirks.ts';

/** Maximum plausible count. A higher count is a fault of the upstream and must not be charged. */
const MAX_COUNT = 1_000_000_000;
/** Maximum uses of one tool in a request. No provider allows more, so a higher count is a fault. */
const MAX_USES = 1000;
/** Maximum UTF-16 code units of an id, model name or tier that a receipt stores. */
const MAX_NAME_UNITS = 256;
/** Maximum plausible price of one request, in pico-USD: 1000 USD. */
const MAX_COST_PICO = 1e15;

/** Returns a token count. Null and absent counters are 0; an implausible count is NaN. */
export function tokenCount(value: unknown): number {
  const given = value ?? 0;
  const believable =
    typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= MAX_COUNT;
  return believable ? given : Number.NaN;
}

/** Returns the output tokens that only `total_tokens` includes; NaN for an implausible count. */
export function excessOf(usage: JsonObject, input: string, output: string): number {
  if ((usage[input] ?? null) === null || (usage[output] ?? null) === null) return 0;
  const counted = tokenCount(usage[input]) + tokenCount(usage[output]);
  return Math.max(0, tokenCount(usage['total_tokens']) - counted);
}

/**
 * Returns the given parts of a total and, as the last element, the rest. If the parts exceed the
 * total, the earlier parts count in full and the later ones are reduced, so the results always sum
 * to the total.
 */
export function disjointParts(total: number, ...parts: readonly number[]): readonly number[] {
  let rest = total;
  const taken: number[] = [];
  for (const part of parts) {
    const own = Math.min(part, rest);
    rest -= own;
    taken.push(own);
  }
  taken.push(rest);
  return taken;
}

/**
 * A cache of the names in each path. It stays small: paths come only from configuration and code.
 */
const NAMES_IN = new Map<UsagePath, readonly string[]>();

/** Returns the value at a path, such as `prompt_tokens_details.cached_tokens`. */
export function valueAt(json: JsonObject, path: UsagePath): unknown {
  let names = NAMES_IN.get(path);
  if (names === undefined) {
    names = path.split('.');
    NAMES_IN.set(path, names);
  }
  let at: unknown = json;
  for (const name of names) at = asJsonObject(at)?.[name];
  return at ?? null;
}

/** Returns a name that the upstream reports; null if it is missing or too long for a receipt. */
export const reportedName = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME_UNITS ? value : null;

/** Returns `earlier`, updated with the tool uses in `usage` that are plausible and above 0. */
export function toolUsesIn(
  usage: JsonObject,
  paths: ToolUses,
  earlier: Served['uses'] = NO_USES,
): Served['uses'] {
  let uses: { -readonly [Unit in keyof Served['uses']]: number } | null = null;
  for (const unit of FEE_UNITS) {
    const counters = paths[unit];
    if (counters === undefined) continue;
    let count = 0;
    for (const path of counters) count += tokenCount(valueAt(usage, path));
    if (count === 0 || !(count <= MAX_USES)) continue;
    uses ??= { ...earlier };
    uses[unit] = count;
  }
  return uses ?? earlier;
}
const NO_USES: Served['uses'] = {};

/**
 * Returns the price of the request that the upstream reports, in pico-USD; null if it is absent or
 * implausible.
 */
export function reportedPico(usage: JsonObject, cost: ReportedCost | null): bigint | null {
  if (cost === null) return null;
  const value = plainNumber(valueAt(usage, cost.path));
  if (typeof value !== 'number') return null;
  // Up to MAX_COST_PICO, the product's rounding error is less than half a pico-USD.
  const pico = Math.round(value * 10 ** (PICO_DIGITS - cost.decimals));
  return pico >= 0 && pico <= MAX_COST_PICO ? BigInt(pico) : null;
}

/** Members in which upstreams report the cost that they charge the operator. */
const OPERATOR_COSTS: readonly string[] = [
  'cost',
  'cost_details',
  'cost_in_usd_ticks',
  'estimated_cost',
];

/** Members with counts, which callers need. They are kept even if an upstream's cost is in them. */
const COUNT_MEMBERS: ReadonlySet<string> = new Set([
  'prompt_tokens',
  'completion_tokens',
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'prompt_tokens_details',
  'completion_tokens_details',
  'input_tokens_details',
  'output_tokens_details',
  'cache_creation',
  'server_tool_use',
  'server_tool_use_details',
  'server_side_tool_usage_details',
]);

/**
 * The names to remove for each path of a cost. It stays small: paths come only from configuration
 * and code.
 */
const COSTS_WITH = new Map<UsagePath, readonly string[]>();

/**
 * Returns the members of `usage` that state the operator's cost. The member in which the upstream
 * reports its price is one of them, wherever the operator's configuration says that it is.
 */
function operatorCosts(reported: ReportedCost | null): readonly string[] {
  if (reported === null) return OPERATOR_COSTS;
  const known = COSTS_WITH.get(reported.path);
  if (known !== undefined) return known;
  const [name = ''] = reported.path.split('.');
  const isKept = COUNT_MEMBERS.has(name) || OPERATOR_COSTS.includes(name);
  const names = isKept ? OPERATOR_COSTS : [...OPERATOR_COSTS, name];
  COSTS_WITH.set(reported.path, names);
  return names;
}

/**
 * Returns `usage` without the cost that the upstream charges the operator; `usage` itself if it has
 * no such cost.
 */
export function withoutCost(usage: JsonObject, reported: ReportedCost | null): JsonObject {
  const costs = operatorCosts(reported);
  return costs.some((name) => name in usage)
    ? Object.fromEntries(Object.entries(usage).filter(([name]) => !costs.includes(name)))
    : usage;
}

/**
 * Adds edits of a `usage` object to `members`: they write the caller's cost and remove the
 * operator's. Each edit maps a member's name to its new JSON text, which keeps all digits, or to
 * null to remove the member.
 */
export function addCostMembers(
  members: Map<string, string | null>,
  cost: CostFields,
  reported: ReportedCost | null,
): void {
  for (const name of operatorCosts(reported)) members.set(name, null);
  members.set('cost', cost.usd);
  members.set('cost_exact', JSON.stringify(cost.exact));
  members.set('cost_currency', JSON.stringify(cost.currency));
  if (cost.estimated !== null) members.set('cost_estimated', 'true');
}

/**
 * Returns `text`, the usage as the upstream reported it, with the cost appended. Returns null if
 * the cost cannot be appended, for one of three reasons: `text` is not exactly
 * `JSON.stringify(usage)`, it has no members, or it contains the cost that the upstream charges the
 * operator, which must be removed.
 */
export function appendedCost(
  usage: JsonObject,
  text: string,
  cost: CostFields,
  reported: ReportedCost | null,
): string | null {
  for (const name of operatorCosts(reported)) if (name in usage) return null;
  if (text.length <= 2 || JSON.stringify(usage) !== text) return null;
  const { usd, exact, currency } = cost;
  return `${text.slice(0, -1)},"cost":${usd},"cost_exact":"${exact}","cost_currency":"${currency}"}`;
}

/**
 * Returns usage as JSON text: first the counts, then the caller's cost, which replaces the cost
 * that the upstream reported.
 * @param reported where the upstream reports its cost; null if `usage` has only the gateway's own
 *   counts.
 */
export function usageWithCost(
  usage: Readonly<Record<string, unknown>>,
  cost: CostFields,
  reported: ReportedCost | null = null,
): string {
  const members = new Map<string, string | null>();
  addCostMembers(members, cost, reported);
  const counts = Object.entries(usage)
    .filter(([name]) => !members.has(name))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const costs = [...members]
    .filter(([, json]) => json !== null)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${[...counts, ...costs].join(',')}}`;
}
