/** The conformance suite that the test of each image store calls. */
import { expect, test } from 'bun:test';
import sharp from 'sharp';
import type { ManualClock } from '../clock.fixture.ts';
import type { ImageFile } from './image-file.ts';
import { type ImageId, type ImageStore, isImageId } from './image-store.ts';

export type OpenedStore = { readonly store: ImageStore; readonly clock: ManualClock };

/** Returns a small PNG of one color. Each `shade` (0 to 255) gives another image. */
export async function samplePng(shade = 120): Promise<ImageFile> {
  const create = {
    width: 8,
    height: 8,
    channels: 3,
    background: { r: shade, g: 90, b: 60 },
  } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  return { format: 'png', bytes: new Uint8Array(bytes) };
}

export async function readStored(store: ImageStore, id: ImageId): Promise<Uint8Array | null> {
  const image = await store.open(id);
  return image === null ? null : new Uint8Array(await new Response(image.body()).arrayBuffer());
}

/** @param withStore opens an empty store, passes it to `use`, and removes it afterwards. */
export function imageStoreConformance(
  withStore: (use: (opened: OpenedStore) => Promise<void>) => Promise<void>,
): void {
  test('an image is opened under its id with exactly the bytes and the size stored', () =>
    withStore(async ({ store }) => {
      const png = await samplePng();
      const id = await store.put(png);
      expect(isImageId(id)).toBe(true);
      expect((await store.open(id))?.sizeBytes).toBe(png.bytes.length);
      expect(await readStored(store, id)).toEqual(png.bytes);
    }));

  test('the same image stored twice has two ids, and deleting one keeps the other', () =>
    withStore(async ({ store }) => {
      const png = await samplePng();
      const [first, second] = [await store.put(png), await store.put(png)];
      expect(first).not.toBe(second);
      await store.delete(first);
      expect(await store.open(first)).toBeNull();
      expect(await readStored(store, second)).toEqual(png.bytes);
    }));

  test('an image never stored is null, and deleting it is no error', () =>
    withStore(async ({ store }) => {
      const unknown = `${'f'.repeat(40)}.png` as ImageId;
      expect(await store.open(unknown)).toBeNull();
      await store.delete(unknown);
    }));

  test('only images stored before the moment are listed, oldest first, no more than asked for', () =>
    withStore(async ({ store, clock }) => {
      const ids: ImageId[] = [];
      for (let shade = 0; shade < 4; shade++) {
        ids.push(await store.put(await samplePng(shade)));
        clock.advance(10_000);
      }
      const afterThird = clock.nowMs() - 15_000;
      expect(await store.listStoredBefore(afterThird, 10)).toEqual(ids.slice(0, 3));
      expect(await store.listStoredBefore(afterThird, 2)).toEqual(ids.slice(0, 2));
      expect(await store.listStoredBefore(clock.nowMs() - 40_000, 10)).toEqual([]);
    }));
}
