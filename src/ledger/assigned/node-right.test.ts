import { describe, expect, test } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { unavailable } from '../../store/store-fault.ts';
import { failureOf } from '../conformance/ledger.fixture.ts';
import { LEASE_MARGIN_MS, NodeRight } from './node-right.ts';

const LEASE_MS = 10_000;

/**
 * Returns a `NodeRight` that was granted just now, its clock, and a way to make the wall clock
 * jump.
 */
function granted() {
  const clock = manualClock();
  let jumpedMs = 0;
  const right = new NodeRight({ ...clock, nowMs: () => clock.nowMs() + jumpedMs });
  right.granted('e1', right.now(), LEASE_MS);
  const jump = (byMs: number): void => {
    jumpedMs += byMs;
  };
  return { right, clock, jump };
}

describe('the right of a node to hold', () => {
  test('belongs to the epoch that has the lease', () => {
    const { right } = granted();
    expect([right.mayHold('e1'), right.mayHold('e2')]).toEqual([true, false]);
    expect([right.isLive('e1'), right.isLive('e2')]).toEqual([true, false]);
    right.lost();
    expect([right.mayHold('e1'), right.isLive('e1')]).toEqual([false, false]);
  });

  test('knows the time by the clock of the store, whatever its own clock says', () => {
    const { right, clock, jump } = granted();
    right.heard(1_000_000);
    jump(3_600_000);
    clock.advance(500);
    expect(right.storeNowMs).toBe(1_000_500);
  });

  test('ends before the lease, which counts from the time before the node asked for it', () => {
    const { right, clock } = granted();
    const asked = right.now();
    clock.advance(5_000);
    right.granted('e1', asked, LEASE_MS);
    clock.advance(LEASE_MS - LEASE_MARGIN_MS - 5_000 - 1);
    expect(right.mayHold('e1')).toBe(true);
    clock.advance(1);
    expect(right.mayHold('e1')).toBe(false);
  });

  test('ends when its time has passed on either clock', () => {
    const asleep = granted();
    asleep.jump(LEASE_MS);
    expect([asleep.right.mayHold('e1'), asleep.right.isLive('e1')]).toEqual([false, false]);
    const setBack = granted();
    setBack.jump(-86_400_000);
    setBack.clock.advance(LEASE_MS);
    expect(setBack.right.mayHold('e1')).toBe(false);
  });

  test('is suspended after a failed write, until a write succeeds', async () => {
    const { right } = granted();
    await failureOf(right.note(Promise.reject(unavailable('it is frozen'))));
    expect([right.mayHold('e1'), right.isLive('e1')]).toEqual([false, true]);
    await right.note(Promise.resolve());
    expect(right.mayHold('e1')).toBe(true);
  });
});
