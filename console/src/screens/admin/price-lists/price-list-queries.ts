/** The query of the current price lists, with the accounts on each. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { CONFIG } from '../settings/config-queries.ts';

export type PriceList = components['schemas']['PriceList'];

export const priceListsQuery = queryOptions({
  queryKey: [...CONFIG, 'price-lists'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/price-lists', { signal })),
});
