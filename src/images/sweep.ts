/** Deletes stored images whose URLs have expired. */
import type { Clock } from '../clock.ts';
import type { ImageId, ImageStore } from './image-store.ts';

/** How often the store is swept. Images outlive their URL by a few minutes at most. */
const PERIOD_MS = 5 * 60_000;
/** How long an image is kept after its URL expired, since a download may still be running. */
const GRACE_MS = 10 * 60_000;
/** How many images one listing of the store may return. */
const BATCH_IMAGES = 200;
/** How many batches one sweep deletes at most; the next sweep continues. */
const MAX_BATCHES = 50;

export type SweepOptions = {
  readonly store: ImageStore;
  readonly clock: Clock;
  /** How long a URL is valid, in milliseconds, as in `ImageUrls`. */
  readonly lifetimeMs: number;
  /** Called for each failure. The next sweep still runs. */
  readonly onFailure: (error: unknown) => void;
};

export type ImageSweep = ReturnType<typeof startImageSweep>;

/** Sweeps at once, since a restart may find old images, then every five minutes until stopped. */
export function startImageSweep(options: SweepOptions) {
  let running: Promise<number> | null = null;
  let stopped = false;
  const run = (): Promise<number> => {
    running ??= sweep(options, () => stopped).finally(() => {
      running = null;
    });
    return running;
  };
  const timer = options.clock.every(PERIOD_MS, run);
  run();
  return {
    /** Sweeps now and resolves with the number of images deleted. Joins a sweep that is running. */
    run,
    /** Stops the timer and resolves when a running sweep has ended. */
    stop: async (): Promise<void> => {
      stopped = true;
      timer.cancel();
      await running;
    },
  };
}

async function sweep(options: SweepOptions, isStopped: () => boolean): Promise<number> {
  const cutoffMs = options.clock.nowMs() - options.lifetimeMs - GRACE_MS;
  let deleted = 0;
  try {
    for (let batch = 0; batch < MAX_BATCHES && !isStopped(); batch++) {
      const expired = await options.store.listStoredBefore(cutoffMs, BATCH_IMAGES);
      const gone = await deleteEach(expired, options);
      deleted += gone;
      // Images that could not be deleted would be listed again; the next sweep retries them.
      if (expired.length < BATCH_IMAGES || gone < expired.length) break;
    }
  } catch (thrown) {
    options.onFailure(thrown);
  }
  return deleted;
}

/** Deletes each image and returns how many were deleted. One failure does not stop the others. */
async function deleteEach(ids: readonly ImageId[], options: SweepOptions): Promise<number> {
  let deleted = 0;
  for (const id of ids) {
    try {
      await options.store.delete(id);
      deleted++;
    } catch (thrown) {
      options.onFailure(thrown);
    }
  }
  return deleted;
}
