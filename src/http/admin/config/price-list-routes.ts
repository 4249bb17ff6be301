/** The route that lists the price lists in force, with the number of accounts on each list. */
import * as z from 'zod';
import type { PriceLists } from '../../../config/lists/list-checks.ts';
import { count } from '../../edge/answer-schema.ts';
import { adminRoute, type Route } from '../../edge/route.ts';

const PRICE_LIST = z
  .strictObject({
    name: z.string(),
    factor: z.string().meta({
      description:
        'The factor by which the list multiplies the public prices. Prices that the list sets itself are not multiplied.',
    }),
    only: z.array(z.string()).nullable().meta({
      description: 'The only models that accounts on the list may use; null: all.',
    }),
    hidden: z
      .array(z.string())
      .meta({ description: 'Models that accounts on the list may not use.' }),
    priced: z
      .array(z.string())
      .meta({ description: 'Models for which the list has its own prices.' }),
    accounts: count.meta({ description: 'The number of accounts on the list.' }),
  })
  .meta({ id: 'PriceList' });
const PRICE_LISTS = z.strictObject({
  revision: count.nullable().meta({
    description:
      'The configuration revision that this node runs; null: the configuration is in the file.',
  }),
  data: z.array(PRICE_LIST),
});

export type PriceListDeps = {
  readonly config: () => { readonly lists: PriceLists; readonly revision: number | null };
  /** Returns the number of accounts on each price list. A list without accounts is absent. */
  readonly accountsOn: () => Promise<ReadonlyMap<string, number>>;
};

export const priceListRoutes = ({ config, accountsOn }: PriceListDeps): readonly Route[] => [
  adminRoute(
    'GET /price-lists',
    {
      summary: 'List the price lists in force, with the number of accounts on each',
      response: PRICE_LISTS,
    },
    async () => {
      const { lists, revision } = config();
      const accounts = await accountsOn();
      const data = Object.entries(lists).map(
        ([name, { factor, only, hidden, models }]): z.infer<typeof PRICE_LIST> => ({
          ...{ name, factor, only: only === null ? null : [...only], hidden: [...hidden] },
          priced: Object.keys(models),
          accounts: accounts.get(name) ?? 0,
        }),
      );
      return Response.json({ revision, data });
    },
  ),
];
