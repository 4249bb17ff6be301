import { beforeEach, describe, expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { LineWriter, MAX_WAITING_CHARS, type WriteBytes } from './line-writer.ts';

type Pending = { readonly text: string; readonly done: Parameters<WriteBytes>[2] };

let clock: ManualClock;
let pending: Pending[];
let writer: LineWriter;
beforeEach(() => {
  clock = manualClock();
  pending = [];
  const writeBytes: WriteBytes = (_fd, bytes, done) => {
    pending.push({ text: new TextDecoder().decode(bytes), done });
  };
  writer = new LineWriter(1, clock, { writeBytes });
});

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });
/** Completes the oldest pending write, with an error or with the number of written bytes. */
function answer(error: NodeJS.ErrnoException | null = null, written?: number): void {
  const write = pending.shift();
  if (write === undefined) throw new Error('nothing was written');
  write.done(error, written ?? new TextEncoder().encode(write.text).byteLength);
}
const texts = (): readonly string[] => pending.map(({ text }) => text);

describe('lines', () => {
  test('are written in batches, at most a tenth of a second late', () => {
    writer.write('one');
    writer.write('two');
    expect(texts()).toEqual([]);
    clock.advance(100);
    expect(texts()).toEqual(['one\ntwo\n']);
  });

  test('fill a batch that is written at once, then the next', () => {
    const long = 'x'.repeat(80_000);
    writer.write(long);
    expect(texts()).toEqual([`${long}\n`]);
    writer.write('next');
    clock.advance(100);
    expect(texts()).toHaveLength(1);
    answer();
    expect(texts()).toEqual(['next\n']);
  });

  test('continue after a partial write, by bytes', () => {
    writer.write('aé');
    clock.advance(100);
    answer(null, 1);
    expect(texts()).toEqual(['é\n']);
    answer();
    expect(texts()).toEqual([]);
    expect(writer.dropped).toBe(0);
  });

  test('are retried when the pipe is full', () => {
    writer.write('one');
    clock.advance(100);
    answer(failure('EAGAIN'));
    expect(texts()).toEqual([]);
    clock.advance(10);
    expect(texts()).toEqual(['one\n']);
    answer();
    expect(writer.dropped).toBe(0);
  });

  test('beyond the buffer are dropped and counted until there is room', () => {
    const line = 'x'.repeat(MAX_WAITING_CHARS / 4);
    writer.write(line);
    for (let i = 0; i < 5; i++) writer.write(line);
    expect(writer.dropped).toBe(2);
    answer();
    expect(pending).toHaveLength(1);
    writer.write('small');
    expect(writer.dropped).toBe(2);
  });

  test.each(['ENOSPC', 'EDQUOT'])('wait while the disk of a log file is full: %s', (code) => {
    writer.write('one');
    clock.advance(100);
    answer(failure(code));
    writer.write('two');
    clock.advance(1_000);
    expect(texts()).toEqual(['one\n']);
    answer();
    answer();
    writer.write('three');
    clock.advance(100);
    expect([texts(), writer.dropped]).toEqual([['three\n'], 0]);
  });

  test('for a closed reader are counted as dropped', () => {
    writer.write('one');
    clock.advance(100);
    writer.write('two');
    answer(failure('EPIPE'));
    writer.write('three');
    clock.advance(1_000);
    expect(texts()).toEqual([]);
    expect(writer.dropped).toBe(3);
  });
});

describe('at the end', () => {
  test('writes everything, including what waits behind a write', async () => {
    writer.write('one');
    clock.advance(100);
    writer.write('two');
    const flushed = writer.flush(1_000);
    answer();
    expect(texts()).toEqual(['two\n']);
    answer();
    clock.advance(10);
    await flushed;
    expect(writer.dropped).toBe(0);
  });

  test('waits for a stalled reader only up to the limit, and counts the rest', async () => {
    writer.write('one');
    clock.advance(100);
    writer.write('two');
    const flushed = writer.flush(1_000);
    let isOver = false;
    void flushed.then(() => {
      isOver = true;
    });
    for (let ms = 0; ms < 1_000; ms += 10) {
      expect(isOver).toBe(false);
      clock.advance(10);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    }
    await flushed;
    expect(writer.dropped).toBe(2);
  });
});
