/** Renders SVG to PNG off the event loop, a few pictures at a time. */

/** A picture takes about 150 ms of one core. More at once would starve the streams. */
const MAX_CONCURRENT_DRAWINGS = 2;
/** Pictures that may wait: about 15 seconds of work. Further requests are refused at once. */
const MAX_WAITING_DRAWINGS = 200;

/** The queue is full. */
export class DrawingQueueFull extends Error {
  constructor() {
    super(`The drawing queue is full: ${MAX_WAITING_DRAWINGS} pictures are waiting. Retry later.`);
    this.name = 'DrawingQueueFull';
  }
}

let drawing = 0;
const waiting: (() => void)[] = [];

/**
 * Renders a PNG of the size that the SVG declares.
 * @param svg is called when the rendering starts, so that waiting pictures take no memory.
 * @throws DrawingQueueFull, or the signal's reason as soon as it is aborted.
 */
export async function renderPng(svg: () => string, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  await takeTurn(signal);
  return orAborted(render(svg).finally(giveTurn), signal);
}

async function render(svg: () => string): Promise<Buffer> {
  // Loaded with the first picture: sharp takes 60 ms and 35 MB.
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

/**
 * Rejects with the signal's reason as soon as it is aborted. The work itself cannot be canceled.
 */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  // The abort may have come while this waited for its turn.
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
