import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import type { Clock } from '../clock.ts';
import { backoff, QueueSender } from './queue-sender.ts';

const HOUR_MS = 60 * 60_000;

type Steps = {
  readonly clock: Clock;
  readonly isOn: () => boolean;
  readonly work: () => Promise<void>;
  readonly sweep: () => Promise<void>;
  readonly onFailure: (of: 'work' | 'sweep', thrown: unknown) => void;
};

class ScriptedSender extends QueueSender {
  readonly #steps: Steps;

  constructor(steps: Steps) {
    super(steps.clock);
    this.#steps = steps;
  }

  protected isOn = (): boolean => this.#steps.isOn();
  protected sendDue = (): Promise<void> => this.#steps.work();
  protected sweep = (): Promise<void> => this.#steps.sweep();
  protected failed = (of: 'work' | 'sweep', thrown: unknown): void =>
    this.#steps.onFailure(of, thrown);
}

test('one clean-up runs at a time, and stopping waits for it', async () => {
  const clock = manualClock();
  const begun: PromiseWithResolvers<void>[] = [];
  const rounds = new ScriptedSender({
    clock,
    isOn: () => false,
    work: async () => undefined,
    sweep: async () => {
      const sweep = Promise.withResolvers<void>();
      begun.push(sweep);
      await sweep.promise;
    },
    onFailure: (_of, thrown) => {
      throw thrown;
    },
  });
  clock.advance(HOUR_MS);
  clock.advance(HOUR_MS);
  expect(begun).toHaveLength(1);
  let isStopped = false;
  const stopping = rounds.stop().then(() => {
    isStopped = true;
  });
  await Bun.sleep(5);
  expect(isStopped).toBe(false);
  begun[0]?.resolve();
  await stopping;
  clock.advance(HOUR_MS);
  expect(begun).toHaveLength(1);
});

test('a process cleans up soon after its start, and then once an hour', async () => {
  const clock = manualClock();
  let sweeps = 0;
  const rounds = new ScriptedSender({
    clock,
    isOn: () => false,
    work: async () => undefined,
    sweep: async () => {
      sweeps += 1;
    },
    onFailure: () => undefined,
  });
  clock.advance(60_000);
  expect(sweeps).toBe(1);
  await Bun.sleep(0);
  clock.advance(HOUR_MS);
  expect(sweeps).toBe(2);
  await rounds.stop();
});

test('a wake during a round starts another one, and a failure ends only its round', async () => {
  const failures: unknown[] = [];
  let works = 0;
  const rounds = new ScriptedSender({
    clock: manualClock(),
    isOn: () => true,
    work: async () => {
      works += 1;
      if (works === 1) throw new Error('no store');
    },
    sweep: async () => undefined,
    onFailure: (of, thrown) => failures.push(`${of}: ${thrown}`),
  });
  const first = rounds.round();
  rounds.wake();
  await first;
  await rounds.round();
  expect([works, failures]).toEqual([2, ['work: Error: no store']]);
  await rounds.stop();
  rounds.wake();
  expect(works).toBe(2);
});

test('pauses double up to an hour', () => {
  expect([1, 2, 3, 20, 1000].map((attempts) => backoff(attempts, 10_000))).toEqual([
    ...[10_000, 20_000, 40_000, HOUR_MS, HOUR_MS],
  ]);
});
