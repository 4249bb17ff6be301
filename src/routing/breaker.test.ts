import { describe, expect, test } from 'bun:test';
import { Breaker } from './breaker.ts';

/** A circuit breaker, and the current time that is passed to it. A test advances the time. */
class Bench {
  readonly breaker: Breaker;
  nowMs = 1_000_000;

  constructor(isProbed: (outageMs: number) => boolean = () => false) {
    this.breaker = new Breaker(isProbed);
  }

  get standing(): string {
    return this.breaker.standing(this.nowMs);
  }

  get waitMs(): number {
    return this.breaker.waitMs(this.nowMs);
  }

  begin() {
    return this.breaker.begin(this.nowMs);
  }

  succeed(times = 1): void {
    for (let i = 0; i < times; i++) this.breaker.succeeded(this.begin(), this.nowMs);
  }

  fail(times = 1): void {
    for (let i = 0; i < times; i++) this.breaker.failed(this.begin(), this.nowMs);
  }

  /**
   * Reports failures until the breaker opens, then advances the time to the end of the pause.
   * Returns the length of the pause in ms.
   */
  relapse(): number {
    this.fail(this.standing === 'half_open' ? 1 : 5);
    const { waitMs } = this;
    this.nowMs += waitMs;
    return waitMs;
  }
}

describe('a quiet route', () => {
  test('opens at the fifth failure in a row', () => {
    const bench = new Bench();
    bench.fail(4);
    expect(bench.standing).toBe('closed');
    bench.fail();
    expect([bench.standing, bench.waitMs]).toEqual(['open', 5_000]);
  });

  test('stays closed while some succeed', () => {
    const bench = new Bench();
    for (let i = 0; i < 3; i++) {
      bench.fail(4);
      bench.succeed();
    }
    expect(bench.standing).toBe('closed');
  });
});

describe('a busy route', () => {
  test('opens when half of its requests failed', () => {
    const bench = new Bench();
    bench.succeed(60);
    bench.fail(59);
    expect(bench.standing).toBe('closed');
    bench.fail();
    expect(bench.standing).toBe('open');
  });

  test('does not open for a few failures in a row', () => {
    const bench = new Bench();
    bench.succeed(60);
    bench.fail(20);
    expect(bench.standing).toBe('closed');
  });

  test('is judged by its recent past only', () => {
    const bench = new Bench();
    bench.succeed(1_000);
    bench.nowMs += 30_000;
    bench.succeed(10);
    bench.fail(10);
    expect(bench.standing).toBe('open');
  });
});

describe('the pause', () => {
  test('doubles with each relapse, up to a minute', () => {
    const bench = new Bench();
    const waits = Array.from({ length: 6 }, () => bench.relapse());
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  test('is as long again after an early relapse', () => {
    const bench = new Bench();
    bench.relapse();
    bench.succeed(2);
    expect(bench.standing).toBe('closed');
    bench.nowMs += 119_000;
    expect(bench.relapse()).toBe(10_000);
  });

  test('is short again after a long success', () => {
    const bench = new Bench();
    bench.relapse();
    bench.relapse();
    bench.succeed(2);
    bench.nowMs += 120_000;
    expect(bench.relapse()).toBe(5_000);
  });
});

describe('an attempt in a pause, as last resort', () => {
  test('does not make the pause longer when it fails', () => {
    const bench = new Bench();
    bench.fail(25);
    expect([bench.standing, bench.waitMs]).toEqual(['open', 5_000]);
  });

  test('ends the pause when it succeeds', () => {
    const bench = new Bench();
    const before = bench.begin();
    bench.fail(5);
    bench.breaker.succeeded(before, bench.nowMs);
    expect(bench.standing).toBe('open');
    bench.succeed();
    expect(bench.standing).toBe('half_open');
    bench.succeed(2);
    expect(bench.standing).toBe('closed');
  });
});

describe('half open', () => {
  const halfOpen = (): Bench => {
    const bench = new Bench();
    bench.relapse();
    return bench;
  };

  test('three may wait for their first byte at once', () => {
    const bench = halfOpen();
    expect([bench.standing, bench.waitMs]).toEqual(['half_open', 0]);
    const passes = [bench.begin(), bench.begin(), bench.begin()];
    expect(bench.waitMs).toBe(1_000);
    for (const pass of passes.slice(0, 1)) bench.breaker.arrived(pass);
    expect(bench.waitMs).toBe(0);
    for (const pass of passes) bench.breaker.arrived(pass);
    bench.begin();
    bench.begin();
    expect(bench.waitMs).toBe(0);
    bench.begin();
    expect(bench.waitMs).toBe(1_000);
  });

  test('two that succeed close it, one that fails opens it', () => {
    const bench = halfOpen();
    bench.succeed();
    expect(bench.standing).toBe('half_open');
    bench.succeed();
    expect(bench.standing).toBe('closed');
    const other = halfOpen();
    other.succeed();
    other.fail();
    expect(other.standing).toBe('open');
    other.nowMs += other.waitMs;
    other.succeed();
    expect(other.standing).toBe('half_open');
  });

  test('ignores attempts from before it opened', () => {
    const bench = new Bench();
    const old = [bench.begin(), bench.begin(), bench.begin()];
    bench.relapse();
    expect(bench.standing).toBe('half_open');
    for (const pass of old.slice(0, 2)) bench.breaker.succeeded(pass, bench.nowMs);
    for (const pass of old.slice(2)) bench.breaker.failed(pass, bench.nowMs);
    for (const pass of old) bench.breaker.arrived(pass);
    expect([bench.standing, bench.waitMs]).toEqual(['half_open', 0]);
  });
});

test('trials of an earlier half-open period do not count now', () => {
  const bench = new Bench();
  bench.relapse();
  const old = [bench.begin(), bench.begin()];
  bench.relapse();
  for (let i = 0; i < 3; i++) bench.begin();
  for (const pass of old) bench.breaker.arrived(pass);
  expect(bench.waitMs).toBe(1_000);
});

test('forgets failures from before it closed', () => {
  const bench = new Bench();
  bench.succeed(20);
  bench.fail(20);
  expect(bench.standing).toBe('open');
  bench.nowMs += 5_000;
  bench.succeed(2);
  bench.fail(4);
  expect(bench.standing).toBe('closed');
});

describe('cooling', () => {
  test('lasts as long as requested, then allows a few trials', () => {
    const bench = new Bench();
    bench.breaker.cool(7_000, bench.nowMs);
    expect([bench.standing, bench.waitMs]).toEqual(['cooling', 7_000]);
    bench.breaker.cool(2_000, bench.nowMs);
    expect(bench.waitMs).toBe(7_000);
    bench.breaker.cool(9_000, bench.nowMs);
    expect(bench.waitMs).toBe(9_000);
    bench.nowMs += 9_000;
    expect([bench.standing, bench.waitMs]).toEqual(['half_open', 0]);
  });

  test('does not shorten the pause of an open breaker', () => {
    const bench = new Bench();
    bench.fail(5);
    bench.breaker.cool(1_000, bench.nowMs);
    expect([bench.standing, bench.waitMs]).toEqual(['open', 5_000]);
  });
});

describe('a probe', () => {
  const OUT_LONG_MS = 10_000;
  const probed = (): Bench => {
    const bench = new Bench((outageMs) => outageMs >= OUT_LONG_MS);
    bench.relapse();
    bench.relapse();
    expect(bench.breaker.isProbeDue(bench.nowMs)).toBe(false);
    bench.fail();
    return bench;
  };

  test('precedes callers after a long outage', () => {
    const bench = probed();
    expect(bench.breaker.isProbeDue(bench.nowMs)).toBe(false);
    bench.nowMs += 20_000;
    expect([bench.standing, bench.waitMs]).toEqual(['open', 1_000]);
    expect(bench.breaker.isProbeDue(bench.nowMs)).toBe(true);
    bench.breaker.probed(true, bench.nowMs);
    expect([bench.standing, bench.waitMs]).toEqual(['half_open', 0]);
    bench.succeed(2);
    expect(bench.standing).toBe('closed');
  });

  test('that fails extends the pause', () => {
    const bench = probed();
    bench.nowMs += 20_000;
    bench.breaker.probed(false, bench.nowMs);
    expect([bench.standing, bench.waitMs]).toEqual(['open', 40_000]);
    bench.breaker.probed(true, bench.nowMs);
    expect(bench.standing).toBe('open');
  });

  test('is due in a later outage only when that is long too', () => {
    const bench = probed();
    bench.nowMs += 20_000;
    bench.breaker.probed(true, bench.nowMs);
    bench.succeed(2);
    bench.nowMs += 200_000;
    bench.relapse();
    expect(bench.standing).toBe('half_open');
  });

  test('that succeeded is not needed again after a pause that the upstream asks for', () => {
    const bench = probed();
    bench.nowMs += 20_000;
    bench.breaker.probed(true, bench.nowMs);
    bench.breaker.cool(2_000, bench.nowMs);
    expect([bench.standing, bench.waitMs]).toEqual(['cooling', 2_000]);
    bench.nowMs += 2_000;
    expect(bench.standing).toBe('half_open');
  });

  test('that never runs does not block callers', () => {
    const bench = probed();
    bench.nowMs += 20_000 + 29_999;
    expect(bench.standing).toBe('open');
    bench.nowMs += 1;
    expect(bench.standing).toBe('half_open');
  });
});
