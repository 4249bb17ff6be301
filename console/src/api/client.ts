/**
 * The console's one way to the gateway: its documented HTTP API, typed by the contract that
 * `schema.gen.ts` is generated from.
 */
import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import { ApiError } from './api-error.ts';
import { attendance } from './attendance.ts';
import type { paths } from './schema.gen.ts';

/** What an answer takes at most; a report over a year of a busy account is the slowest. */
const TIMEOUT_MS = 60_000;

/** Where an answer may also be a CSV, it is a link that asks for that, never this client. */
export const api = createClient<paths, 'application/json'>({
  baseUrl: globalThis.location?.origin ?? '',
  credentials: 'same-origin',
  fetch: async (request: Request) => {
    for (const [name, value] of Object.entries(attendance())) request.headers.set(name, value);
    try {
      return await fetch(request, {
        signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
    } catch (thrown) {
      if (request.signal.aborted) throw thrown;
      throw ApiError.unreachable(thrown);
    }
  },
});

/**
 * What the API answered.
 * @throws ApiError when it refused, or cannot be reached.
 */
export async function answerOf<Data>(
  asked: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Data> {
  const { data, error, response } = await asked;
  if (!response.ok) throw ApiError.of(response, error);
  // An answer without a body has none to give.
  return data as Data;
}

/** The header under which a repeated order is carried out once. Make one for each form that is opened. */
export const newIdempotencyKey = (): string => crypto.randomUUID();

export type { FetchResponse, MaybeOptionalInit };
