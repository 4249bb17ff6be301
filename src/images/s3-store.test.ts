import { describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { type Objects, startBucket } from '../store/s3/bucket.fixture.ts';
import type { ImageId } from './image-store.ts';
import {
  imageStoreConformance,
  type OpenedStore,
  samplePng,
} from './image-store-conformance.fixture.ts';
import { S3ImageStore } from './s3-store.ts';

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

  test('reports a refusal as failure, not as missing image', () =>
    withBucket(async ({ store }) => {
      await expect(store.open(`${'a'.repeat(40)}.png` as ImageId)).rejects.toThrow();
      await expect(store.put(await samplePng())).rejects.toThrow();
    }, 'stranger'));
});
