/** Tests of recorded attempt failures that every store engine must pass. */
import { expect, test } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { GatewayError } from '../../errors.ts';
import { type SqlExecutor, statement } from '../../store/sql.ts';
import {
  AttemptFailures,
  type AttemptFailuresDeps,
  MAX_OF_UPSTREAM_A_MINUTE,
} from './attempt-failures.ts';

const DAY_MS = 86_400_000;

function watched(sql: SqlExecutor, more: Partial<AttemptFailuresDeps> = {}) {
  const clock = manualClock();
  const failures = new AttemptFailures({
    sql,
    clock,
    keptMs: () => 30 * DAY_MS,
    onFailure: (thrown) => {
      throw thrown;
    },
    ...more,
  });
  const failed = (requestId: string, number: number, answer: string, upstream = 'up') => {
    const failure = new GatewayError('upstream_failed', 'failed', { cause: new Error(answer) });
    failures.add({ requestId, number, upstream, model: 'm', failure });
    return failure;
  };
  const kept = async () => {
    await failures.flush();
    const [row] = await sql.query(statement`SELECT COUNT(*) AS n FROM attempt_failure`);
    return Number(row?.['n']);
  };
  return { clock, failures, failed, kept };
}

export function failureConformance(engine: string, open: () => Promise<SqlExecutor>): void {
  const rule = (name: string, check: (sql: SqlExecutor) => Promise<void>): void =>
    test(`${engine}: ${name}`, async () => await check(await open()), 60_000);

  rule('keeps what a provider answered to each attempt, once', async (sql) => {
    const { failures, failed } = watched(sql);
    const long = `\0bad\u202e key sk-abcdefghijklmnop ${'x'.repeat(5_000)}`;
    const first = failed('req_1', 1, long);
    failed('req_1', 2, 'no such model');
    // The first call passes the error of attempt 1 of `req_1`, which is already recorded.
    failures.brokeOff('req_1', first);
    const cause = new Error('broke off');
    failures.brokeOff('req_1', new GatewayError('upstream_truncated', 'cut', { cause }));
    failures.brokeOff('req_2', new GatewayError('caller_left', 'left'));
    const found = await failures.of('req_1');
    expect(found.map(({ attempt, code }) => [attempt, code])).toEqual([
      [1, 'upstream_failed'],
      [2, 'upstream_failed'],
      [0, 'upstream_truncated'],
    ]);
    expect(found[0]?.answer).toHaveLength(1_000);
    expect(found[0]?.answer).toStartWith(' bad  key [hidden] xxx');
    expect(await failures.of('req_2')).toEqual([]);
  });

  rule('keeps some of a minute while a provider is down, also of others', async (sql) => {
    const { clock, failed, kept } = watched(sql);
    for (let at = 0; at < 1_000; at += 1) failed(`req_${at}`, 1, 'down');
    failed('req_other', 1, 'no', 'other');
    expect(await kept()).toBe(MAX_OF_UPSTREAM_A_MINUTE + 1);
    clock.advance(60_000);
    failed('req_later', 1, 'down');
    expect(await kept()).toBe(MAX_OF_UPSTREAM_A_MINUTE + 2);
  });

  rule('deletes what is too old, and more than the store keeps', async (sql) => {
    const { clock, failures, failed, kept } = watched(sql, { maxKept: 3 });
    failed('req_old', 1, 'no');
    await failures.flush();
    clock.advance(29 * DAY_MS);
    for (let at = 0; at < 5; at += 1) {
      failed(`req_${at}`, 1, 'no');
      clock.advance(1);
    }
    expect(await kept()).toBeGreaterThan(0);
    clock.advance(DAY_MS + 3_600_000);
    expect(await kept()).toBe(3);
    expect(await failures.of('req_old')).toEqual([]);
    expect(await failures.of('req_4')).toHaveLength(1);
  });
}
