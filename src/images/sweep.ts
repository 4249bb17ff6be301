/** Deletes stored images whose URLs have expired. */
import type { Clock } from '../clock.ts';
import type { ImageId, ImageStore } from './image-store.ts';

/** Often enough that images outlive their URL by minutes only. */
const PERIOD_MS = 5 * 60_000;
/** A download that began just before the URL expired may still be running. */
const GRACE_MS = 10 * 60_000;
/** Images deleted between two listings of the store. */
const BATCH_IMAGES = 200;
/** Limits one sweep; the rest waits for the next. */
const MAX_BATCHES = 50;

export type SweepOptions = {
  readonly store: ImageStore;
  readonly clock: Clock;
  /** How long a URL is valid, as in `ImageUrls`. */
  readonly lifetimeMs: number;
  /** Called for each failure. The next sweep runs as usual. */
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
    /** One sweep now; resolves with the number of images deleted. */
    run,
    /** Starts no other sweep, and resolves when a running one has ended. */
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
      // Images that could not be deleted would be listed again, so the next sweep retries them.
      if (expired.length < BATCH_IMAGES || gone < expired.length) break;
    }
  } catch (thrown) {
    options.onFailure(thrown);
  }
  return deleted;
}

/** A failure to delete one image does not stop the others. */
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
