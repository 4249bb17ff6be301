import { describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '../clock.fixture.ts';
import type { ImageId } from './image-store.ts';
import {
  imageStoreConformance,
  type OpenedStore,
  samplePng,
} from './image-store-conformance.fixture.ts';
import { openLocalImageStore } from './local-store.ts';

async function inFolder(
  use: (opened: OpenedStore & { readonly folder: string }) => Promise<void>,
): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), 'modelgate-images-'));
  try {
    const folder = join(base, 'images');
    const clock = manualClock();
    await use({ store: await openLocalImageStore(folder, clock), clock, folder });
  } finally {
    await rm(base, { recursive: true });
  }
}

describe('local image store', () => {
  imageStoreConformance(inFolder);

  test('keeps one complete file per image, readable by this user only', () =>
    inFolder(async ({ store, folder }) => {
      const id = await store.put(await samplePng());
      expect(await readdir(folder)).toEqual([`${id}`]);
      expect((await stat(join(folder, `${id}`))).mode & 0o777).toBe(0o600);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    }));

  test('a partial file of a crash cannot be opened, and is deleted with age', () =>
    inFolder(async ({ store, clock, folder }) => {
      const id = await store.put(await samplePng());
      const torn = `${id.slice(0, 39)}${id[39] === '0' ? '1' : '0'}.png` as ImageId;
      await writeFile(join(folder, `${torn}.partial`), 'half');
      expect(await store.open(torn)).toBeNull();
      const old = await store.listStoredBefore(clock.nowMs() + 60_000, 10);
      expect([...old].sort()).toEqual([id, torn].sort());
      await store.delete(torn);
      expect(await readdir(folder)).toEqual([`${id}`]);
    }));

  test('builds no path from an invalid id', () =>
    inFolder(async ({ store }) => {
      for (const name of ['../../etc/passwd', '..', '', 'F'.repeat(40), `${'a'.repeat(40)}/..`]) {
        await expect(store.open(name as ImageId)).rejects.toThrow('image id is not valid');
        await expect(store.delete(name as ImageId)).rejects.toThrow('image id is not valid');
      }
    }));

  test('ignores other files in the folder', () =>
    inFolder(async ({ store, clock, folder }) => {
      await writeFile(join(folder, 'README.txt'), 'mine');
      expect(await store.listStoredBefore(clock.nowMs() + 60_000, 10)).toEqual([]);
    }));
});
