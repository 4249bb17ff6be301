/** Image generation. */

import { imagesRequestJsonSchema, readImagesRequest } from '../protocols/images/request.ts';
import { type ImageRelayDeps, relayImages } from '../relay/relay-images.ts';
import { parseScanned } from './body.ts';
import { idempotencyHeaders, type OnceDeps, once } from './idempotency.ts';
import type { KeyCall, Route } from './route.ts';

export type ImageRouteDeps = ImageRelayDeps & OnceDeps;

export function imageRoutes(deps: ImageRouteDeps): readonly Route[] {
  return ['/v2', '/v1'].map((prefix) => ({
    method: 'POST',
    path: `${prefix}/images/generations`,
    auth: 'key',
    dialect: 'openai',
    endpoint: 'images',
    doc: {
      summary: 'Generate images',
      tag: 'images',
      request: imagesRequestJsonSchema,
      headers: idempotencyHeaders,
    },
    handle: (call) => generate(deps, call),
  }));
}

async function generate(deps: ImageRouteDeps, call: KeyCall): Promise<Response> {
  const { requestId, trace, caller } = call;
  const body = await call.readScanned();
  const request = readImagesRequest(parseScanned(body));
  call.asks({ model: request.model, channel: request.channel, stream: false });
  const asked = { endpoint: 'images', body: body.bytes, stream: false, headers: {} } as const;
  return await once(deps, call, asked, (watched, signal) =>
    relayImages(watched, { requestId, trace, caller, signal, request }),
  );
}
