/** The query of the contract that this gateway publishes. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { referenceOf } from './openapi.ts';

export const referenceQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => referenceOf(await answerOf(api.GET('/openapi.json', { signal }))),
  staleTime: Number.POSITIVE_INFINITY,
});
