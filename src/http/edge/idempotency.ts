/** Runs a request once per `Idempotency-Key`. A repetition gets the stored response or an error. */
import { GatewayError } from '../../errors.ts';
import {
  type Granted,
  type IdempotencyKeys,
  RETENTION_MS,
} from '../../idempotency/idempotency-keys.ts';
import { IN_DOUBT_MS } from '../../idempotency/idempotency-statements.ts';
import { type RequestContent, requestFingerprint } from './request-fingerprint.ts';
import type { Call } from './route.ts';
import { decodeResponse, encodeResponse } from './stored-response.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
export const MAX_KEY_CHARS = 255;
const PRINTABLE = /^[\x20-\x7e]+$/;
const HOURS = RETENTION_MS / 3_600_000;

/** The header's schema for `/openapi.json`. */
export const idempotencyHeaders = {
  [IDEMPOTENCY_HEADER]: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_KEY_CHARS,
    description:
      'A unique key for this request, kept for 24 hours. Repeating the request with the same key returns the first answer, and charges only once. A different request with the same key gets 422. While the first request is running, a repeat gets 409.',
  },
} as const;

export type Keys = Pick<IdempotencyKeys, 'claim' | 'keep' | 'spend' | 'release'>;

export type IdempotentRequest = {
  readonly key: string;
  /** The owner of the key: the id of an account or a person, or `admin`. */
  readonly ownerId: string;
  readonly operation: string;
  readonly content: RequestContent;
};

type Handlers = {
  /** Runs the request, and records its result in `Keys`. */
  readonly run: (granted: Granted) => Promise<Response>;
  /** Called before a replay is sent; throws to refuse the replay. */
  readonly onReplay: (response: Response, requestId: string) => void;
  /** Makes the error for a request that has already run and whose response is not stored. */
  readonly notReplayable: (requestId: string) => GatewayError;
};

/** Returns the key; null if the header is missing. @throws GatewayError `invalid_value`. */
export function idempotencyKeyOf({ request }: Pick<Call, 'request'>): string | null {
  const key = request.headers.get(IDEMPOTENCY_HEADER);
  if (key === null || (key.length <= MAX_KEY_CHARS && PRINTABLE.test(key))) return key;
  throw new GatewayError(
    'invalid_value',
    `The header ${IDEMPOTENCY_HEADER} takes 1 to ${MAX_KEY_CHARS} printable ASCII characters, such as a UUID.`,
    { param: IDEMPOTENCY_HEADER },
  );
}

/**
 * Runs the first request with a key. For a repetition, returns the stored response.
 * @throws GatewayError `idempotency_in_progress`, `idempotency_not_replayable`,
 *   `idempotency_key_reused`, `store_unavailable`, and what the handlers throw.
 */
export async function idempotent(
  keys: Keys,
  requestId: string,
  { content, ...request }: IdempotentRequest,
  { run, onReplay, notReplayable }: Handlers,
): Promise<Response> {
  const meaning = await requestFingerprint(request.key, content);
  const claimed = await keys.claim({ ...request, meaning, requestId });
  switch (claimed.kind) {
    case 'granted':
      return await run(claimed.granted);
    case 'kept': {
      const response = decodeResponse(claimed.answer);
      onReplay(response, claimed.requestId);
      response.headers.set('idempotency-replayed', 'true');
      response.headers.set('x-original-request-id', claimed.requestId);
      return response;
    }
    case 'running':
      throw inProgress();
    case 'in_doubt':
      throw inDoubt();
    case 'spent':
      throw notReplayable(claimed.requestId);
    case 'reused':
      throw reused();
  }
}

/**
 * Runs a request and stores its response. A failure releases the key, or uses it up if `isSpent`
 * says that the request may have had an effect.
 */
export async function stored(
  keys: Keys,
  granted: Granted,
  run: () => Promise<Response>,
  isSpent: (thrown: unknown) => boolean,
): Promise<Response> {
  let response: Response;
  try {
    response = await run();
  } catch (thrown) {
    await (isSpent(thrown) ? keys.spend(granted) : keys.release(granted));
    throw thrown;
  }
  const { status, headers } = response;
  const body = new Uint8Array(await response.arrayBuffer());
  await keys.keep(granted, encodeResponse(response, body));
  return new Response(body, { status, headers });
}

const inProgress = (): GatewayError =>
  new GatewayError(
    'idempotency_in_progress',
    `A request with this ${IDEMPOTENCY_HEADER} is still running. Retry shortly to get its answer.`,
    { retryAfterSeconds: 1 },
  );

/**
 * The seconds in `retry-after` if the node that ran the first request does not answer. The wait is
 * short, because that node may soon be back.
 */
const IN_DOUBT_SECONDS = 10;

const inDoubt = (): GatewayError =>
  new GatewayError(
    'idempotency_in_progress',
    `The node that ran the request with this ${IDEMPOTENCY_HEADER} does not answer, so it is not known whether the first request was charged. This repeat is not charged. Keep retrying: after ${IN_DOUBT_MS / 60_000} minutes, the gateway treats the first request as not charged and runs the retry.`,
    { retryAfterSeconds: IN_DOUBT_SECONDS },
  );

const reused = (): GatewayError =>
  new GatewayError(
    'idempotency_key_reused',
    `This ${IDEMPOTENCY_HEADER} was used for another request within the last ${HOURS} hours. Use a new ${IDEMPOTENCY_HEADER} for each request, and the same one only to repeat a request unchanged.`,
    { param: IDEMPOTENCY_HEADER },
  );
