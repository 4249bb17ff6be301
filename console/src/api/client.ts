/**
 * The client for the gateway's HTTP API, typed by the contract in `schema.gen.ts`. The console has
 * no other client.
 */
import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import { ApiError } from './api-error.ts';
import { attendance } from './attendance.ts';
import { fetchNoting } from './connection.ts';
import type { paths } from './schema.gen.ts';
import { shownAccount } from './shown-account.ts';

/** The timeout of a request. The slowest response is a report on a year of a busy account. */
const TIMEOUT_MS = 60_000;

/** The client for JSON responses. CSV files are downloaded through links instead. */
export const api = createClient<paths, 'application/json'>({
  baseUrl: globalThis.location?.origin ?? '',
  credentials: 'same-origin',
  fetch: async (request: Request) => {
    const own = { ...attendance(), ...shownAccount() };
    for (const [name, value] of Object.entries(own)) request.headers.set(name, value);
    try {
      const early = await takeEarly(request);
      // A failed early response is not used, because the person may have signed in after
      // `index.html` sent the request.
      if (early?.ok === true) return early;
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
  /**
   * The pending responses to the requests that `index.html` sent while the scripts were loading, by
   * URL.
   */
  var earlyAnswers: Record<string, Promise<Response>> | undefined;
}

/** How long early responses may be used after the page load. They are for the first screen only. */
const EARLY_MS = 30_000;

/**
 * Returns and removes the early response to this request; undefined if there is no such response.
 */
function takeEarly({ method, url }: Request): Promise<Response> | undefined {
  const { pathname, search } = new URL(url);
  const address = pathname + search;
  const isFresh = method === 'GET' && performance.now() < EARLY_MS;
  const answer = isFresh ? globalThis.earlyAnswers?.[address] : undefined;
  delete globalThis.earlyAnswers?.[address];
  return answer;
}

/**
 * Returns the body of a response.
 * @throws ApiError when the API refuses the request or cannot be reached.
 */
export async function answerOf<Data>(
  pending: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Data> {
  const { data, error, response } = await pending.catch((thrown: unknown) => {
    if (thrown instanceof ApiError || (thrown instanceof Error && thrown.name === 'AbortError')) {
      throw thrown;
    }
    // The body was cut off, or is not JSON, because a proxy answered.
    throw ApiError.unreachable(thrown);
  });
  if (!response.ok) throw ApiError.of(response, error);
  // An empty response has no `data`. Its type `Data` is undefined, so the cast is safe.
  return data as Data;
}

/** Creates an idempotency key. Each opened form gets its own, so a form sent twice acts once. */
export const newIdempotencyKey = (): string => crypto.randomUUID();

/**
 * Returns the path and the `If-Match` header of a request. The API changes the object with this id
 * only if its entity tag is still `etag`.
 */
export const taggedPath = (id: string, etag: string) => ({
  params: { path: { id }, header: ifMatch(etag) },
});
export const ifMatch = (etag: string): { 'If-Match': string } => ({ 'If-Match': etag });

export type { FetchResponse, MaybeOptionalInit };
