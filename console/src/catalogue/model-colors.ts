/** The color of each model, which is the same in every chart. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePerson } from '#api/session.ts';
import { usageRows } from '#api/usage.ts';
import { type Slots, slotsOf } from '#charts/palette.ts';
import { daysUntil } from '#charts/stack.ts';
import { parseAmount } from '#money/amount.ts';
import { useModels } from './models.ts';

/**
 * If there are more models than colors, the models with the highest spend in the last `LATELY_DAYS`
 * days get the colors.
 */
const LATELY_DAYS = 90;

const usedModelsQuery = queryOptions({
  queryKey: ['usage', 'models'],
  queryFn: async ({ signal }) => {
    const [from = ''] = daysUntil(Date.now(), LATELY_DAYS);
    const { rows } = await usageRows({ group_by: 'model', from }, signal);
    return rows
      .toSorted((a, b) => Number(parseAmount(b.cost_usd) - parseAmount(a.cost_usd)))
      .map(({ model }) => model ?? '');
  },
  // Colors do not change while the console is open.
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * Returns each model's slot in the palette, which determines its color; undefined until the models
 * are loaded. For visitors who are not signed in, it depends only on the catalog, not on spend.
 */
export function useModelSlots(): Slots | undefined {
  const models = useModels();
  const isSignedIn = usePerson() !== null;
  const used = useQuery({ ...usedModelsQuery, enabled: isSignedIn });
  const isKnown = !models.isPending && !(isSignedIn && used.isPending);
  return useMemo(
    () =>
      isKnown
        ? slotsOf(
            (models.data ?? []).map(({ id }) => id),
            used.data ?? [],
          )
        : undefined,
    [isKnown, models.data, used.data],
  );
}
