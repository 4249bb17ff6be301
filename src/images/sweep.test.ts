import { expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../clock.ts';
import { samplePng } from './conformance.ts';
import { type ImageId, type ImageStore, isStoredBefore, newImageId } from './image-store.ts';
import { type ImageSweep, startImageSweep } from './sweep.ts';

const HOUR_MS = 3_600_000;
const GRACE_MS = 600_000;
const PERIOD_MS = 300_000;
const png = await samplePng();

function memoryStore(clock: ManualClock) {
  const kept = new Set<ImageId>();
  const broken = new Set<ImageId>();
  const store: ImageStore = {
    put: async () => {
      const id = newImageId(clock);
      kept.add(id);
      return id;
    },
    open: async () => null,
    delete: async (id) => {
      if (broken.has(id)) throw new Error('disk says no');
      kept.delete(id);
    },
    listStoredBefore: async (cutoffMs, limit) =>
      [...kept]
        .filter((id) => isStoredBefore(id, cutoffMs))
        .sort()
        .slice(0, limit),
  };
  return { store, kept, broken };
}

async function withSweep(
  use: (
    at: ReturnType<typeof memoryStore> & {
      clock: ManualClock;
      sweep: ImageSweep;
      failures: unknown[];
    },
  ) => Promise<void>,
): Promise<void> {
  const clock = manualClock();
  const memory = memoryStore(clock);
  const failures: unknown[] = [];
  const sweep = startImageSweep({
    store: memory.store,
    clock,
    lifetimeMs: HOUR_MS,
    onFailure: (error) => failures.push(error),
  });
  await sweep.run();
  try {
    await use({ ...memory, clock, sweep, failures });
  } finally {
    await sweep.stop();
  }
}

test('an image is kept while its address works and through the grace, then deleted', () =>
  withSweep(async ({ store, kept, clock, sweep }) => {
    await store.put(png);
    clock.advance(HOUR_MS + GRACE_MS);
    await sweep.run();
    expect(kept.size).toBe(1);
    clock.advance(1000);
    const fresh = await store.put(png);
    expect(await sweep.run()).toBe(1);
    expect([...kept]).toEqual([fresh]);
  }));

test('the timer sweeps by itself', () =>
  withSweep(async ({ store, kept, clock, sweep }) => {
    await store.put(png);
    clock.advance(HOUR_MS + GRACE_MS);
    await sweep.run();
    expect(kept.size).toBe(1);
    clock.advance(PERIOD_MS);
    await sweep.stop();
    expect(kept.size).toBe(0);
  }));

test('one sweep takes as many batches as there are images', () =>
  withSweep(async ({ store, kept, clock, sweep }) => {
    for (let second = 0; second < 450; second++) {
      await store.put(png);
      clock.advance(1000);
    }
    clock.advance(HOUR_MS + 2 * GRACE_MS);
    // The timer began a sweep on the way, which knows the time it began at.
    await sweep.run();
    expect(await sweep.run()).toBe(450);
    expect(kept.size).toBe(0);
  }));

test('an image that cannot be deleted is reported and keeps no other', () =>
  withSweep(async ({ store, kept, broken, clock, sweep, failures }) => {
    const stuck = await store.put(png);
    await store.put(png);
    broken.add(stuck);
    clock.advance(2 * HOUR_MS);
    await sweep.run();
    failures.length = 0;
    await sweep.run();
    expect([...kept]).toEqual([stuck]);
    expect(failures).toEqual([new Error('disk says no')]);
    broken.clear();
    expect(await sweep.run()).toBe(1);
  }));

test('a store that cannot be listed is reported, and the next sweep works', () =>
  withSweep(async ({ store, clock, failures, sweep }) => {
    await store.put(png);
    clock.advance(2 * HOUR_MS);
    await sweep.run();
    const listing = store.listStoredBefore;
    store.listStoredBefore = () => Promise.reject(new Error('bucket is gone'));
    expect(await sweep.run()).toBe(0);
    expect(failures).toEqual([new Error('bucket is gone')]);
    store.listStoredBefore = listing;
    await store.put(png);
    clock.advance(2 * HOUR_MS);
    await sweep.stop();
    expect(failures.length).toBe(1);
  }));

test('after stop nothing is swept, however much time goes by', () =>
  withSweep(async ({ store, kept, clock, sweep }) => {
    await store.put(png);
    await sweep.stop();
    clock.advance(10 * HOUR_MS);
    await sweep.stop();
    expect(kept.size).toBe(1);
  }));
