/** The routes of embeddings. */
import { nextTurn } from '../../clock.ts';
import { embeddingsDocument, readEmbeddingsRequest } from '../../protocols/embeddings/request.ts';
import { embeddingOrder } from '../../relay/embedding-goods.ts';
import { type Shop, sell } from '../../relay/sell.ts';
import { isLong, TOKEN_LIST_LIMITS } from '../edge/body.ts';
import { idempotencyHeaders } from '../edge/idempotency.ts';
import type { KeyCall, Route } from '../edge/route.ts';
import { type InferenceDeps, idempotentInference } from './idempotent-inference.ts';
import { EMBEDDINGS } from './inference-schemas.ts';

/**
 * Maximum bytes of a body: the text of 300,000 tokens, even in a language whose characters take
 * several bytes.
 */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

export type EmbeddingRouteDeps = InferenceDeps & { readonly shop: Shop };

export const embeddingRoutes = (deps: EmbeddingRouteDeps): readonly Route[] =>
  ['/v2', '/v1'].map((prefix) => ({
    method: 'POST',
    path: `${prefix}/embeddings`,
    auth: 'key',
    scope: 'inference',
    dialect: 'openai',
    endpoint: 'embeddings',
    maxBodyBytes: MAX_BODY_BYTES,
    scanLimits: TOKEN_LIST_LIMITS,
    doc: {
      summary: 'Create embeddings',
      tag: 'embeddings',
      request: embeddingsDocument,
      response: EMBEDDINGS,
      headers: idempotencyHeaders,
    },
    handle: (call) => embed(deps, call),
  }));

async function embed(deps: EmbeddingRouteDeps, call: KeyCall): Promise<Response> {
  const { shop } = deps;
  const { requestId, trace, caller } = call;
  const body = await call.readScanned();
  if (isLong(body)) await nextTurn();
  const request = readEmbeddingsRequest(body);
  if (isLong(body)) await nextTurn();
  const { model, channel } = request;
  call.asks({ model, channel, stream: false });
  const order = embeddingOrder({
    request,
    body,
    accountId: caller.accountId,
    maxAnswerBytes: shop.limits.maxAnswerBytes,
  });
  const headers = (kind: 'json' | 'stream') => call.headers(kind);
  const content = { model, body: body.bytes, stream: false, headers: {} };
  return await idempotentInference(
    deps,
    call,
    { ...content, endpoint: 'embeddings' },
    (signal, onCharged) =>
      sell(shop, { requestId, trace, caller, signal, headers, onCharged }, order),
  );
}
