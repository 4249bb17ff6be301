/**
 * What people and administrators change can be asked for again: under the same `Idempotency-Key` it is done
 * once, and whoever asks again gets the first answer, secrets included. It is put around every route that
 * they POST to, so that none can be without it.
 */

import { asGatewayError, type ErrorCode, GatewayError } from '../../errors.ts';
import type { IdempotencyKeys } from '../../idempotency/idempotency-keys.ts';
import { CHANGE } from '../../idempotency/idempotency-statements.ts';
import { jsonIn } from './body.ts';
import {
  IDEMPOTENCY_HEADER,
  idempotencyHeaders,
  inProgress,
  requireWellFormed,
  reused,
} from './idempotency.ts';
import { decodeAnswer, encodeAnswer } from './kept-answer.ts';
import { requestMeaning } from './request-meaning.ts';
import type { AdminCall, Call, Route, SessionCall } from './route.ts';

/** After these nobody can tell whether it was done: the store may have written it before its answer was lost. */
const IN_DOUBT: readonly ErrorCode[] = ['store_unavailable', 'internal_error'];

type Keys = Pick<IdempotencyKeys, 'claim' | 'keep' | 'spend' | 'release'>;

/** The same routes, those that can be asked for again under a key in the place of what they were. */
export const repeatable = (routes: readonly Route[], keys: Keys): Route[] =>
  routes.map((route) => (isChange(route) ? onceEach(route, keys) : route));

type Change = Extract<Route, { readonly auth: 'session' | 'admin' }>;

/** The playground sells, and has its own. */
const isChange = (route: Route): route is Change =>
  route.method === 'POST' && (route.auth === 'session' || route.auth === 'admin');

function onceEach(route: Change, keys: Keys): Route {
  const doc = { ...route.doc, headers: { ...route.doc.headers, ...idempotencyHeaders } };
  switch (route.auth) {
    case 'session':
      return {
        ...route,
        doc,
        handle: (call: SessionCall) =>
          once(keys, call, call.person.id, (read) => route.handle({ ...call, ...read })),
      };
    case 'admin':
      return {
        ...route,
        doc,
        handle: (call: AdminCall) =>
          once(keys, call, call.actor, (read) => route.handle({ ...call, ...read })),
      };
  }
}

/** The body as it was read already. */
type ReadBody = Pick<Call, 'readBytes' | 'readJson'>;

/**
 * @param ownerId who asks.
 * @throws GatewayError `invalid_value`, `idempotency_in_progress`, `idempotency_not_replayable`,
 *   `idempotency_key_reused`, `store_unavailable`, and what the route throws.
 */
async function once(
  keys: Keys,
  call: Call,
  ownerId: string,
  handle: (body: ReadBody | null) => Promise<Response>,
): Promise<Response> {
  const { request, requestId } = call;
  const key = request.headers.get(IDEMPOTENCY_HEADER);
  if (key === null) return await handle(null);
  requireWellFormed(key);
  const body = await call.readBytes();
  const { pathname, search } = call.url;
  const accept = request.headers.get('accept') ?? '';
  const content = { body, stream: false, headers: { address: pathname + search, accept } };
  const meaning = await requestMeaning(key, content);
  // One operation for all of them: a key that is used for another request of the same person is refused.
  const asked = { key, ownerId, operation: CHANGE, meaning, requestId };
  const claimed = await keys.claim(asked);
  switch (claimed.kind) {
    case 'granted': {
      const read: ReadBody = {
        readBytes: () => Promise.resolve(body),
        readJson: async () => jsonIn(body, request),
      };
      return await kept(keys, claimed.granted, () => handle(read));
    }
    case 'kept': {
      const answer = decodeAnswer(claimed.answer);
      answer.headers.set('idempotency-replayed', 'true');
      answer.headers.set('x-original-request-id', claimed.requestId);
      return answer;
    }
    case 'running':
      throw inProgress();
    case 'spent':
      throw done(claimed.requestId);
    case 'reused':
      throw reused();
  }
}

/** What was refused changed nothing, so its key is as good as new. What may be done is not done again. */
async function kept(
  keys: Keys,
  granted: Parameters<Keys['keep']>[0],
  handle: () => Promise<Response>,
): Promise<Response> {
  let response: Response;
  try {
    response = await handle();
  } catch (thrown) {
    const isInDoubt = IN_DOUBT.includes(asGatewayError(thrown).code);
    await (isInDoubt ? keys.spend(granted) : keys.release(granted));
    throw thrown;
  }
  const { status, headers } = response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  await keys.keep(granted, encodeAnswer(response, bytes));
  return new Response(bytes, { status, headers });
}

const done = (requestId: string): GatewayError =>
  new GatewayError(
    'idempotency_not_replayable',
    `The request with this ${IDEMPOTENCY_HEADER} was carried out already, as ${requestId}, or broken off on the way, and there is no answer of it to give. Look whether what it was to make is there; if not, send it under another key.`,
    { extra: { original_request_id: requestId } },
  );
