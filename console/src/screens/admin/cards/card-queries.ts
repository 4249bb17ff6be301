/** Queries of price cards and exchange rates for administrators. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { PAGING } from '#components/tables/paged-table.tsx';

export type FxRate = components['schemas']['FxRate'];
const PAGE_ROWS = 100;

type Cell = { readonly model: string; readonly channel: string };

/** The query that lists all versions of a model's public price on a channel. */
export const cardsQuery = ({ model, channel }: Cell) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'cards', model, channel],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...given({ model, channel, limit: PAGE_ROWS, after: pageParam }),
        price_list: '',
      };
      return answerOf(api.GET('/admin/v1/cards', { params: { query }, signal }));
    },
    ...PAGING,
  });

export const ratesQuery = infiniteQueryOptions({
  queryKey: ['admin', 'fx-rates'],
  queryFn: ({ pageParam, signal }) => {
    const query = given({ limit: PAGE_ROWS, after: pageParam });
    return answerOf(api.GET('/admin/v1/fx-rates', { params: { query }, signal }));
  },
  ...PAGING,
});
