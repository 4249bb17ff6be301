/**
 * Converts the groups of one-api and new-api to price lists. The ratio of a group multiplies all
 * prices.
 */
import {
  decimalText,
  dividedBy,
  type Exact,
  exactNumbers,
  isEqual,
  roundedDown,
  wholeNumber,
} from '../exact.ts';
import type { Left, MovedSettings } from '../move-in.ts';
import { textIn } from '../source-tables.ts';
import type { OneApi } from './one-api-tables.ts';

/** The ratio of a group for which the options set no ratio. */
const PLAIN = wholeNumber(1n);
/** The group of users and channels that name no group. Its prices become the public prices. */
export const DEFAULT_GROUP = 'default';
const FACTOR_DIGITS = 6;
const MAX_LIST_CHARS = 64;

export type OneApiGroups = {
  /** The ratio of the default group. Public prices include this factor. */
  readonly publicRatio: Exact;
  /**
   * The name of each group's price list, by group. A group that pays the public prices is absent.
   */
  readonly lists: ReadonlyMap<string, string>;
  readonly settings: MovedSettings['price_lists'];
  readonly left: readonly Left[];
};

/** Converts the groups of users to price lists. A group without users gets no list. */
export function oneApiGroups({ options, users }: OneApi): OneApiGroups {
  const ratios = exactNumbers(options.get('GroupRatio') ?? '{}', 'GroupRatio');
  const publicRatio = ratios.get(DEFAULT_GROUP) ?? PLAIN;
  const groups = new Set(users.map((user) => textIn(user, 'group') || DEFAULT_GROUP));
  const left: Left[] = [];
  const settings: Record<string, Readonly<Record<string, unknown>>> = {};
  const lists = new Map<string, string>();
  for (const group of groups) {
    const ratio = ratios.get(group) ?? PLAIN;
    if (isEqual(ratio, publicRatio)) continue;
    const skip = (reason: string) => left.push({ what: 'group', name: group, reason });
    if (ratio.over <= 0n || publicRatio.over <= 0n) {
      skip('The ratio of the group is zero or below, so its users pay the public prices.');
      continue;
    }
    const factor = roundedDown(dividedBy(ratio, publicRatio), FACTOR_DIGITS);
    const name = group.slice(0, MAX_LIST_CHARS);
    const value = factor.isExact ? factor.value : factor.value + 1n;
    if (!factor.isExact) skip('The factor of its price list is rounded up to six decimals.');
    settings[name] = { factor: decimalText(value, FACTOR_DIGITS) };
    lists.set(group, name);
  }
  return { publicRatio, lists, settings, left };
}
