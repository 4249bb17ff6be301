/** Queries that several account screens share. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';

export type Overview = components['schemas']['Overview'];

/** The interval at which an open overview is refreshed. */
const REFRESH_MS = 30_000;

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/overview', { signal })),
  refetchInterval: REFRESH_MS,
});
