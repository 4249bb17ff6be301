/** `GET /files/:name`: downloads a generated image by its signed URL. */
import { GatewayError } from '../../../errors.ts';
import { type ImageStore, mediaTypeOf } from '../../../images/image-store.ts';
import { IMAGE_PATH, type ImageUrls } from '../../../images/signed-url.ts';
import type { Call, Route } from '../../edge/route.ts';

export type ImageFileDeps = {
  readonly store: ImageStore;
  readonly urls: ImageUrls;
};

/** The route is public, because the signature in the URL authorizes the download. */
export function imageFileRoutes(deps: ImageFileDeps): readonly Route[] {
  return [
    {
      method: 'GET',
      path: `${IMAGE_PATH}/:name`,
      auth: 'public',
      dialect: 'openai',
      doc: {
        summary: 'Download a generated image from its signed, temporary URL',
        tag: 'images',
        mediaTypes: ['image/png', 'image/jpeg', 'image/webp'],
        query: {
          properties: { exp: { type: 'string' }, sig: { type: 'string' } },
          required: ['exp', 'sig'],
        },
      },
      handle: (call) => download(deps, call),
    },
  ];
}

async function download({ store, urls }: ImageFileDeps, call: Call): Promise<Response> {
  const verified = urls.verify(call.params['name'] ?? '', call.url.searchParams);
  const image = verified === null ? null : await store.open(verified.id);
  if (verified === null || image === null) {
    // Every refusal has the same message, so that guessing URLs reveals nothing.
    throw new GatewayError(
      'not_found',
      'There is no image at this URL, or the URL has expired. Generate the image again.',
    );
  }
  const headers = {
    'content-type': mediaTypeOf(verified.id),
    'content-length': `${image.sizeBytes}`,
    'content-disposition': `inline; filename="${verified.id}"`,
    'cache-control': `private, max-age=${verified.secondsLeft}`,
    // The bytes come from an upstream, so a browser must never render them as a page of the
    // gateway.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  };
  return new Response(call.request.method === 'HEAD' ? null : image.body(), { headers });
}
