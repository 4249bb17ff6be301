/** Runs a request once per `Idempotency-Key`. A repetition gets the stored response or an error. */
import { createHmac, type Hmac } from 'node:crypto';
import { nextTurn } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import {
  type Granted,
  type IdempotencyKeys,
  RETENTION_MS,
} from '../../idempotency/idempotency-keys.ts';
import { IN_DOUBT_MS } from '../../idempotency/idempotency-statements.ts';
import { headerNames } from './response-headers.ts';
import type { Call } from './route.ts';

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

export type RequestContent = {
  /** The exact bytes, or the parts of a form, whose boundary differs each time it is sent. */
  readonly body: Uint8Array | readonly Uint8Array[];
  /** Whether the response is a stream, which the gateway decides if the request omits `stream`. */
  readonly stream: boolean;
  /** The headers that affect the response. */
  readonly headers: Readonly<Record<string, string>>;
};

/** The bytes to hash before other requests get a turn. Hashing them takes about a millisecond. */
const CHUNK_BYTES = 1024 * 1024;

async function updateInTurns(digest: Hmac, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.byteLength; from += CHUNK_BYTES) {
    if (from > 0) await nextTurn();
    digest.update(bytes.subarray(from, from + CHUNK_BYTES));
  }
}

/**
 * Returns a digest of 32 bytes. It covers the exact bytes, because converting 32 MiB of JSON to a
 * canonical form would block other requests; reordered members make a different request. It is
 * keyed with the Idempotency-Key, so that a reader of the store cannot test guesses at a prompt.
 */
export async function requestFingerprint(
  key: string,
  { body, stream, headers }: RequestContent,
): Promise<Uint8Array> {
  const sorted = Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1));
  const digest = createHmac('sha256', key).update(`${JSON.stringify([stream, sorted])}\n`);
  if (body instanceof Uint8Array) await updateInTurns(digest, body);
  else {
    for (const part of body) {
      digest.update(`${part.byteLength}\n`);
      await updateInTurns(digest, part);
    }
  }
  return digest.digest();
}

const STORED_HEADERS = [
  'content-type',
  'cache-control',
  ...headerNames(({ isStored }) => isStored === true),
];

type Head = { readonly status: number; readonly headers: Readonly<Record<string, string>> };

const LENGTH_BYTES = 4;

/** Encodes the length of the head (32 bits, big endian), the head as JSON, and the body. */
function encodeResponse({ status, headers }: Response, body: Uint8Array): Uint8Array {
  const stored: Record<string, string> = {};
  for (const name of STORED_HEADERS) {
    const value = headers.get(name);
    if (value !== null) stored[name] = value;
  }
  const head = Buffer.from(JSON.stringify({ status, headers: stored } satisfies Head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.byteLength);
  return Buffer.concat([length, head, body]);
}

/** Decodes a response that `encodeResponse` has encoded. */
function decodeResponse(stored: Uint8Array): Response {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  const bodyAt = LENGTH_BYTES + view.getUint32(0);
  const head: Head = JSON.parse(new TextDecoder().decode(stored.subarray(LENGTH_BYTES, bodyAt)));
  return new Response(stored.slice(bodyAt), head);
}

/** Whether the image URLs in the response have expired. */
export function isExpired({ headers }: Response, nowMs: number): boolean {
  const until = headers.get('x-image-expires');
  return until !== null && Date.parse(until) <= nowMs;
}
