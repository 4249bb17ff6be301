import { describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import type { ImageId } from './image-store.ts';
import {
  imageStoreConformance,
  type OpenedStore,
  samplePng,
} from './image-store-conformance.fixture.ts';
import { S3ImageStore } from './s3-store.ts';

type Bucket = Map<string, { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string }>;

/**
 * Imitates the part of S3 that the store uses: PUT, HEAD, GET and DELETE of an object, and a
 * listing by prefix.
 */
function answerAsS3(bucket: Bucket, request: Request, body: Uint8Array<ArrayBuffer>): Response {
  const url = new URL(request.url);
  if (request.headers.get('authorization')?.includes('Credential=access/') !== true) {
    return new Response('unsigned', { status: 403 });
  }
  const key = decodeURIComponent(url.pathname.slice('/pictures/'.length));
  if (key === '') return listAsS3(bucket, url);
  if (request.method === 'PUT') {
    bucket.set(key, { bytes: body, type: request.headers.get('content-type') ?? '' });
    return new Response(null, { headers: { etag: '"1"' } });
  }
  if (request.method === 'DELETE') {
    bucket.delete(key);
    return new Response(null, { status: 204 });
  }
  const found = bucket.get(key);
  if (found === undefined) {
    const code = '<Error><Code>NoSuchKey</Code><Message>none</Message></Error>';
    return new Response(code, { status: 404, headers: { 'content-type': 'application/xml' } });
  }
  return new Response(request.method === 'HEAD' ? null : found.bytes, {
    headers: { 'content-length': `${found.bytes.length}`, 'content-type': found.type, etag: '"1"' },
  });
}

function listAsS3(bucket: Bucket, url: URL): Response {
  const prefix = url.searchParams.get('prefix') ?? '';
  const keys = [...bucket.keys()].filter((key) => key.startsWith(prefix)).sort();
  const contents = keys
    .slice(0, Number(url.searchParams.get('max-keys') ?? 1000))
    .map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`);
  return new Response(
    `<?xml version="1.0"?><ListBucketResult><Name>pictures</Name>${contents.join('')}</ListBucketResult>`,
    { headers: { 'content-type': 'application/xml' } },
  );
}

async function withBucket(
  use: (opened: OpenedStore & { readonly bucket: Bucket }) => Promise<void>,
  secretAccessKey = 'secret',
  accessKeyId = 'access',
): Promise<void> {
  const bucket: Bucket = new Map();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) =>
      answerAsS3(bucket, request, new Uint8Array(await request.arrayBuffer())),
  });
  try {
    const clock = manualClock();
    const endpoint = `http://127.0.0.1:${server.port}`;
    const store = new S3ImageStore(
      { bucket: 'pictures', endpoint, accessKeyId, secretAccessKey },
      clock,
    );
    await use({ store, clock, bucket });
  } finally {
    await server.stop(true);
  }
}

describe('S3 image store', () => {
  imageStoreConformance(withBucket);

  test('stores objects under the prefix with their type', () =>
    withBucket(async ({ store, bucket }) => {
      const id = await store.put(await samplePng());
      expect([...bucket].map(([key, { type }]) => [key, type])).toEqual([
        [`images/${id}`, 'image/png'],
      ]);
    }));

  test('reports a refusal as failure, not as missing image', () =>
    withBucket(
      async ({ store }) => {
        await expect(store.open(`${'a'.repeat(40)}.png` as ImageId)).rejects.toThrow();
        await expect(store.put(await samplePng())).rejects.toThrow();
      },
      'secret',
      'stranger',
    ));
});
