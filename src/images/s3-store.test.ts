import { describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { Secret } from '../config/secret.ts';
import { type Objects, startBucket } from '../store/s3/bucket.fixture.ts';
import type { ImageId } from './image-store.ts';
import {
  imageStoreConformance,
  type OpenedStore,
  samplePng,
} from './image-store-conformance.fixture.ts';
import { CALL_MS, S3ImageStore } from './s3-store.ts';

async function withBucket(
  use: (opened: OpenedStore & { readonly bucket: Objects }) => Promise<void>,
  accessKeyId = 'access',
): Promise<void> {
  await using bucket = startBucket();
  const clock = manualClock();
  const store = new S3ImageStore({ ...bucket.settings, access_key_id: accessKeyId }, clock);
  await use({ store, clock, bucket: bucket.objects });
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

  test('lists as many images as asked for beside the key of the folder', () =>
    withBucket(async ({ store, clock, bucket }) => {
      bucket.set('images/', { bytes: new Uint8Array(), type: 'application/x-directory' });
      const ids = [await store.put(await samplePng()), await store.put(await samplePng())];
      clock.advance(10_000);
      const listed = await store.listStoredBefore(clock.nowMs(), 2);
      expect(listed.toSorted()).toEqual(ids.toSorted());
    }));

  test('reports a refusal as failure, not as missing image', () =>
    withBucket(async ({ store }) => {
      await expect(store.open(`${'a'.repeat(40)}.png` as ImageId)).rejects.toThrow();
      await expect(store.put(await samplePng())).rejects.toThrow();
    }, 'stranger'));

  test('gives up on a bucket that does not answer', async () => {
    using server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } });
    const clock = manualClock();
    const endpoint = `http://127.0.0.1:${server.port}`;
    const keys = { access_key_id: 'access', secret_access_key: new Secret('secret') };
    const store = new S3ImageStore({ bucket: 'pictures', endpoint, ...keys }, clock);
    const unknown = `${'a'.repeat(40)}.png` as ImageId;
    const calls = [
      store.put(await samplePng()),
      store.open(unknown),
      store.delete(unknown),
      store.listStoredBefore(clock.nowMs(), 10),
    ].map((call) => call.catch(String));
    clock.advance(CALL_MS);
    const reason = 'Error: no answer from the bucket within 60 s';
    expect(await Promise.all(calls)).toEqual([reason, reason, reason, reason]);
  });
});
