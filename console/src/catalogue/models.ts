/** The catalog: models with their channels, prices and health. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { every } from '#api/lists.ts';
import type { components } from '#api/schema.gen.ts';
import { usePerson } from '#api/session.ts';

export type Model = components['schemas']['Model'];
export type Channel = components['schemas']['ModelChannel'];
export type Price = components['schemas']['Price'];

export type ChannelName = Channel['channel'];
export const CHANNELS = every<ChannelName>({ direct: true, stable: true, economical: true });

/**
 * The time after which the catalog is fetched again. It is short, because the health of channels
 * changes often, although prices change rarely.
 */
const FRESH_MS = 30_000;

/** The query of the catalog, which people who are not signed in see only if it is public. */
const modelsQuery = (isSignedIn: boolean) =>
  queryOptions({
    queryKey: ['models', isSignedIn],
    queryFn: async ({ signal }) => {
      const path = isSignedIn ? '/console/api/models' : '/v2/models';
      const { data } = await answerOf(api.GET(path, { signal }));
      return data;
    },
    staleTime: FRESH_MS,
  });

export const useModels = () => useQuery(modelsQuery(usePerson() !== null));
