import { beforeEach, describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { GatewayError } from '../errors.ts';
import { finished } from './finished.fixture.ts';
import { LineWriter } from './line-writer.ts';
import { type Level, openLog, RequestLines } from './log.ts';

const NOW_MS = 1_790_000_000_000;

let written: Record<string, unknown>[];
beforeEach(() => {
  written = [];
});

const clock = manualClock();
const writer = (batchMs: number): LineWriter =>
  new LineWriter(1, clock, {
    batchMs,
    writeBytes: (_fd, bytes, done) => {
      const lines = new TextDecoder().decode(bytes).trimEnd().split('\n');
      written.push(...lines.map((line) => JSON.parse(line)));
      done(null, bytes.byteLength);
    },
  });

describe('the lines of requests', () => {
  const isModel = (): boolean => true;
  const probe = finished({ isProbe: true });
  const refused = finished({ status: 401, end: 'refused', settled: null });
  const failed = finished({ status: 502, end: 'upstream_error' });

  async function log(level: Level): Promise<void> {
    const lines = new RequestLines(level, clock, writer(100));
    for (const each of [finished(), refused, failed, probe]) lines.write(each, isModel);
    await lines.close();
  }

  test.each([
    ['debug', ['completed', 'refused', 'upstream_error']],
    ['info', ['completed', 'refused', 'upstream_error']],
    ['warn', ['refused', 'upstream_error']],
    ['error', ['upstream_error']],
    ['silent', []],
  ] as const)('at level %s omit less severe ones and probes', async (level, expected) => {
    await log(level);
    expect(written.map((line) => line['outcome'])).toEqual([...expected]);
  });

  test("are JSON objects with pino's level and time", async () => {
    await log('info');
    expect(written[0]).toMatchObject({ level: 30, time: NOW_MS, msg: 'request' });
  });
});

describe('an event', () => {
  test("is written at once, as a JSON object with pino's level and time", () => {
    const { log } = openLog('info', clock, writer(0));
    log.info('stopped');
    log.warn({ upstream: 'main' }, 'slow');
    expect(written).toEqual([
      { level: 30, time: NOW_MS, msg: 'stopped' },
      { level: 40, time: NOW_MS, upstream: 'main', msg: 'slow' },
    ]);
  });

  test('below the level of the log is not written', () => {
    const { log } = openLog('warn', clock, writer(0));
    log.debug('a');
    log.info({ some: 1 }, 'b');
    log.error('c');
    expect(written.map((line) => line['msg'])).toEqual(['c']);
  });

  test('with an error has its type, code, messages and stack traces', () => {
    const cause = new RangeError('the disk is full');
    const err = new GatewayError('store_unavailable', 'The store is away.', { cause });
    openLog('info', clock, writer(0)).log.error({ err, upstream: 'main' }, 'failed');
    expect(written[0]).toMatchObject({
      upstream: 'main',
      err: {
        type: 'GatewayError',
        code: 'store_unavailable',
        message: 'The store is away.: the disk is full',
        stack: expect.stringMatching(
          /log\.test\.ts[\s\S]*\ncaused by: RangeError[\s\S]*log\.test\.ts/,
        ),
      },
    });
  });

  test('with an error that is its own cause ends', () => {
    const err = new Error('round');
    err.cause = err;
    openLog('info', clock, writer(0)).log.error({ err }, 'failed');
    expect(written[0]).toMatchObject({ err: { message: expect.stringContaining('round: round') } });
  });

  test('with a thrown value that is no error has the value', () => {
    openLog('info', clock, writer(0)).log.error({ err: 'text' }, 'failed');
    expect(written[0]).toMatchObject({ err: 'text' });
  });
});
