/** Queries of price cards and exchange rates for administrators. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { PAGING } from '#components/tables/paged-table.tsx';
import type { CardFilters } from './cards-search.ts';

export type FxRate = components['schemas']['FxRate'];
const PAGE_ROWS = 100;

export const cardsQuery = ({ model, channel }: CardFilters) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'cards', model ?? '', channel ?? ''],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ model, channel, limit: PAGE_ROWS, after: pageParam });
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
