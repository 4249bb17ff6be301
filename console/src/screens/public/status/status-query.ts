/** The query of the health of every channel, polled while the page is visible. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';

export type ModelStatus = components['schemas']['ModelStatus'];
export type ChannelStatus = components['schemas']['ChannelStatus'];
export type State = ModelStatus['status'];

const REFRESH_MS = 15_000;

/** People who are not signed in see the status only if it is public. */
export const statusQuery = (isSignedIn: boolean) =>
  queryOptions({
    queryKey: ['status', isSignedIn],
    queryFn: ({ signal }) =>
      answerOf(api.GET(isSignedIn ? '/console/api/status' : '/status.json', { signal })),
    refetchInterval: REFRESH_MS,
  });
