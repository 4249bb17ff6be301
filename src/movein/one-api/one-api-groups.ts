/**
 * Converts the groups of one-api and new-api to price lists. The ratio of a group multiplies all
 * prices.
 */
import { hash } from 'node:crypto';
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
/** Matches a valid name of a price list. `none` stands for no list. */
const LIST_NAME = /^(?!none$)[a-z0-9][a-z0-9_-]{0,47}$/;
const MAX_PLAIN_CHARS = 36;
const HASH_CHARS = 8;

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
    const name = listName(group);
    const value = factor.isExact ? factor.value : factor.value + 1n;
    if (name !== group) skip(`Its price list is named ${name} here.`);
    if (!factor.isExact) skip('The factor of its price list is rounded up to six decimals.');
    settings[name] = { factor: decimalText(value, FACTOR_DIGITS) };
    lists.set(group, name);
  }
  return { publicRatio, lists, settings, left };
}

/**
 * Returns the name of a group's price list. A group whose name is invalid here gets one with a hash
 * of its name, so that the name is the same in every run.
 */
function listName(group: string): string {
  if (LIST_NAME.test(group)) return group;
  const plain = group
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^[_-]+|-+$/g, '')
    .slice(0, MAX_PLAIN_CHARS);
  const digest = hash('sha256', group, 'hex').slice(0, HASH_CHARS);
  return `${plain === '' ? 'group' : plain}-${digest}`;
}
