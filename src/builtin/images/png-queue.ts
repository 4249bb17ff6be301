/** SVG to PNG, off the event loop, a few at a time. */

/** One picture keeps one core busy for a tenth of a second; more at once would starve the streams. */
const MAX_CONCURRENT_DRAWINGS = 2;
/** Pictures that may wait their turn: about ten seconds' worth; beyond that a caller is told at once. */
const MAX_WAITING_DRAWINGS = 200;

/** More is asked for than can be drawn soon. */
export class DrawingQueueFull extends Error {
  constructor() {
    super(`${MAX_WAITING_DRAWINGS} pictures are waiting to be drawn already.`);
    this.name = 'DrawingQueueFull';
  }
}

let drawing = 0;
const waiting: (() => void)[] = [];

/**
 * The SVG as a PNG of the SVG's own size in pixels.
 * @param svg is called when the turn comes, so that what waits costs no memory.
 * @throws DrawingQueueFull; the signal's reason when it is aborted, at once.
 */
export async function renderPng(svg: () => string, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  await takeTurn(signal);
  return orAborted(render(svg).finally(giveTurn), signal);
}

async function render(svg: () => string): Promise<Buffer> {
  // Loaded with the first picture: a gateway that draws none is spared its memory.
  const { default: sharp } = await import('sharp');
  return await sharp(Buffer.from(svg()))
    .flatten({ background: '#ffffff' })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

function takeTurn(signal: AbortSignal): Promise<void> {
  if (drawing < MAX_CONCURRENT_DRAWINGS) {
    drawing++;
    return Promise.resolve();
  }
  if (waiting.length >= MAX_WAITING_DRAWINGS) return Promise.reject(new DrawingQueueFull());
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      waiting.splice(waiting.indexOf(turn), 1);
      reject(signal.reason);
    };
    waiting.push(turn);
    signal.addEventListener('abort', leave, { once: true });
  });
}

function giveTurn(): void {
  const next = waiting.shift();
  if (next === undefined) drawing--;
  else next();
}

/** The promise, or the signal's reason as soon as it is aborted; the work itself runs on unseen. */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  // The abort may have come between the turn and here.
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
