/** The routes of image generation. */

import { imagesRequestSchema, readImagesRequest } from '../../protocols/images/request.ts';
import { identityDigest } from '../../protocols/request-fields.ts';
import { type ImageShelf, imageOrder } from '../../relay/image-goods.ts';
import { type Shop, sell } from '../../relay/sell.ts';
import { parseScanned } from '../edge/body.ts';
import { idempotencyHeaders } from '../edge/idempotency.ts';
import type { KeyCall, Route, RouteDoc } from '../edge/route.ts';
import { type InferenceDeps, idempotentInference } from './idempotent-inference.ts';
import { IMAGES } from './inference-schemas.ts';

export type ImageRouteDeps = InferenceDeps & { readonly shop: Shop; readonly shelf: ImageShelf };

const IMAGES_ROUTE = { method: 'POST', dialect: 'openai', endpoint: 'images' } as const;
const IMAGES_DOC: RouteDoc = {
  summary: 'Generate images',
  tag: 'images',
  request: imagesRequestSchema,
  response: IMAGES,
  headers: idempotencyHeaders,
};

export function imageRoutes(deps: ImageRouteDeps): readonly Route[] {
  const forCallers = ['/v2', '/v1'].map(
    (prefix): Route => ({
      ...IMAGES_ROUTE,
      path: `${prefix}/images/generations`,
      auth: 'key',
      doc: IMAGES_DOC,
      handle: (call) => generate(deps, call),
    }),
  );
  return [
    ...forCallers,
    // The playground: the same route for a signed-in person, with their account's playground key.
    {
      ...IMAGES_ROUTE,
      path: '/console/api/images/generations',
      auth: 'playground',
      role: 'member',
      doc: { ...IMAGES_DOC, tag: 'console' },
      handle: (call) => generate(deps, call),
    },
  ];
}

async function generate(deps: ImageRouteDeps, call: KeyCall): Promise<Response> {
  const { shop, shelf } = deps;
  const { requestId, trace, caller } = call;
  const body = await call.readScanned();
  const read = readImagesRequest(parseScanned(body));
  const user = read.user === null ? null : identityDigest(caller.accountId, read.user);
  const request = { ...read, user };
  call.asks({ model: request.model, channel: request.channel, stream: false });
  const { model } = request;
  const content = { body: body.bytes, stream: false, headers: {} };
  const headers = (kind: 'json' | 'stream') => call.headers(kind);
  const order = imageOrder(request, shelf);
  return await idempotentInference(
    deps,
    call,
    { endpoint: 'images', model, ...content },
    (signal, onCharged) =>
      sell(shop, { requestId, trace, caller, signal, headers, onCharged }, order),
  );
}
