/** The state of the usage page that is kept in its URL. */
import { type RangeSearch, rangeSearch } from '#screens/reports/range.ts';

export const GROUPINGS = ['model', 'key', 'channel'] as const;
export type Grouping = (typeof GROUPINGS)[number];
export const FILTERS = ['model', 'key_id', 'channel', 'currency'] as const;
export type UsageFilter = (typeof FILTERS)[number];

/** The range, the grouping and the filters. Without `by`, the report is grouped by model. */
export type UsageSearch = RangeSearch & { readonly by?: Grouping } & {
  readonly [Filter in UsageFilter]?: string;
};

const MAX_CHARS = 200;

export const usageSearch = (given: Readonly<Record<string, unknown>>): UsageSearch => {
  const by = GROUPINGS.find((each) => each === given['by']);
  return {
    ...rangeSearch(given),
    ...(by === undefined ? {} : { by }),
    ...texts(given, FILTERS),
  };
};

/**
 * Returns the named string fields of a URL. A number counts as a string, since URLs do
 * not distinguish them.
 */
export function texts<Name extends string>(
  given: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [N in Name]?: string } {
  const entries = names.flatMap((name) => {
    const value = given[name];
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text !== '' ? [[name, text.slice(0, MAX_CHARS)]] : [];
  });
  return Object.fromEntries(entries) as { readonly [N in Name]?: string };
}
