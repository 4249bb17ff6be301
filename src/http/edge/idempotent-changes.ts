/** Makes changes safe to repeat: a retry with the same Idempotency-Key gets the first response. */
import { asGatewayError, type ErrorCode, GatewayError } from '../../errors.ts';
import { CHANGE } from '../../idempotency/idempotency-statements.ts';
import {
  IDEMPOTENCY_HEADER,
  idempotencyHeaders,
  idempotencyKeyOf,
  idempotent,
  type Keys,
  stored,
} from './idempotency.ts';
import type { AdminCall, Call, KeyCall, Route, SessionCall } from './route.ts';

/** Errors after which the change may have been made: a connection can break after the write. */
const IN_DOUBT: readonly ErrorCode[] = ['store_unavailable', 'internal_error'];

export const idempotentChanges = (routes: readonly Route[], keys: Keys): Route[] =>
  routes.map((route) => idempotentChange(route, keys));

/**
 * Makes a POST route idempotent if it is for sessions, administrators or keys. Inference routes are
 * idempotent without this.
 */
function idempotentChange(route: Route, keys: Keys): Route {
  if (route.method !== 'POST') return route;
  const doc = { ...route.doc, headers: { ...route.doc.headers, ...idempotencyHeaders } };
  switch (route.auth) {
    case 'session':
      return {
        ...route,
        doc,
        handle: (call: SessionCall) => {
          const { id, accountId } = call.person;
          return change(keys, call, id, route.handle, accountId);
        },
      };
    case 'admin':
      return {
        ...route,
        doc,
        handle: (call: AdminCall) => change(keys, call, call.actor, route.handle),
      };
    case 'key':
      return {
        ...route,
        doc,
        handle: (call: KeyCall) => change(keys, call, call.caller.keyId, route.handle),
      };
    case 'public':
    case 'playground':
      return route;
  }
}

/**
 * Runs a change once per Idempotency-Key. Without this header, just runs it.
 * @param account the session's account: the same request for another account is another change.
 * @throws GatewayError from `idempotencyKeyOf`, `idempotent` or the route.
 */
async function change<EachCall extends Call>(
  keys: Keys,
  call: EachCall,
  ownerId: string,
  handle: (call: EachCall) => Promise<Response>,
  account = '',
): Promise<Response> {
  const key = idempotencyKeyOf(call);
  if (key === null) return await handle(call);
  const { request, requestId } = call;
  const body = await call.readBytes();
  const { pathname, search } = call.url;
  const accept = request.headers.get('accept') ?? '';
  const content = { body, stream: false, headers: { address: pathname + search, accept, account } };
  // All changes have the same operation name, so that reusing a key for another change is refused.
  const named = { key, ownerId, operation: CHANGE, content };
  return await idempotent(keys, requestId, named, {
    run: (granted) => stored(keys, granted, () => handle(call), isInDoubt),
    onReplay: () => undefined,
    notReplayable,
  });
}

const isInDoubt = (thrown: unknown): boolean => IN_DOUBT.includes(asGatewayError(thrown).code);

const notReplayable = (requestId: string): GatewayError =>
  new GatewayError(
    'idempotency_not_replayable',
    `The request with this ${IDEMPOTENCY_HEADER} was already carried out as ${requestId}, or was interrupted, and its answer is not available. Check whether the change was made; if not, send it with another ${IDEMPOTENCY_HEADER}.`,
    { extra: { original_request_id: requestId } },
  );
