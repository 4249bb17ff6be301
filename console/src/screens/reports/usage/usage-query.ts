/** The query of the usage report, by day and group. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type UsageRow, usageRows } from '#api/usage.ts';
import type { DayRange } from '#components/range/range.ts';
import type { Grouping, usageFilters } from './usage-search.ts';

/** How long a loaded report is reused without another request. */
const FRESH_MS = 30_000;

export type UsageFilters = ReturnType<typeof usageFilters>;

/**
 * A report together with its grouping and range, because the page still shows the previous report
 * while the next one loads.
 */
export type UsageReport = {
  readonly by: Grouping;
  readonly range: DayRange;
  /** The rows by day and group; by day alone if `isSplit` is false. */
  readonly days: readonly UsageRow[];
  /** The rows by group. A group may have a row for each day. */
  readonly groups: readonly UsageRow[];
  /**
   * Whether `days` is divided into groups. It is not if the groups are the days themselves, or if
   * there are too many groups to draw.
   */
  readonly isSplit: boolean;
};

export function usageQuery(
  client: QueryClient,
  by: Grouping,
  filters: UsageFilters,
  range: DayRange,
) {
  const key = ['usage', 'report', by, filters] as const;
  const wider = () =>
    client
      .getQueryCache()
      .findAll({ queryKey: key })
      .find(({ state: { data } }) => isWithin(range, data as UsageReport | undefined));
  return queryOptions({
    queryKey: [...key, range],
    queryFn: ({ signal }) => reportOf(by, { ...filters, ...range }, range, signal),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    // If a report with a longer range is loaded, its rows are the initial data.
    initialData: () => {
      const report = wider()?.state.data as UsageReport | undefined;
      return report === undefined ? undefined : cutTo(range, report);
    },
    initialDataUpdatedAt: () => wider()?.state.dataUpdatedAt,
  });
}

async function reportOf(
  by: Grouping,
  query: Omit<Parameters<typeof usageRows>[0], 'group_by'>,
  range: DayRange,
  signal: AbortSignal,
): Promise<UsageReport> {
  const both = by === 'day' ? 'day' : `day,${by}`;
  const { rows, isWhole } = await usageRows({ ...query, group_by: both }, signal);
  const isSplit = by !== 'day';
  if (isWhole) return { by, range, days: rows, groups: rows, isSplit };
  const [days, groups] = await Promise.all(
    ['day', by].map((one) => usageRows({ ...query, group_by: one }, signal)),
  );
  return { by, range, days: days?.rows ?? [], groups: groups?.rows ?? [], isSplit: false };
}

/**
 * The query for usage by two dimensions. In the result, `isWhole` is false if there are too many
 * groups to list.
 */
export const pairsQuery = (by: Grouping, and: Grouping, filters: UsageFilters, range: DayRange) =>
  queryOptions({
    queryKey: ['usage', 'pairs', by, and, filters, range],
    queryFn: ({ signal }) => usageRows({ ...filters, ...range, group_by: `${by},${and}` }, signal),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

/** Whether a loaded report contains all days and groups of a shorter range. */
export const isWithin = ({ from, to }: DayRange, report: UsageReport | undefined): boolean =>
  report !== undefined &&
  report.days === report.groups &&
  report.range.from <= from &&
  report.range.to >= to;

export function cutTo(range: DayRange, report: UsageReport): UsageReport {
  const { from, to } = range;
  const rows = report.days.filter(({ day }) => day !== null && day >= from && day <= to);
  return { ...report, range, days: rows, groups: rows };
}

/** The usage by model and channel, for calculating the saving by cached tokens. */
export const cachedUseQuery = (filters: UsageFilters, range: DayRange) =>
  queryOptions({
    queryKey: ['usage', 'cached', filters, range],
    queryFn: async ({ signal }) => {
      const query = { ...filters, ...range, group_by: 'model,channel' };
      return (await usageRows(query, signal)).rows;
    },
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
