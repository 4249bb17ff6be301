import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManualClock, manualClock } from '../../../clock.fixture.ts';
import { systemClock } from '../../../clock.ts';
import { GatewayError } from '../../../errors.ts';
import type { ImageStore } from '../../../images/image-store.ts';
import { samplePng } from '../../../images/image-store-conformance.fixture.ts';
import { openLocalImageStore } from '../../../images/local-store.ts';
import { ImageUrls } from '../../../images/signed-url.ts';
import { traceOf } from '../../../protocols/trace-context.ts';
import type { Call } from '../../edge/route.ts';
import { imageFileRoutes } from './image-file-routes.ts';

type Opened = {
  readonly store: ImageStore;
  readonly urls: ImageUrls;
  readonly clock: ManualClock;
  readonly get: (address: string, init?: RequestInit) => Promise<Response>;
};

async function withRoutes(use: (opened: Opened) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-files-'));
  try {
    const clock = manualClock();
    const store = await openLocalImageStore(join(folder, 'images'), clock);
    const keys = [{ version: 1, secret: new Uint8Array(32).fill(3) }] as const;
    const urls = new ImageUrls({ publicUrl: 'http://gate', keys, lifetimeMs: 3_600_000, clock });
    const [route] = imageFileRoutes({ store, urls });
    if (route?.auth !== 'public') throw new Error('The download route must be public.');
    const get = (address: string, init?: RequestInit): Promise<Response> =>
      route.handle(callOf(new Request(address, init)));
    await use({ store, urls, clock, get });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the call that the edge would make for a GET of /files/:name. */
function callOf(request: Request): Call {
  const url = new URL(request.url);
  return {
    request,
    url,
    params: { name: decodeURIComponent(url.pathname.slice('/files/'.length)) },
    requestId: 'req_test',
    trace: traceOf(null, systemClock),
    acceptedAtMs: 0,
    address: () => null,
    asks: () => {},
    readBytes: unread,
    readScanned: unread,
    scanMade: unread,
    readJson: unread,
    releaseBody: () => {},
    headers: () => ({}),
  };
}

const unread = (): Promise<never> => Promise.reject(new Error('A download has no body.'));

async function failureOf(answer: Promise<Response>): Promise<GatewayError> {
  const failure = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(failure instanceof GatewayError)) throw new Error('The download should have been refused.');
  return failure;
}

describe('GET /files/:name', () => {
  test('returns the exact bytes, as an image that cannot run scripts', () =>
    withRoutes(async ({ store, urls, get }) => {
      const png = await samplePng();
      const id = await store.put(png);
      const answer = await get(urls.sign(id).url);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toEqual({
        'content-type': 'image/png',
        'content-length': `${png.bytes.length}`,
        'content-disposition': `inline; filename="${id}"`,
        'cache-control': 'private, max-age=3600',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
      });
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png.bytes);
    }));

  test.each([
    ['jpeg', 'image/jpeg', '.jpg'],
    ['webp', 'image/webp', '.webp'],
  ] as const)('serves a %s file with its type', (format, type, extension) =>
    withRoutes(async ({ store, urls, get }) => {
      const { url } = urls.sign(await store.put({ ...(await samplePng()), format }));
      expect(new URL(url).pathname.endsWith(extension)).toBe(true);
      expect((await get(url)).headers.get('content-type')).toBe(type);
      // The signature covers the extension, so a URL with another extension is refused.
      expect((await failureOf(get(url.replace(extension, '.png')))).code).toBe('not_found');
    }),
  );

  test('ignores any key that a client sends', () =>
    withRoutes(async ({ store, urls, get }) => {
      const address = urls.sign(await store.put(await samplePng())).url;
      const answer = await get(address, { headers: { authorization: 'Bearer sk-wrong' } });
      expect(answer.status).toBe(200);
    }));

  test('HEAD returns the size without a body', () =>
    withRoutes(async ({ store, urls, get }) => {
      const png = await samplePng();
      const answer = await get(urls.sign(await store.put(png)).url, { method: 'HEAD' });
      expect(answer.headers.get('content-length')).toBe(`${png.bytes.length}`);
      expect(answer.body).toBeNull();
    }));

  test('is cached no longer than the URL is valid', () =>
    withRoutes(async ({ store, urls, clock, get }) => {
      const address = urls.sign(await store.put(await samplePng())).url;
      clock.advance(3_590_000);
      expect((await get(address)).headers.get('cache-control')).toBe('private, max-age=10');
    }));

  test('returns the same 404 for a forged, expired, swept or unknown image', () =>
    withRoutes(async ({ store, urls, clock, get }) => {
      const id = await store.put(await samplePng());
      const address = urls.sign(id).url;
      const failures = [
        await failureOf(get(address.replace('exp=1', 'exp=2'))),
        await failureOf(get('http://gate/files/..%2f..%2fetc%2fpasswd?exp=1&sig=1.x')),
        await failureOf(get('http://gate/files/%00')),
      ];
      await store.delete(id);
      failures.push(await failureOf(get(address)));
      const kept = urls.sign(await store.put(await samplePng())).url;
      clock.advance(3_600_000);
      failures.push(await failureOf(get(kept)));
      for (const failure of failures) {
        expect([failure.code, failure.message]).toEqual(['not_found', failures[0]?.message ?? '']);
      }
    }));
});
