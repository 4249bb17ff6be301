import { expect, test } from 'bun:test';
import { StampReader } from '../load/stamps.ts';
import { StampedWave } from './stamped-wave.ts';

const EVENTS = 4;
const LAST_BYTES = '\r\n0\r\n\r\n';

type Stream = {
  readonly numbers: number[];
  pieces: number;
  readonly leave: () => void;
  readonly ended: Promise<void>;
};

function join(wave: StampedWave): Stream {
  const numbers: number[] = [];
  const stamps = new StampReader((number) => numbers.push(number));
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const stream = { numbers, pieces: 0, leave: () => {}, ended };
  stream.leave = wave.join((bytes) => {
    stream.pieces++;
    stamps.read(bytes);
    if (bytes.toString('latin1').endsWith(LAST_BYTES)) resolve();
  });
  return stream;
}

test('a wave starts when all its streams are open, and sends each all of its events in order', async () => {
  let begun = 0;
  const plan = { kind: 'stamped', events: EVENTS, everyMs: 1, streams: 3 } as const;
  const wave = new StampedWave('chat', plan, () => begun++);
  const gone = join(wave);
  const first = join(wave);
  gone.leave();
  const second = join(wave);
  expect(begun).toBe(0);
  const leaver = join(wave);
  expect(begun).toBe(1);
  leaver.leave();

  await Promise.all([first.ended, second.ended]);
  expect(first.numbers).toEqual([0, 1, 2, 3]);
  expect(second.numbers).toEqual([0, 1, 2, 3]);
  // A stream whose reader left got only the opening, whether the reader left before or after the
  // start of the wave.
  expect([gone.pieces, leaver.pieces]).toEqual([1, 1]);
  // Each of the other streams got one opening and three final events in addition to the stamped
  // events.
  expect([first.pieces, second.pieces]).toEqual([EVENTS + 4, EVENTS + 4]);
});
