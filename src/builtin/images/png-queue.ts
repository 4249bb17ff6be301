/** Draws PNG files outside the event loop, a few at a time. */
import { imageLibrary } from '../../images/image-library.ts';

/**
 * The maximum number of pictures drawn at the same time. Each keeps a core busy for about 150 ms,
 * so a higher number would slow down streams.
 */
const MAX_CONCURRENT_DRAWINGS = 2;
/**
 * The maximum number of unfinished pictures, which is about 15 seconds of work. Further requests
 * are refused at once.
 */
const MAX_WAITING_DRAWINGS = 200;

export class DrawingQueueFull extends Error {
  constructor() {
    super(`The drawing queue is full: ${MAX_WAITING_DRAWINGS} pictures are waiting. Retry later.`);
    this.name = 'DrawingQueueFull';
  }
}

let waiting = 0;
let nextLane = 0;
/**
 * The lanes, which draw in parallel. A lane is the promise of its last queued picture, because it
 * draws its pictures one after another.
 */
const lanes: Promise<unknown>[] = Array.from({ length: MAX_CONCURRENT_DRAWINGS }, async () => {});

/**
 * Draws a PNG. `work` is called only when drawing begins, so that queued pictures take no memory.
 * @throws DrawingQueueFull, or the signal's reason as soon as the signal is aborted.
 */
export async function drawPng(work: () => Promise<Buffer>, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  if (waiting >= MAX_WAITING_DRAWINGS) throw new DrawingQueueFull();
  waiting += 1;
  const lane = nextLane;
  nextLane = (lane + 1) % lanes.length;
  const draw = async (): Promise<Buffer> => {
    // An aborted picture is removed from the queue without being drawn.
    signal.throwIfAborted();
    return work();
  };
  const drawn = (lanes[lane] ?? Promise.resolve()).then(draw).finally(() => {
    waiting -= 1;
  });
  lanes[lane] = drawn.catch(() => {});
  return orAborted(drawn, signal);
}

export async function svgPng(svg: string): Promise<Buffer> {
  const sharp = await imageLibrary();
  return await sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/**
 * Returns the result of `work`, but rejects as soon as the signal is aborted. The work itself
 * cannot be canceled.
 */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
