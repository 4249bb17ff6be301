/** The query of the contract that this gateway publishes. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { referenceOf } from './openapi.ts';

/** @param isWhole whether to load the routes of administrators, too: four times as many. */
export const referenceQuery = (isWhole: boolean) =>
  queryOptions({
    queryKey: ['openapi', isWhole],
    queryFn: async ({ signal }) => {
      const params = { query: isWhole ? {} : { audience: 'callers' as const } };
      return referenceOf(await answerOf(api.GET('/openapi.json', { params, signal })));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
