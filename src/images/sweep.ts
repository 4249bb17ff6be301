/** Deletes stored images whose URLs have expired. */
import type { Clock } from '../clock.ts';
import type { ImageId, ImageStore } from './image-store.ts';

/** The interval between sweeps. An image can outlive its URL by this time plus the grace period. */
const PERIOD_MS = 5 * 60_000;
/** How long an image is kept after its URL has expired, because a download may still be running. */
const GRACE_MS = 10 * 60_000;
/** Maximum images that one listing of the store returns. */
const BATCH_IMAGES = 200;
/** Maximum batches that one sweep deletes. The next sweep continues after them. */
const MAX_BATCHES = 50;

export type SweepOptions = {
  readonly store: ImageStore;
  readonly clock: Clock;
  /** How long a URL stays valid, in milliseconds, as in `ImageUrls`. */
  readonly lifetimeMs: number;
  /** Called for each failure. The next sweep still runs. */
  readonly onFailure: (error: unknown) => void;
};

export type ImageSweep = ReturnType<typeof startImageSweep>;

/**
 * Sweeps at once, because images may have expired before a restart. Then sweeps every five minutes.
 */
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
    /** Sweeps now, or joins a running sweep. Resolves with the number of images deleted. */
    run,
    /**
     * Starts no further batches. Does not wait for a running one, because a bucket that does not
     * answer would delay the exit. The next start deletes the remaining images.
     */
    stop: (): void => {
      stopped = true;
      timer.cancel();
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
      // If a deletion failed, the sweep ends, because the next list would contain the same images.
      // The next sweep tries again.
      if (expired.length < BATCH_IMAGES || gone < expired.length) break;
    }
  } catch (thrown) {
    options.onFailure(thrown);
  }
  return deleted;
}

/**
 * Deletes each image and returns the number of deleted ones. A failure does not stop the others.
 */
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
