import { describe, expect, test } from 'bun:test';
import { nextTurn } from '../clock.ts';
import { GroupCommit, MAX_BATCH_COMMANDS, MAX_QUEUED_COMMANDS } from './group-commit.ts';

/** Returns a store whose writes end only when the test calls `end`. */
function slowStore() {
  const batches: { jobs: readonly number[]; end: (thrown?: Error) => void }[] = [];
  const commits = new GroupCommit<number, string>((jobs) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    const end = (thrown?: Error) =>
      thrown === undefined ? resolve(jobs.map((job) => `done ${job}`)) : reject(thrown);
    batches.push({ jobs, end });
    return promise;
  });
  /** Ends the current write and waits until the next one has begun. */
  const end = async (thrown?: Error) => {
    batches.at(-1)?.end(thrown);
    await nextTurn();
    await nextTurn();
  };
  return { commits, batches, end };
}

describe('group commit', () => {
  test('writes a lone command at once', () => {
    const { commits, batches } = slowStore();
    void commits.submit([1]);
    expect(batches.map(({ jobs }) => jobs)).toEqual([[1]]);
  });

  test('writes jobs that arrived during a write together, and answers in order', async () => {
    const { commits, batches, end } = slowStore();
    const answers = [commits.submit([1]), commits.submit([2, 3]), commits.submit([4])];
    await end();
    expect(batches.map(({ jobs }) => jobs)).toEqual([[1], [2, 3, 4]]);
    await end();
    expect(await Promise.all(answers)).toEqual([['done 1'], ['done 2', 'done 3'], ['done 4']]);
  });

  test('writes what callers submit after an answer with the jobs that waited', async () => {
    const { commits, batches, end } = slowStore();
    const caller = async (first: number) => {
      await commits.submit([first]);
      // A real caller awaits several more promises before it submits its next job.
      for (let promise = 0; promise < 10; promise++) await null;
      await commits.submit([first + 10]);
    };
    void Promise.all([caller(1), caller(2), caller(3)]);
    await end();
    expect(batches.map(({ jobs }) => jobs)).toEqual([[1], [2, 3, 11]]);
  });

  test('a failed write fails its whole batch and no other', async () => {
    const { commits, end } = slowStore();
    const settled = Promise.allSettled([1, 2, 3].map((job) => commits.submit([job])));
    await end();
    await end(new Error('disk'));
    const after = commits.submit([4]);
    await end();
    expect((await settled).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(await after).toEqual(['done 4']);
  });

  test('never exceeds the limit of a transaction, nor splits a submission', async () => {
    const { commits, batches, end } = slowStore();
    const pair = MAX_BATCH_COMMANDS / 2 + 1;
    void commits.submit([0]);
    for (let each = 0; each < 3; each++) void commits.submit(new Array<number>(pair).fill(each));
    for (let each = 0; each < 4; each++) await end();
    expect(batches.map(({ jobs }) => jobs.length)).toEqual([1, pair, pair, pair]);
    const tooMany = commits.submit(new Array<number>(MAX_BATCH_COMMANDS + 1).fill(0));
    expect(await tooMany.catch((thrown) => thrown)).toMatchObject({ code: 'invalid_value' });
  });

  test('refuses more than the queue may hold', async () => {
    const { commits } = slowStore();
    for (let each = 0; each <= MAX_QUEUED_COMMANDS; each++) void commits.submit([each]);
    const refused = await commits.submit([-1]).catch((thrown) => thrown);
    expect(refused).toMatchObject({ code: 'store_unavailable', retryAfterSeconds: 1 });
  });

  test('closes after the accepted jobs are written, and accepts no more', async () => {
    const { commits, end } = slowStore();
    const last = commits.submit([1]);
    const closed = commits.close();
    expect(await commits.submit([2]).catch((thrown) => thrown)).toMatchObject({
      code: 'store_unavailable',
    });
    await end();
    await closed;
    expect(await last).toEqual(['done 1']);
  });
});
