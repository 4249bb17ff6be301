import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { LastUsed, MAX_WAITING_KEYS } from './last-used.ts';

function recorder() {
  const clock = manualClock(1_800_000_000_000);
  const writes: ReadonlyMap<string, number>[] = [];
  const failures: unknown[] = [];
  const store = { failure: null as Error | null };
  const lastUsed = new LastUsed({
    clock,
    write: async (marks) => {
      if (store.failure !== null) throw store.failure;
      writes.push(marks);
    },
    onFailure: (thrown) => failures.push(thrown),
  });
  return { clock, writes, failures, store, lastUsed };
}

test('writes once per minute, in whole minutes', async () => {
  const { clock, writes, lastUsed } = recorder();
  const startMs = clock.nowMs();
  lastUsed.mark('a');
  clock.advance(30_000);
  lastUsed.mark('a');
  lastUsed.mark('b');
  clock.advance(30_000);
  await lastUsed.flush();
  expect(writes.map((it) => [...it])).toEqual([
    [
      ['a', startMs],
      ['b', startMs],
    ],
  ]);
  expect(lastUsed.latest('a', null)).toBeNull();
});

test('retries failed writes, and a later use wins', async () => {
  const { clock, writes, failures, store, lastUsed } = recorder();
  const startMs = clock.nowMs();
  lastUsed.mark('a');
  lastUsed.mark('b');
  store.failure = new Error('down');
  const failing = lastUsed.flush();
  clock.advance(59_999);
  lastUsed.mark('b');
  clock.advance(1);
  lastUsed.mark('a');
  await failing;
  expect(failures).toEqual([store.failure]);
  store.failure = null;
  await lastUsed.close();
  expect(writes.map((it) => [...it].sort())).toEqual([
    [
      ['a', startMs + 60_000],
      ['b', startMs],
    ],
  ]);
});

test('bounds pending keys, and writes them in batches', async () => {
  const { writes, lastUsed } = recorder();
  for (let i = 0; i < MAX_WAITING_KEYS + 10; i++) lastUsed.mark(`key-${i}`);
  await lastUsed.close();
  expect(writes.reduce((sum, it) => sum + it.size, 0)).toBe(MAX_WAITING_KEYS);
  expect(Math.max(...writes.map((it) => it.size))).toBe(500);
});

test('returns the later of the stored and the pending time', () => {
  const { clock, lastUsed } = recorder();
  lastUsed.mark('a');
  expect(lastUsed.latest('a', null)).toBe(clock.nowMs());
  expect(lastUsed.latest('a', clock.nowMs() + 5)).toBe(clock.nowMs() + 5);
  expect(lastUsed.latest('b', 7)).toBe(7);
});
