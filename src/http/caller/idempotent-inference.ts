/**
 * Inference runs at most once under its `Idempotency-Key`. Only what was charged is remembered: a
 * non-streaming answer is stored for replays, a stream is not. A request that was not charged frees its key.
 *
 * A non-streaming answer is fetched to its end even when the caller disconnects: a caller that sends a key
 * will repeat the request, and gets the stored answer then. A stream ends when its caller disconnects.
 */
import { GatewayError } from '../../errors.ts';
import { type Granted, MAX_ANSWER_BYTES } from '../../idempotency/idempotency-keys.ts';
import { ZERO } from '../../money/amount.ts';
import type { RelayDeps } from '../../relay/sell.ts';
import {
  IDEMPOTENCY_HEADER,
  idempotencyKeyOf,
  idempotent,
  type Keys,
  stored,
} from '../edge/idempotency.ts';
import type { RequestContent } from '../edge/request-fingerprint.ts';
import type { KeyCall } from '../edge/route.ts';
import { isExpired } from '../edge/stored-response.ts';

export type InferenceDeps = Pick<RelayDeps, 'clock' | 'onSettled' | 'onSettleFailed'> & {
  readonly idempotency: {
    readonly keys: Keys;
    /** Called for every replay. */
    readonly onReplayed: (endpoint: IdempotentEndpoint) => void;
  };
};

export type IdempotentEndpoint = 'chat' | 'messages' | 'images';

export type InferenceRequest = RequestContent & { readonly endpoint: IdempotentEndpoint };

/** Runs the request with these deps and this signal instead of the caller's own. */
type Relay<Deps> = (deps: Deps, signal: AbortSignal) => Promise<Response>;

/** @throws GatewayError as `idempotencyKeyOf`, `idempotent` and `relay`. */
export async function idempotentInference<Deps extends InferenceDeps>(
  deps: Deps,
  call: KeyCall,
  { endpoint, ...content }: InferenceRequest,
  relay: Relay<Deps>,
): Promise<Response> {
  const key = idempotencyKeyOf(call);
  const { signal } = call.request;
  if (key === null) return await relay(deps, signal);
  const { keys, onReplayed } = deps.idempotency;
  const named = { key, ownerId: call.caller.accountId, operation: endpoint, content };
  return await idempotent(keys, call.requestId, named, {
    run: (granted) =>
      content.stream ? streamed(deps, granted, signal, relay) : whole(deps, granted, relay),
    onReplay: (response, requestId) => {
      if (isExpired(response, deps.clock.nowMs())) throw notReplayable(requestId);
      onReplayed(endpoint);
    },
    notReplayable,
  });
}

async function whole<Deps extends InferenceDeps>(
  deps: Deps,
  granted: Granted,
  relay: Relay<Deps>,
): Promise<Response> {
  let isCharged = false;
  const watched = watching(deps, (charged) => {
    isCharged = charged;
  });
  return await stored(
    deps.idempotency.keys,
    granted,
    () => relay(watched, new AbortController().signal),
    () => isCharged,
  );
}

/** A stream is over when it is settled; whether its last bytes arrive makes no difference. */
async function streamed<Deps extends InferenceDeps>(
  deps: Deps,
  granted: Granted,
  signal: AbortSignal,
  relay: Relay<Deps>,
): Promise<Response> {
  const { keys } = deps.idempotency;
  let isOver = false;
  const end = async (isCharged: boolean): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await (isCharged ? keys.spend(granted) : keys.release(granted));
  };
  try {
    return await relay(
      watching(deps, (isCharged) => void end(isCharged)),
      signal,
    );
  } catch (thrown) {
    await end(false);
    throw thrown;
  }
}

/** The same deps, which also report whether money was taken, or may have been. */
const watching = <Deps extends InferenceDeps>(
  deps: Deps,
  onEnd: (isCharged: boolean) => void,
): Deps => ({
  ...deps,
  onSettled: (settled) => {
    onEnd(settled.charge > ZERO);
    deps.onSettled(settled);
  },
  onSettleFailed: (command, thrown) => {
    if (command.kind === 'settle') onEnd(command.charge > ZERO);
    deps.onSettleFailed(command, thrown);
  },
});

const notReplayable = (requestId: string): GatewayError =>
  new GatewayError(
    'idempotency_not_replayable',
    `The request with this ${IDEMPOTENCY_HEADER} was charged already, as ${requestId}, and its answer cannot be given again: it was a stream, longer than ${MAX_ANSWER_BYTES} bytes, broken off, or has expired. GET /v1/generation?id=${requestId} tells what it was; to run it anew, use another key.`,
    { extra: { original_request_id: requestId } },
  );
