/** Queries of the channels' health: the current state, which is polled, and the history by day. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';

export type ModelStatus = components['schemas']['ModelStatus'];
export type ChannelStatus = components['schemas']['ChannelStatus'];
export type StatusAnswer = Awaited<
  ReturnType<NonNullable<ReturnType<typeof statusQuery>['queryFn']>>
>;
export type Incident = components['schemas']['Incident'];

const REFRESH_MS = 15_000;

/**
 * The query of the channels' current health. People who are not signed in see it only if it is
 * public.
 */
export const statusQuery = (isSignedIn: boolean) =>
  queryOptions({
    queryKey: ['status', isSignedIn],
    queryFn: ({ signal }) =>
      answerOf(api.GET(isSignedIn ? '/console/api/status' : '/status.json', { signal })),
    refetchInterval: REFRESH_MS,
  });

const HISTORY_REFRESH_MS = 300_000;

/**
 * The query of the channels' health by day.
 * @param model the only model to load, with its speed by day; all models if omitted.
 */
export const historyQuery = (isSignedIn: boolean, model?: string) =>
  queryOptions({
    queryKey: ['status-history', isSignedIn, model],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET(isSignedIn ? '/console/api/status/history' : '/status/history.json', {
          params: { query: model === undefined ? {} : { model } },
          signal,
        }),
      ),
    refetchInterval: HISTORY_REFRESH_MS,
  });
