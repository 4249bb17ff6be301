import { expect, test } from 'bun:test';
import { systemClock } from '../src/clock.ts';
import { cpuBetweenMs, processTree, readCpu, readRssBytes } from './process-cost.ts';

test('measures CPU of this process, at most the elapsed time', () => {
  const startedMs = systemClock.monotonicMs();
  const before = readCpu(process.pid);
  let hash = 0n;
  for (let round = 0; round < 50; round++) hash ^= BigInt(Bun.hash(Buffer.alloc(1_000_000, round)));
  const after = readCpu(process.pid);
  const cores = navigator.hardwareConcurrency;
  expect(hash).not.toBe(0n);
  expect(cpuBetweenMs(before, after)).toBeGreaterThan(0);
  // CPU is counted in ticks of 10 ms, so rounding at both readings may add up to two ticks.
  expect(cpuBetweenMs(before, after)).toBeLessThan(
    (systemClock.monotonicMs() - startedMs) * cores + 20,
  );
});

test('the process total includes an ended thread', () => {
  const before = { threads: new Map([['1/1', 5e6]]), wholeMs: 100 };
  const after = { threads: new Map([['1/1', 6e6]]), wholeMs: 180 };
  expect(cpuBetweenMs(before, after)).toBe(80);
});

test('prefers nanoseconds while they agree with the ticks', () => {
  const before = { threads: new Map([['1/1', 5e6]]), wholeMs: 100 };
  const after = {
    threads: new Map([
      ['1/1', 6e6],
      ['1/2', 2e6],
    ]),
    wholeMs: 110,
  };
  expect(cpuBetweenMs(before, after)).toBe(3);
});

test('the tree includes a child and its memory', async () => {
  const child = Bun.spawn(['cat'], { stdin: 'pipe', stdout: 'ignore' });
  const tree = processTree(process.pid);
  expect(tree[0]).toBe(process.pid);
  expect(tree).toContain(child.pid);
  expect(readRssBytes([process.pid, child.pid])).toBeGreaterThan(readRssBytes([process.pid]) / 2);
  child.kill();
  await child.exited;
  expect(readRssBytes([child.pid])).toBe(0);
});
