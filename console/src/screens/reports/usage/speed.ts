/** The speed of answers in the usage report: medians over the newest successful requests. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import type { DayRange } from '#components/range/range.ts';
import { speedOf } from '#screens/reports/requests/timeline.ts';
import type { UsageFilters } from './usage-query.ts';
import type { Grouping } from './usage-search.ts';

type Timed = Pick<
  components['schemas']['RequestRecord'],
  | 'at'
  | 'model'
  | 'key_id'
  | 'channel'
  | 'streamed'
  | 'first_byte_ms'
  | 'duration_ms'
  | 'output_tokens'
>;

export type Speed = {
  /** The median time to the first token of streams, in milliseconds. */
  readonly firstTokenMs: number | null;
  /** The median of output tokens per second after the first token. */
  readonly perSecond: number | null;
};

/** The number of requests to read. More would take long and hardly change a median. */
export const SAMPLED = 500;
const FRESH_MS = 30_000;

export const sampleQuery = (filters: UsageFilters, range: DayRange) =>
  queryOptions({
    queryKey: ['usage', 'sample', filters, range],
    queryFn: async ({ signal }): Promise<readonly Timed[]> => {
      const query = { ...filters, ...range, status: 'ok', limit: SAMPLED } as const;
      return (await answerOf(api.GET('/console/api/requests', { params: { query }, signal }))).data;
    },
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

/** Returns the group of a request in a dimension: its model, key, channel or UTC day. */
function nameIn(request: Timed, by: Grouping): string {
  switch (by) {
    case 'day':
      return request.at.slice(0, 10);
    case 'key':
      return request.key_id;
    case 'model':
    case 'channel':
      return request[by];
  }
}

/**
 * Returns the speed of all streams, and a function that returns the speed of the streams of one
 * group. The function takes the group's value in each dimension.
 */
export function speedsOf(requests: readonly Timed[], dimensions: readonly Grouping[]) {
  const streams = requests.filter(({ streamed }) => streamed);
  const groups = Map.groupBy(streams, (request) =>
    groupName(dimensions.map((by) => nameIn(request, by))),
  );
  return {
    of: (values: readonly string[]): Speed => speedIn(groups.get(groupName(values)) ?? []),
    all: speedIn(streams),
  };
}

export const groupName = (values: readonly string[]): string => values.join('\n');

const speedIn = (requests: readonly Timed[]): Speed => ({
  firstTokenMs: medianOf(requests.map(({ first_byte_ms: ms }) => ms)),
  perSecond: medianOf(requests.map(speedOf)),
});

/**
 * Returns the median; null if all values are null. The median of an even number of values is the
 * mean of the middle two.
 */
function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const half = known.length / 2;
  const [low, high] = [known[Math.ceil(half) - 1], known[Math.floor(half)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
