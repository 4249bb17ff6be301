/**
 * Runs inference at most once per `Idempotency-Key`. A charged request uses up its key: a
 * repetition gets the stored answer, or an error if the answer, such as a stream, was not stored. A
 * failure without a charge releases the key. A non-streaming answer is fetched to its end even if
 * the caller disconnects, because the caller is expected to retry.
 */
import { requirePermitted } from '../../accounts/limits/limiter.ts';
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { type Granted, MAX_ANSWER_BYTES } from '../../idempotency/idempotency-keys.ts';
import type { Buyer } from '../../relay/sell.ts';
import {
  IDEMPOTENCY_HEADER,
  idempotencyKeyOf,
  idempotent,
  isExpired,
  type Keys,
  type RequestContent,
  stored,
} from '../edge/idempotency.ts';
import type { KeyCall } from '../edge/route.ts';

export type InferenceDeps = {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly idempotency: {
    readonly keys: Keys;
    /** Called for each replayed answer. */
    readonly onReplayed: (endpoint: IdempotentEndpoint) => void;
  };
};

export type IdempotentEndpoint = 'chat' | 'messages' | 'responses' | 'images' | 'embeddings';

export type InferenceRequest = RequestContent & {
  readonly endpoint: IdempotentEndpoint;
  readonly model: string;
};

/** Runs the request until `signal` aborts it, and reports to `onCharged` whether it was charged. */
type Run = (signal: AbortSignal, onCharged: Buyer['onCharged']) => Promise<Response>;

/**
 * Runs the request once per `Idempotency-Key`. Without this header, just runs it. Rejects or throws
 * GatewayError from `idempotencyKeyOf`, `idempotent` or `run`.
 */
export function idempotentInference(
  { clock, idempotency }: InferenceDeps,
  call: KeyCall,
  request: InferenceRequest,
  run: Run,
): Promise<Response> {
  const key = idempotencyKeyOf(call);
  const { signal } = call.request;
  if (key === null) return run(signal, null);
  const { endpoint, model, ...content } = request;
  const { keys, onReplayed } = idempotency;
  const named = { key, ownerId: call.caller.accountId, operation: endpoint, content };
  return idempotent(keys, call.requestId, named, {
    run: (granted) =>
      content.stream ? streamed(keys, granted, signal, run) : whole(keys, granted, run),
    onReplay: (response, requestId) => {
      // The first request may have used another API key, so the permissions of this request's API
      // key are checked too.
      const channel = response.headers.get('x-channel') ?? '';
      requirePermitted(call.caller, { model, channel });
      if (isExpired(response, clock.nowMs())) throw notReplayable(requestId);
      onReplayed(endpoint);
    },
    notReplayable,
  });
}

async function whole(keys: Keys, granted: Granted, run: Run): Promise<Response> {
  let wasCharged = false;
  const onCharged = (isCharged: boolean): void => {
    wasCharged = isCharged;
  };
  return await stored(
    keys,
    granted,
    () => run(new AbortController().signal, onCharged),
    () => wasCharged,
  );
}

/**
 * Runs a stream. After the stream was charged, marks the Idempotency-Key as used. If it ended
 * without a charge, releases the key, so that a retry can use it.
 */
async function streamed(
  keys: Keys,
  granted: Granted,
  signal: AbortSignal,
  run: Run,
): Promise<Response> {
  const end = endOnce(keys, granted);
  try {
    return await run(signal, end);
  } catch (thrown) {
    await end(false);
    throw thrown;
  }
}

/**
 * Returns a function that marks the key as used or releases it, once. It is not made in `streamed`,
 * because there it would keep `run`, and so the request's body, in memory until the stream ends.
 */
function endOnce(keys: Keys, granted: Granted): (isCharged: boolean) => Promise<void> {
  let isOver = false;
  return async (isCharged) => {
    if (isOver) return;
    isOver = true;
    await (isCharged ? keys.spend(granted) : keys.release(granted));
  };
}

const notReplayable = (requestId: string): GatewayError =>
  new GatewayError(
    'idempotency_not_replayable',
    `The request with this ${IDEMPOTENCY_HEADER} was already charged as ${requestId}, and its answer cannot be replayed: it was a stream, was longer than ${MAX_ANSWER_BYTES} bytes, was interrupted, or has expired. GET /v1/generation?id=${requestId} shows the first request. To run it again, use another ${IDEMPOTENCY_HEADER}.`,
    { extra: { original_request_id: requestId } },
  );
