/** Tests of refused requests that every store engine must pass. */
import { expect, test } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { type SqlExecutor, statement } from '../../store/sql.ts';
import { finished } from '../finished.fixture.ts';
import { type RefusalFilter, RefusalLog } from './refusal-log.ts';
import { MAX_A_MINUTE, MAX_WAITING, Refusals, type RefusalsDeps } from './refusals.ts';

const DAY_MS = 86_400_000;
/** A UTC day as the number of days since 1970-01-01, and the time at which this day begins. */
const START_DAY = 20_700;
const START_MS = START_DAY * DAY_MS;
const ALL: RefusalFilter = {
  ...{ accountId: null, fromMs: 0, toMs: START_MS * 2, idPrefix: null },
  ...{ keyId: null, model: null, code: null },
};

/** Returns a node that refuses requests, one per millisecond. */
export function refusingNode(sql: SqlExecutor, more: Partial<RefusalsDeps> = {}) {
  const clock = manualClock(START_MS);
  const [sampled, failures]: [unknown[], unknown[]] = [[], []];
  const refusals = new Refusals({
    sql,
    clock,
    keptMs: () => 30 * DAY_MS,
    onSampled: (unlisted) => sampled.push(unlisted),
    onFailure: (thrown) => failures.push(thrown),
    ...more,
  });
  const refuse = (requestId: string, given: object = {}): void => {
    refusals.finished(
      finished({
        ...{ requestId, status: 402, end: 'refused', settled: null },
        ...{ errorCode: 'insufficient_balance', errorMessage: 'The USD wallet is empty.' },
        startedAtMs: clock.nowMs(),
        ...given,
      }),
    );
    clock.advance(1);
  };
  const log = new RefusalLog(sql);
  /** Flushes twice, because a flush that is already running ignores rows added after its start. */
  const flushed = async (): Promise<void> => {
    await refusals.flush();
    await refusals.flush();
  };
  const ids = async (filter: Partial<RefusalFilter> = {}) => {
    await flushed();
    const { rows } = await log.page({ ...ALL, ...filter }, 1_000, null);
    return rows.map(({ requestId }) => requestId);
  };
  const counted = async (accountId: string | null = null) =>
    (await log.counts(accountId, 0, START_DAY * 2)).reduce((sum, it) => sum + it.requests, 0n);
  return { clock, refusals, refuse, flushed, log, ids, counted, sampled, failures };
}

const of = (accountId: string) => ({ caller: { accountId, keyId: `key_${accountId}` } });

export function refusalConformance(engine: string, open: () => Promise<SqlExecutor>): void {
  const rule = (name: string, check: (sql: SqlExecutor) => Promise<void>): void =>
    test(`${engine}: ${name}`, async () => await check(await open()), 60_000);
  finding(rule);
  bounds(rule);
}

type Rule = (name: string, check: (sql: SqlExecutor) => Promise<void>) => void;

function finding(rule: Rule): void {
  rule('finds refusals of every node, newest first, by each filter', async (sql) => {
    const [one, two] = [refusingNode(sql), refusingNode(sql)];
    one.refuse('req_aaaaaa_1', of('acc_1'));
    two.clock.advance(5);
    two.refuse('req_aaaaaa_2', { ...of('acc_2'), errorCode: 'invalid_value', asked: null });
    two.refuse('req_aaaaab_3', of('acc_1'));
    await one.refusals.close();
    await two.refusals.close();
    const { ids, log } = refusingNode(sql);
    expect(await ids()).toEqual(['req_aaaaab_3', 'req_aaaaaa_2', 'req_aaaaaa_1']);
    expect(await ids({ accountId: 'acc_1' })).toEqual(['req_aaaaab_3', 'req_aaaaaa_1']);
    expect(await ids({ idPrefix: 'req_aaaaaa' })).toEqual(['req_aaaaaa_2', 'req_aaaaaa_1']);
    expect(await ids({ idPrefix: 'req_aaaaaa', accountId: 'acc_2' })).toEqual(['req_aaaaaa_2']);
    expect(await ids({ keyId: 'key_acc_2' })).toEqual(['req_aaaaaa_2']);
    expect(await ids({ model: 'gen' })).toEqual(['req_aaaaab_3', 'req_aaaaaa_1']);
    expect(await ids({ code: 'invalid_value' })).toEqual(['req_aaaaaa_2']);
    expect(await ids({ fromMs: START_MS + 6 })).toEqual(['req_aaaaab_3']);
    expect(await ids({ toMs: START_MS + 5 })).toEqual(['req_aaaaaa_1']);
    expect(await log.one('req_aaaaaa_1', 'acc_2')).toBeNull();
    expect(await log.one('req_aaaaaa_1', 'acc_1')).toEqual({
      ...{ requestId: 'req_aaaaaa_1', accountId: 'acc_1', atMs: START_MS, keyId: 'key_acc_1' },
      ...{ endpoint: 'chat', model: 'gen', status: 402, code: 'insufficient_balance' },
      message: 'The USD wallet is empty.',
    });
  });

  rule('continues a page where the one before ended', async (sql) => {
    const { refuse, flushed, log } = refusingNode(sql);
    for (let at = 0; at < 30; at += 1) refuse(`req_${at}`, at % 3 === 0 ? of('acc_3') : {});
    await flushed();
    for (const filter of [ALL, { ...ALL, keyId: 'key_acc_3' }]) {
      const whole = await log.page(filter, 100, null);
      const first = await log.page(filter, 7, null);
      const second = await log.page(filter, 100, first.next);
      expect([...first.rows, ...second.rows]).toEqual([...whole.rows]);
      expect(second.next).toBeNull();
    }
  });

  rule('stores texts that a database could refuse, shortened', async (sql) => {
    const { refuse, flushed, log, failures } = refusingNode(sql);
    const asked = { model: `\0\ud800${'m'.repeat(900)}`, channel: null, stream: false };
    refuse('req_1', { asked, errorMessage: `\0\udc00${'x'.repeat(9_000)}` });
    await flushed();
    expect(failures).toEqual([]);
    const { model, message } = (await log.one('req_1', null)) ?? {};
    expect([model?.length, message?.length]).toEqual([200, 500]);
  });
}

function bounds(rule: Rule): void {
  rule('lists a sample of a flood, counts all, and lists others in full', async (sql) => {
    const { clock, refuse, refusals, ids, counted, sampled } = refusingNode(sql);
    const flood = 20_000;
    for (let at = 0; at < flood; at += 1) refuse(`req_${at}`);
    refuse('req_other', of('acc_2'));
    expect(await ids({ accountId: 'acc_2' })).toEqual(['req_other']);
    const listed = await ids({ accountId: 'acc_1' });
    expect(listed).toHaveLength(MAX_A_MINUTE + 9);
    expect(listed[0]).toBe('req_16383');
    clock.advance(60_000);
    refuse('req_later');
    await refusals.close();
    expect([await counted('acc_1'), await counted()]).toEqual([20_001n, 20_002n]);
    expect(sampled).toEqual([{ requests: flood - listed.length, accounts: 1 }]);
  });

  rule('keeps the newest of an account, and the newest of all', async (sql) => {
    const limits = { ofAccount: 10, kept: 15 };
    const { refuse, clock, flushed, ids, counted } = refusingNode(sql, { limits });
    for (let at = 10; at < 40; at += 1) refuse(`req_${at}`);
    clock.advance(3_600_000);
    const kept = Array.from({ length: 10 }, (_, at) => `req_${39 - at}`);
    expect(await ids()).toEqual(kept);
    for (let at = 50; at < 58; at += 1) refuse(`req_${at}`, of(`acc_${at}`));
    await flushed();
    clock.advance(3_600_000);
    expect(await ids()).toHaveLength(15);
    expect(await ids({ accountId: 'acc_1' })).toEqual(kept.slice(0, 7));
    expect(await counted()).toBe(38n);
  });

  rule('deletes what is older than the retention', async (sql) => {
    const { refuse, clock, flushed, ids, counted } = refusingNode(sql);
    refuse('req_old');
    await flushed();
    clock.advance(31 * DAY_MS);
    refuse('req_new');
    expect(await ids()).toEqual(['req_new']);
    expect(await counted()).toBe(1n);
  });

  rule('writes what the store refused later, and bounds what waits', async (sql) => {
    let isDown = true;
    const { refuse, clock, refusals, ids, counted, failures } = refusingNode({
      transaction: (statements, audit) => sql.transaction(statements, audit),
      query: async (asked) => {
        if (isDown && asked.sql.startsWith('INSERT')) throw new Error('down');
        return await sql.query(asked);
      },
    });
    const accounts = 1_010;
    for (let round = 0; round < 5; round += 1) {
      for (let at = 0; at < accounts; at += 1)
        refusals.finished(refusalOf(`req_${round}_${at}`, `acc_${at}`, clock.nowMs()));
      await refusals.flush();
      clock.advance(60_000);
    }
    expect(failures.length).toBeGreaterThan(4);
    isDown = false;
    refuse('req_last');
    await refusals.close();
    const stored = await sql.query(statement`SELECT COUNT(*) AS n FROM refusal`);
    expect(stored[0]?.['n']).toBe(BigInt(MAX_WAITING));
    expect(await counted()).toBe(BigInt(5 * accounts + 1));
    expect((await ids()).length).toBeGreaterThan(0);
  });
}

const refusalOf = (requestId: string, accountId: string, startedAtMs: number) =>
  finished({
    ...{ requestId, startedAtMs, status: 400, end: 'refused', settled: null },
    ...{ errorCode: 'invalid_value', errorMessage: 'x' },
    ...of(accountId),
  });
