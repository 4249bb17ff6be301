/**
 * Runs a request at most once under its `Idempotency-Key`. Without the header there is nothing to it.
 *
 * Only what was charged is remembered: an answer in one piece is given again as it was, a stream is not.
 * A request that was not charged leaves its key as good as new. Whoever sends a key means to ask again
 * when the answer does not arrive, so an answer in one piece is fetched to its end even when the caller
 * has gone: it is charged as what it came to, and waits. A stream whose caller leaves ends at once.
 */

import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { IdempotencyKeys } from '../../idempotency/idempotency-keys.ts';
import { MAX_ANSWER_BYTES, RETENTION_MS } from '../../idempotency/idempotency-keys.ts';
import { ZERO } from '../../money/amount.ts';
import type { RelayDeps } from '../../relay/sell.ts';
import { decodeAnswer, encodeAnswer, isOutdated } from './kept-answer.ts';
import { type RequestContent, requestMeaning } from './request-meaning.ts';
import type { KeyCall } from './route.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
export const MAX_KEY_CHARS = 255;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** What `/openapi.json` says of the header. */
export const idempotencyHeaders = {
  [IDEMPOTENCY_HEADER]: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_KEY_CHARS,
    description:
      'Names this request for 24 hours. The same request under the same key is answered with the first answer and charged once; another request under it is a 422, and one that still runs a 409.',
  },
} as const;

export type OnceDeps = Pick<RelayDeps, 'clock' | 'onSettled' | 'onSettleFailed'> & {
  readonly idempotency: {
    readonly keys: Pick<IdempotencyKeys, 'claim' | 'keep' | 'spend' | 'release'>;
    /** Told of every answer that was given again. */
    readonly onReplayed: (endpoint: IdempotentEndpoint) => void;
  };
};

/** What sells. */
export type IdempotentEndpoint = 'chat' | 'messages' | 'images';

export type OnceRequest = RequestContent & { readonly endpoint: IdempotentEndpoint };

/**
 * Runs `relay`, or answers what it answered before.
 *
 * @param relay runs the request with these `deps` and this signal in place of the caller's own.
 * @throws GatewayError `invalid_value`, `idempotency_in_progress`, `idempotency_not_replayable`,
 *   `idempotency_key_reused`, `store_unavailable`, and what `relay` throws.
 */
export async function once<Deps extends OnceDeps>(
  deps: Deps,
  call: KeyCall,
  request: OnceRequest,
  relay: (deps: Deps, signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const key = call.request.headers.get(IDEMPOTENCY_HEADER);
  if (key === null) return await relay(deps, call.request.signal);
  requireWellFormed(key);
  const { keys, onReplayed } = deps.idempotency;
  const { endpoint, stream } = request;
  const claimed = await keys.claim({
    key,
    ownerId: call.caller.accountId,
    operation: endpoint,
    meaning: await requestMeaning(key, request),
    requestId: call.requestId,
  });
  switch (claimed.kind) {
    case 'granted': {
      const ending = new Ending(keys, claimed.granted, stream);
      const signal = stream ? call.request.signal : new AbortController().signal;
      return await ending.after(() => relay(ending.watching(deps), signal));
    }
    case 'kept': {
      const answer = again(decodeAnswer(claimed.answer), claimed.requestId, deps.clock);
      onReplayed(endpoint);
      return answer;
    }
    case 'running':
      throw inProgress();
    case 'spent':
      throw notReplayable(claimed.requestId);
    case 'reused':
      throw reused();
  }
}

type Granted = Parameters<IdempotencyKeys['keep']>[0];

/** Sees how the purchase under a key ends, and has that written down, once. */
class Ending {
  readonly #keys: OnceDeps['idempotency']['keys'];
  readonly #granted: Granted;
  readonly #stream: boolean;
  /** Money was taken, or nobody can tell. */
  #charged = false;
  #over = false;

  constructor(keys: OnceDeps['idempotency']['keys'], granted: Granted, stream: boolean) {
    this.#keys = keys;
    this.#granted = granted;
    this.#stream = stream;
  }

  watching<Deps extends OnceDeps>(deps: Deps): Deps {
    return {
      ...deps,
      onSettled: (settled) => {
        this.#settled(settled.charge > ZERO);
        deps.onSettled(settled);
      },
      onSettleFailed: (command, thrown) => {
        if (command.kind === 'settle') this.#settled(command.charge > ZERO);
        deps.onSettleFailed(command, thrown);
      },
    };
  }

  async after(relay: () => Promise<Response>): Promise<Response> {
    let response: Response;
    try {
      response = await relay();
    } catch (thrown) {
      await this.#end();
      throw thrown;
    }
    if (this.#stream) return response;
    const body = new Uint8Array(await response.arrayBuffer());
    await this.#keys.keep(this.#granted, encodeAnswer(response, body));
    const { status, headers } = response;
    return new Response(body, { status, headers });
  }

  /** A stream is over for us when it is settled; whether its last bytes arrive makes no difference. */
  #settled(isCharged: boolean): void {
    this.#charged = isCharged;
    if (this.#stream) void this.#end();
  }

  async #end(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    await (this.#charged ? this.#keys.spend(this.#granted) : this.#keys.release(this.#granted));
  }
}

function again(answer: Response, requestId: string, clock: Pick<Clock, 'nowMs'>): Response {
  if (isOutdated(answer, clock.nowMs())) throw notReplayable(requestId);
  answer.headers.set('idempotency-replayed', 'true');
  answer.headers.set('x-original-request-id', requestId);
  return answer;
}

/** @throws GatewayError `invalid_value`. */
export function requireWellFormed(key: string): void {
  if (key.length <= MAX_KEY_CHARS && PRINTABLE.test(key)) return;
  throw new GatewayError(
    'invalid_value',
    `The header ${IDEMPOTENCY_HEADER} takes 1 to ${MAX_KEY_CHARS} printable ASCII characters, such as a UUID.`,
    { param: IDEMPOTENCY_HEADER },
  );
}

const HOURS = RETENTION_MS / 3_600_000;

export const inProgress = (): GatewayError =>
  new GatewayError(
    'idempotency_in_progress',
    `A request with this ${IDEMPOTENCY_HEADER} is still running. Ask again shortly for its answer.`,
    { retryAfterSeconds: 1 },
  );

const notReplayable = (requestId: string): GatewayError =>
  new GatewayError(
    'idempotency_not_replayable',
    `The request with this ${IDEMPOTENCY_HEADER} was charged already, as ${requestId}, and its answer cannot be given again: it was a stream, longer than ${MAX_ANSWER_BYTES} bytes, broken off, or has expired. GET /v1/generation?id=${requestId} tells what it was; to run it anew, use another key.`,
    { extra: { original_request_id: requestId } },
  );

export const reused = (): GatewayError =>
  new GatewayError(
    'idempotency_key_reused',
    `This ${IDEMPOTENCY_HEADER} was given to another request within the last ${HOURS} hours. Use a new key for each request, and the same one only to repeat it unchanged.`,
    { param: IDEMPOTENCY_HEADER },
  );
