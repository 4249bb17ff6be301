import { expect, test } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { nextTurn } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { readImagesRequest } from '../../protocols/images/request.ts';
import { CallAbort } from '../../routing/call-abort.ts';
import { smallCatalogue } from '../admission.fixture.ts';
import { readAnswerBytes } from '../upstream-answer.ts';
import { AnswerMemory, type AnswerShare } from './answer-memory.ts';
import { imageOrder } from './image-order.ts';
import { ImageShelf } from './image-shelf.ts';

const IDLE_MS = 5_000;
const notHere = () => {
  throw new Error('nothing is stored');
};

/** Reads an answer of two chunks of this size. Returns an object that reports what was read. */
function reading(memory: AnswerMemory, bytes: number) {
  const share = memory.open();
  const clock = manualClock();
  const abort = new CallAbort();
  const seen: { read: number | string } = { read: 0 };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(bytes));
      controller.enqueue(new Uint8Array(bytes));
      controller.close();
    },
  });
  const pace = (size: number) => {
    seen.read = Number(seen.read) + size;
    return share.add(size, abort);
  };
  const limits = { clock, maxAnswerBytes: 1_000, idleTimeoutMs: IDLE_MS, pace };
  const done = readAnswerBytes(new Response(body), limits).then(({ length }) => {
    seen.read = `all ${length}`;
  });
  return { share, seen, clock, abort, done };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await nextTurn();
};

/** Returns what happens to a new request: `admitted`, or the code of its refusal. */
function admit(memory: AnswerShare): string {
  const clock = manualClock();
  const shelf = new ImageShelf({ store: { put: notHere }, urls: { sign: notHere }, clock });
  const request = readImagesRequest({ model: 'img', prompt: 'x', size: '1024x1024' });
  const order = imageOrder({
    ...{ request, inputs: null, shelf, memory },
    ...{ onBegun: () => {}, releaseBody: () => {} },
  });
  try {
    order.admit(smallCatalogue(), () => true);
    return 'admitted';
  } catch (thrown) {
    return thrown instanceof GatewayError ? `${thrown.code} ${thrown.retryAfterSeconds}` : 'thrown';
  }
}

test('the oldest answer is read; others wait for its memory without a timeout', async () => {
  const memory = new AnswerMemory(300, manualClock());
  const first = reading(memory, 100);
  const second = reading(memory, 10);
  const third = reading(memory, 10);
  await settle();
  expect([first.seen.read, second.seen.read, third.seen.read]).toEqual(['all 200', 10, 10]);
  expect(admit(memory.open())).toBe('rate_limit_exceeded 1');
  second.clock.advance(10 * IDLE_MS);
  await settle();
  expect(second.seen.read).toBe(10);
  first.share.release();
  await Promise.all([second.done, third.done]);
  expect([second.seen.read, third.seen.read]).toEqual(['all 20', 'all 20']);
  expect(admit(memory.open())).toBe('admitted');
});

test('an aborted answer does not wait, and a given up one frees its memory', async () => {
  const memory = new AnswerMemory(100, manualClock());
  const first = reading(memory, 100);
  const second = reading(memory, 10);
  const third = reading(memory, 10);
  await settle();
  second.abort.abort();
  await second.done;
  expect(third.seen.read).toBe(10);
  // The second answer is now the oldest, and takes more than is left.
  first.share.release();
  second.share.release();
  await third.done;
  third.share.release();
  expect(reading(memory, 10).share.add(0, new CallAbort())).toBeNull();
});

test('an answer that waits for long reads a chunk, so that its upstream stays connected', async () => {
  const clock = manualClock();
  const memory = new AnswerMemory(100, clock);
  const first = reading(memory, 100);
  const second = reading(memory, 10);
  await settle();
  clock.advance(19_999);
  await settle();
  expect([first.seen.read, second.seen.read]).toEqual(['all 200', 10]);
  clock.advance(1);
  await settle();
  expect(second.seen.read).toBe(20);
  first.share.release();
  await second.done;
});
