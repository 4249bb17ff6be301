/**
 * The client for the gateway's HTTP API, typed by the contract in `schema.gen.ts`. The console has
 * no other client.
 */
import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import { ApiError } from './api-error.ts';
import { attendance } from './attendance.ts';
import { fetchNoting } from './connection.ts';
import type { paths } from './schema.gen.ts';

/** The timeout of a request. The slowest response is a report on a year of a busy account. */
const TIMEOUT_MS = 60_000;

/** The client for JSON responses. CSV files are downloaded through links instead. */
export const api = createClient<paths, 'application/json'>({
  baseUrl: globalThis.location?.origin ?? '',
  credentials: 'same-origin',
  fetch: async (request: Request) => {
    for (const [name, value] of Object.entries(attendance())) request.headers.set(name, value);
    try {
      const early = takeEarly(request);
      if (early !== undefined) return await early;
      return await fetchNoting(request, {
        signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
    } catch (thrown) {
      if (request.signal.aborted) throw thrown;
      throw ApiError.unreachable(thrown);
    }
  },
});

declare global {
  /** The responses that `index.html` has requested while the scripts were loading, by path. */
  var earlyAnswers: Record<string, Promise<Response>> | undefined;
}

/** Each early response is used once. */
function takeEarly({ method, url }: Request): Promise<Response> | undefined {
  const { pathname } = new URL(url);
  const answer = method === 'GET' ? globalThis.earlyAnswers?.[pathname] : undefined;
  delete globalThis.earlyAnswers?.[pathname];
  return answer;
}

/**
 * Returns the body of a response.
 * @throws ApiError when the API refuses the request or cannot be reached.
 */
export async function answerOf<Data>(
  pending: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Data> {
  const { data, error, response } = await pending;
  if (!response.ok) throw ApiError.of(response, error);
  // For an empty response, `data` is undefined, which is then the type `Data`.
  return data as Data;
}

/** Creates an idempotency key. Each form that is opened needs its own key. */
export const newIdempotencyKey = (): string => crypto.randomUUID();

export type { FetchResponse, MaybeOptionalInit };
