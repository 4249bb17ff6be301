/** Image generation. */
import { imagesRequestJsonSchema, readImagesRequest } from '../protocols/images/request.ts';
import { type ImageRelayDeps, relayImages } from '../relay/relay-images.ts';
import type { KeyCall, Route } from './route.ts';

export function imageRoutes(deps: ImageRelayDeps): readonly Route[] {
  return ['/v2', '/v1'].map((prefix) => ({
    method: 'POST',
    path: `${prefix}/images/generations`,
    auth: 'key',
    dialect: 'openai',
    doc: { summary: 'Generate images', tag: 'images', request: imagesRequestJsonSchema },
    handle: (call) => generate(deps, call),
  }));
}

async function generate(deps: ImageRelayDeps, call: KeyCall): Promise<Response> {
  return await relayImages(deps, {
    requestId: call.requestId,
    caller: call.caller,
    signal: call.request.signal,
    request: readImagesRequest(await call.readJson()),
  });
}
