import { describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { type AttemptResult, RouteHealthBook, type StandingChange } from './route-health.ts';

const SUCCESS: AttemptResult = { kind: 'success' };
const FAILURE: AttemptResult = { kind: 'failure', code: 'upstream_failed', cause: 'status 500' };
const UNKNOWN: AttemptResult = { kind: 'unknown' };

class Bench {
  readonly clock = manualClock();
  readonly changes: StandingChange[] = [];
  readonly book: RouteHealthBook;

  constructor(isProbed: (route: string) => boolean = () => false) {
    const onChange = (change: StandingChange): number => this.changes.push(change);
    this.book = new RouteHealthBook({ clock: this.clock, onChange, isProbed });
  }

  /** Makes an attempt with its first byte after `firstByteMs`, or without a first byte if null. */
  attempt(result: AttemptResult, firstByteMs: number | null = null, route = 'a/x'): void {
    const trial = this.book.begin(route, 'stream');
    if (firstByteMs !== null) {
      this.clock.advance(firstByteMs);
      trial.firstByte();
    }
    trial.end(result);
  }

  attempts(times: number, result: AttemptResult, firstByteMs: number | null = null): void {
    for (let i = 0; i < times; i++) this.attempt(result, firstByteMs);
  }

  get standing(): string {
    return this.book.fitness('a/x').standing;
  }

  get steps(): string[] {
    return this.changes.map(({ from, to }) => `${from} > ${to}`);
  }
}

test('a route without attempts is fit', () => {
  const { book } = new Bench();
  expect(book.fitness('a/x')).toEqual({
    standing: 'closed',
    waitMs: 0,
    inFlight: 0,
    firstByteMs: null,
  });
  expect(book.report('a/x')).toBeNull();
});

describe('what counts against a route', () => {
  test('failures do', () => {
    const bench = new Bench();
    bench.attempts(5, FAILURE);
    expect(bench.standing).toBe('open');
  });

  test('callers who disconnect or send invalid requests do not', () => {
    const bench = new Bench();
    bench.attempts(100, UNKNOWN, 10);
    bench.attempts(100, UNKNOWN);
    expect(bench.standing).toBe('closed');
    expect(bench.book.report('a/x')?.successRatio).toBeNull();
  });

  test('a 429 is a pause, not an outage', () => {
    const bench = new Bench();
    bench.attempt({ kind: 'overloaded', retryAfterMs: 12_000 });
    expect(bench.book.fitness('a/x')).toMatchObject({ standing: 'cooling', waitMs: 12_000 });
    bench.clock.advance(12_000);
    expect(bench.book.fitness('a/x')).toMatchObject({ standing: 'half_open', waitMs: 0 });
    expect(bench.book.report('a/x')?.lastFailure?.cause).toBe('it asked for a pause of 12 s');
  });

  test('an attempt ends once', () => {
    const { book } = new Bench();
    const trial = book.begin('a/x', 'stream');
    for (let i = 0; i < 10; i++) trial.end(FAILURE);
    trial.firstByte();
    expect(book.report('a/x')).toMatchObject({ inFlight: 0, ended: 1, firstByteMs: null });
    expect(book.fitness('a/x').standing).toBe('closed');
  });
});

describe('slow first bytes', () => {
  const usual = (firstByteMs: number): Bench => {
    const bench = new Bench();
    bench.attempts(100, SUCCESS, firstByteMs);
    // Now the results are too old for the breaker, which considers half a minute. The percentiles
    // still include them, because they cover five minutes.
    bench.clock.advance(40_000);
    return bench;
  };

  test('far above the percentile count as failures, even if the answer is good', () => {
    const bench = usual(500);
    bench.attempts(1, SUCCESS, 20_001);
    expect(bench.book.report('a/x')?.lastFailure?.code).toBe('slow_first_byte');
    expect(bench.book.report('a/x')?.successRatio).toBe(1);
    bench.attempts(4, SUCCESS, 20_001);
    expect(bench.steps).toEqual(['closed > open']);
  });

  test('count as failures when the caller disconnects', () => {
    const bench = usual(500);
    for (let i = 0; i < 5; i++) {
      const trial = bench.book.begin('a/x', 'stream');
      bench.clock.advance(21_000);
      trial.end(UNKNOWN);
    }
    expect(bench.standing).toBe('open');
  });

  test('count once, even if the attempt fails later', () => {
    const bench = usual(500);
    const trials = Array.from({ length: 4 }, () => bench.book.begin('a/x', 'stream'));
    bench.clock.advance(30_000);
    for (const trial of trials) {
      trial.firstByte();
      trial.end(FAILURE);
    }
    expect(bench.changes).toEqual([]);
  });

  test('of non-streaming answers do not count', () => {
    const bench = usual(500);
    const trials = Array.from({ length: 10 }, () => bench.book.begin('a/x', 'whole'));
    bench.clock.advance(60_000);
    for (const trial of trials) {
      trial.firstByte();
      trial.end(SUCCESS);
    }
    expect(bench.changes).toEqual([]);
  });

  test('do not count without enough history', () => {
    const slow = usual(3_000);
    slow.attempts(10, SUCCESS, 19_999);
    slow.attempts(5, SUCCESS, 20_001);
    expect(slow.changes).toEqual([]);
    const fresh = new Bench();
    fresh.attempts(10, SUCCESS, 60_000);
    expect(fresh.changes).toEqual([]);
  });
});

describe('the figures', () => {
  test('count, divide and rank the last five minutes', () => {
    const bench = new Bench();
    for (let i = 0; i < 100; i++) {
      bench.attempt(SUCCESS, i % 10 === 0 ? 3_000 : 100);
      if (i % 4 === 0) bench.attempt(FAILURE);
    }
    const report = bench.book.report('a/x');
    expect(report).toMatchObject({ standing: 'closed', ended: 125, successRatio: 0.8 });
    const { p50 = 0, p95 = 0 } = report?.firstByteMs ?? {};
    expect(Math.abs(p50 - 100)).toBeLessThanOrEqual(6);
    expect(Math.abs(p95 - 3_000)).toBeLessThanOrEqual(160);
    bench.clock.advance(300_000);
    expect(bench.book.report('a/x')).toMatchObject({ ended: 0, firstByteMs: null });
  });

  test('for the first byte are those of streams, if there are any', () => {
    const bench = new Bench();
    const whole = (): void => {
      const trial = bench.book.begin('a/x', 'whole');
      bench.clock.advance(10_000);
      trial.firstByte();
      trial.end(SUCCESS);
    };
    whole();
    expect(bench.book.fitness('a/x').firstByteMs).toBe(10_000);
    expect(bench.book.report('a/x')?.firstByteMs?.p50).toBeGreaterThan(9_000);
    bench.attempt(SUCCESS, 100);
    whole();
    expect(bench.book.fitness('a/x').firstByteMs).toBe(100);
    expect(bench.book.report('a/x')?.firstByteMs?.p95).toBeLessThan(110);
  });

  test('the last failure has its time', () => {
    const bench = new Bench();
    bench.clock.advance(1234);
    bench.attempt(FAILURE);
    const atMs = bench.clock.nowMs();
    bench.clock.advance(1234);
    bench.attempt(SUCCESS, 5);
    expect(bench.book.report('a/x')?.lastFailure).toEqual({
      code: 'upstream_failed',
      cause: 'status 500',
      atMs,
    });
  });

  test('the average first byte follows the latest, and is forgotten after a minute', () => {
    const bench = new Bench();
    bench.attempt(SUCCESS, 1_000);
    expect(bench.book.fitness('a/x').firstByteMs).toBe(1_000);
    bench.attempt(SUCCESS, 2_000);
    expect(bench.book.fitness('a/x').firstByteMs).toBe(1_200);
    bench.clock.advance(60_001);
    expect(bench.book.fitness('a/x').firstByteMs).toBeNull();
    bench.attempt(SUCCESS, 300);
    expect(bench.book.fitness('a/x').firstByteMs).toBe(300);
  });
});

test('reports every state change once, with cause and duration', () => {
  const bench = new Bench();
  bench.attempts(5, FAILURE);
  expect(bench.changes[0]).toMatchObject({
    route: 'a/x',
    waitMs: 5_000,
    lastFailure: { code: 'upstream_failed', cause: 'status 500' },
  });
  const openedAtMs = bench.clock.nowMs();
  for (let i = 0; i < 3; i++) bench.book.fitness('a/x');
  expect(bench.book.report('a/x')?.sinceMs).toBe(openedAtMs);
  bench.clock.advance(5_000);
  bench.attempts(2, SUCCESS, 10);
  expect(bench.steps).toEqual(['closed > open', 'open > half_open', 'half_open > closed']);
});

describe('a probe', () => {
  test('is due after the pause, and decides', () => {
    const bench = new Bench((route) => route === 'a/x');
    bench.attempts(5, FAILURE);
    for (let i = 0; i < 5; i++) bench.attempt(FAILURE, null, 'b/x');
    expect(bench.book.dueForProbe()).toEqual([]);
    bench.clock.advance(5_000);
    expect(bench.book.dueForProbe()).toEqual(['a/x']);
    bench.book.probed('a/x', { code: 'upstream_timeout', cause: null });
    expect(bench.book.fitness('a/x')).toMatchObject({ standing: 'open', waitMs: 10_000 });
    expect(bench.book.report('a/x')?.lastFailure?.code).toBe('upstream_timeout');
    bench.clock.advance(10_000);
    bench.book.probed('a/x', null);
    expect(bench.standing).toBe('half_open');
  });
});

describe('a reload', () => {
  test('forgets removed routes once their attempts have ended', () => {
    const bench = new Bench();
    bench.attempt(SUCCESS, 5, 'gone/x');
    bench.attempt(SUCCESS, 5, 'stays/x');
    const running = bench.book.begin('running/x', 'stream');
    bench.book.keepOnly(['stays/x', 'new/x']);
    expect(bench.book.report('gone/x')).toBeNull();
    expect(bench.book.report('stays/x')?.ended).toBe(1);
    expect(bench.book.report('running/x')?.inFlight).toBe(1);
    running.end(SUCCESS);
    expect(bench.book.report('running/x')).toBeNull();
  });

  test('a blocked route shows its cause, and works at once when it is blocked no longer', () => {
    const bench = new Bench();
    for (let failed = 0; failed < 9; failed++)
      bench.attempt({ kind: 'failure', code: 'upstream_failed', cause: 'no key' }, 5, 'a/x');
    bench.book.block(new Map([['a/x', 'the secret A is not set']]));
    expect(bench.book.fitness('a/x')).toMatchObject({ standing: 'open', waitMs: 60_000 });
    expect(bench.book.fitness('b/x').standing).toBe('closed');
    expect(bench.book.report('a/x')).toMatchObject({
      standing: 'open',
      ended: 0,
      lastFailure: { code: 'upstream_failed', cause: 'the secret A is not set' },
    });
    expect(bench.book.dueForProbe()).toEqual([]);
    bench.book.block(new Map());
    expect(bench.book.fitness('a/x').standing).toBe('closed');
    expect(bench.book.report('a/x')).toBeNull();
  });

  test('a request that was planned before it leaves nothing behind', () => {
    const bench = new Bench();
    bench.book.keepOnly([]);
    bench.attempt(SUCCESS, 5, 'late/x');
    expect(bench.book.report('late/x')).toBeNull();
  });
});
