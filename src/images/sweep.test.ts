import { expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { nextTurn } from '../clock.ts';
import { type ImageId, type ImageStore, isStoredBefore, newImageId } from './image-store.ts';
import { samplePng } from './image-store-conformance.fixture.ts';
import { type ImageSweep, startImageSweep } from './sweep.ts';

const HOUR_MS = 3_600_000;
const GRACE_MS = 600_000;
const PERIOD_MS = 300_000;
const BATCH_IMAGES = 200;
const png = await samplePng();

function memoryStore(clock: ManualClock) {
  const kept = new Set<ImageId>();
  const broken = new Set<ImageId>();
  const store: ImageStore = {
    put: async () => {
      const id = newImageId('png', clock);
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

/** Stores images one second apart, so that their ids, which begin with the second, sort by age. */
async function putEachSecond(store: ImageStore, clock: ManualClock, count: number): Promise<void> {
  for (let image = 0; image < count; image++) {
    await store.put(png);
    clock.advance(1000);
  }
}

async function withSweep(
  use: (
    at: ReturnType<typeof memoryStore> & {
      clock: ManualClock;
      sweep: ImageSweep;
      failures: unknown[];
      /** Waits for the sweep that the timer started earlier. Then runs another one now. */
      sweepNow: () => Promise<number>;
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
    const sweepNow = async (): Promise<number> => {
      const earlier = await sweep.run();
      return earlier + (await sweep.run());
    };
    await use({ ...memory, clock, sweep, failures, sweepNow });
  } finally {
    sweep.stop();
  }
}

test('deletes an image after its URL and the grace period have expired', () =>
  withSweep(async ({ store, kept, clock, sweepNow }) => {
    await store.put(png);
    clock.advance(HOUR_MS + GRACE_MS);
    expect(await sweepNow()).toBe(0);
    clock.advance(1000);
    const fresh = await store.put(png);
    expect(await sweepNow()).toBe(1);
    expect([...kept]).toEqual([fresh]);
  }));

test('sweeps on a timer', () =>
  withSweep(async ({ store, kept, clock, sweep, sweepNow }) => {
    await store.put(png);
    clock.advance(HOUR_MS + GRACE_MS);
    expect(await sweepNow()).toBe(0);
    clock.advance(PERIOD_MS);
    await sweep.run();
    expect(kept.size).toBe(0);
  }));

test('sweeps all batches in one run', () =>
  withSweep(async ({ store, kept, clock, sweepNow }) => {
    await putEachSecond(store, clock, 450);
    clock.advance(2 * HOUR_MS);
    expect(await sweepNow()).toBe(450);
    expect(kept.size).toBe(0);
  }));

test('reports images that cannot be deleted once per sweep, and deletes the others', () =>
  withSweep(async ({ store, kept, broken, clock, sweepNow, failures }) => {
    await putEachSecond(store, clock, 3);
    const [stuck] = kept;
    if (stuck !== undefined) broken.add(stuck);
    clock.advance(2 * HOUR_MS);
    await sweepNow();
    failures.length = 0;
    expect(await sweepNow()).toBe(0);
    expect([...kept]).toEqual(stuck === undefined ? [] : [stuck]);
    expect(failures).toEqual([new Error('disk says no'), new Error('disk says no')]);
    broken.clear();
    expect(await sweepNow()).toBe(1);
    expect(kept.size).toBe(0);
  }));

test('tries a batch that cannot be deleted once per sweep', () =>
  withSweep(async ({ store, kept, broken, clock, sweep, sweepNow, failures }) => {
    await putEachSecond(store, clock, BATCH_IMAGES);
    for (const id of kept) broken.add(id);
    clock.advance(2 * HOUR_MS);
    await sweepNow();
    failures.length = 0;
    await sweep.run();
    expect(failures.length).toBe(BATCH_IMAGES);
  }));

test('reports a store that cannot be listed, and sweeps again', () =>
  withSweep(async ({ store, kept, clock, failures, sweepNow }) => {
    const listing = store.listStoredBefore;
    store.listStoredBefore = () => Promise.reject(new Error('bucket is gone'));
    await sweepNow();
    expect(failures).toEqual([new Error('bucket is gone'), new Error('bucket is gone')]);
    store.listStoredBefore = listing;
    await store.put(png);
    clock.advance(2 * HOUR_MS);
    await sweepNow();
    expect(kept.size).toBe(0);
  }));

test('stop ends a running sweep after its batch', () =>
  withSweep(async ({ store, kept, clock, sweep }) => {
    await putEachSecond(store, clock, 450);
    clock.advance(2 * HOUR_MS);
    // Waits for the sweep that the timer started before any image had expired.
    expect(await sweep.run()).toBe(0);
    const running = sweep.run();
    sweep.stop();
    expect(await running).toBe(BATCH_IMAGES);
    clock.advance(10 * HOUR_MS);
    expect(kept.size).toBe(450 - BATCH_IMAGES);
  }));

test('stop does not wait for a store that does not answer', () =>
  withSweep(async ({ store, clock, sweep }) => {
    store.listStoredBefore = () => new Promise(() => {});
    clock.advance(PERIOD_MS);
    const outcome = await Promise.race([sweep.stop(), nextTurn().then(() => 'waiting')]);
    expect(outcome).toBeUndefined();
  }));
