/** The account's usage, aggregated by the gateway. */
import { queryOptions } from '@tanstack/react-query';
import { given } from '#api/given.ts';
import { usageRows } from '#api/usage.ts';

/**
 * The query of the usage by day and model.
 * @param days UTC days, oldest first.
 */
export const usageByModelQuery = (days: readonly string[], keyId?: string) =>
  usageQuery('day,model', days, keyId);

export const usageByKeyQuery = (days: readonly string[]) => usageQuery('key', days);

const usageQuery = (groupBy: string, days: readonly string[], keyId?: string) => {
  const filter = given({ from: days.at(0), to: days.at(-1), key_id: keyId });
  return queryOptions({
    queryKey: ['usage', 'rows', groupBy, filter],
    queryFn: async ({ signal }) => (await usageRows({ ...filter, group_by: groupBy }, signal)).rows,
  });
};
