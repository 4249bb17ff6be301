/** Reads the recorded charge of a request whose stream did not end normally. */
import { ApiError } from '#api/api-error.ts';
import { answerOf, api } from '#api/client.ts';
import { tokensOf } from '#catalogue/usage-buckets.ts';
import type { Usage } from '#chat/answer.ts';

/**
 * The maximum number of times that the charge is requested. The charge may not exist at first,
 * because the gateway settles an interrupted request a moment after the connection ends.
 */
const TRIES = 8;
const TRY_AGAIN_MS = 400;

/**
 * Returns the charge of a request; null when it cannot be read, or is not recorded within `TRIES`.
 * A charge that is recorded later appears only in the request log.
 */
export async function recordedCharge(requestId: string): Promise<Usage | null> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    try {
      return await charge(requestId);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown.status !== 404) return null;
    }
  }
  return null;
}

async function charge(id: string): Promise<Usage> {
  const params = { path: { id } };
  const { data } = await answerOf(api.GET('/console/api/requests/{id}', { params }));
  return {
    input: tokensOf(data, 'input', 'cache_read', 'cache_write'),
    cached: tokensOf(data, 'cache_read'),
    cacheWrite: tokensOf(data, 'cache_write'),
    output: tokensOf(data, 'output'),
    reasoning: 0,
    cost: { amount: data.cost, currency: data.currency },
  };
}
