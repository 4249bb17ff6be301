/**
 * Tests the store of shared limits on PostgreSQL: compares its results with a model, and uses it
 * from three nodes.
 */
import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { eventually } from '../../../test/support/eventually.ts';
import { systemClock } from '../../clock.ts';
import type { Database } from '../../ledger/database.ts';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { statement } from '../../store/sql.ts';
import { LimitModel } from './limit-model.fixture.ts';
import { limitedCaller, tryAdmit } from './limit-nodes.fixture.ts';
import { type LimitAsk, limitStore } from './limit-store.ts';
import { Limiter } from './limiter.ts';
import type { Limits } from './limits.ts';
import { SharedLimits } from './shared-limits.ts';

setDefaultTimeout(180_000);

type Asked = Omit<LimitAsk, 'name' | 'least'> & {
  readonly epoch: string;
  readonly turn: number;
  readonly passMs: number;
};
const EPOCHS = ['a', 'b', 'c', 'gone'];

async function withNodes(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openPostgresForTest();
  for (const epoch of EPOCHS) {
    const untilMs = epoch === 'gone' ? 0 : systemClock.nowMs() + 3_600_000;
    await database.sql.query(statement`INSERT INTO node (epoch, name, joined_at_ms, lease_until_ms)
      VALUES (${epoch}, ${epoch}, 0, ${untilMs})`);
  }
  await work(database);
  await database.close();
}

test('the stored function answers as its model, whatever is asked in which order', async () => {
  await withNodes(async ({ sql }) => {
    // The database and the model use the same stopped clock, so that their buckets drain equally.
    await sql.query({ sql: 'CREATE TABLE stopped_clock (at_ms BIGINT)', params: [] });
    await sql.query({
      sql: `CREATE OR REPLACE FUNCTION books_now_ms() RETURNS BIGINT LANGUAGE sql VOLATILE
        AS 'SELECT at_ms FROM stopped_clock'`,
      params: [],
    });
    await sql.query({ sql: 'INSERT INTO stopped_clock VALUES (0)', params: [] });
    const ask = fc.record({
      epoch: fc.constantFrom(...EPOCHS),
      turn: fc.integer({ min: 1, max: 30 }),
      passMs: fc.integer({ min: -1_000, max: 40_000 }),
      limit: fc.constantFrom(1, 7, 1_000_000_000),
      kind: fc.constantFrom<LimitAsk['kind']>('rate', 'running'),
      used: fc.integer({ min: 0, max: 12 }),
      confirmed: fc.integer({ min: 0, max: 12 }),
      life: fc.integer({ min: 1, max: 2 }),
      want: fc.integer({ min: 0, max: 9 }),
    });
    let round = 0;
    const run = async (asks: readonly Asked[]) => {
      round += 1;
      let nowMs = 1_000_000;
      const model = new LimitModel(
        () => nowMs,
        (epoch) => epoch !== 'gone',
      );
      const store = limitStore(sql);
      for (const { epoch, turn, passMs, ...each } of asks) {
        nowMs += passMs;
        await sql.query(statement`UPDATE stopped_clock SET at_ms = ${nowMs}`);
        const question = { ...each, name: `${round}:${each.kind}`, least: Math.min(2, each.want) };
        const stored = await store.count([question], epoch, turn);
        expect([...stored]).toEqual([...model.count([question], epoch, turn)]);
      }
    };
    const asked = fc.array(ask, { minLength: 1, maxLength: 12 });
    await fc.assert(fc.asyncProperty(asked, run), { seed: 20261123, numRuns: 40 });
  });
});

test('a report that arrives after a later one of its node changes nothing', async () => {
  await withNodes(async ({ sql }) => {
    const store = limitStore(sql);
    const of = { name: 'of', limit: 1, kind: 'running', confirmed: 0, life: 0 } as const;
    const report = (used: number): LimitAsk => ({ ...of, used, want: 0, least: 0 });
    await store.count([report(1)], 'a', 2);
    await store.count([report(0)], 'a', 1);
    const asked = await store.count([{ ...of, used: 0, want: 1, least: 1 }], 'b', 1);
    expect(asked.get('of')).toEqual({ granted: 0, level: 1 });
  });
});

test('three nodes that are asked at once admit exactly what small limits allow', async () => {
  await withNodes(async ({ sql }) => {
    const nodes = ['a', 'b', 'c'].map((epoch) => {
      const store = limitStore(sql);
      const shared = new SharedLimits({
        store,
        clock: systemClock,
        epoch: () => epoch,
        onAway: (thrown) => expect(thrown).toBeNull(),
      });
      shared.setNodes(3);
      return { limiter: new Limiter({ clock: systemClock, shared }) };
    });
    const admitted = async (limits: Partial<Limits>, keyId: string, tokens = 0) => {
      const who = limitedCaller(limits, keyId);
      const asking = nodes.flatMap((node) =>
        Array.from({ length: 10 }, () => tryAdmit(node, who, tokens)),
      );
      return (await Promise.all(asking)).filter((each) => each !== null);
    };
    expect((await admitted({ requestsPerMinute: 5 }, 'key_1')).length).toBe(5);
    expect((await admitted({ tokensPerMinute: 100 }, 'key_2', 30)).length).toBe(3);
    const running = await admitted({ concurrency: 4 }, 'key_3');
    expect(running.length).toBe(4);
    for (const permit of running) permit.end(null);
    // The nodes report the ended requests while others are admitted.
    let more = 0;
    await eventually(
      'the places are free again',
      async () => (more += (await admitted({ concurrency: 4 }, 'key_3')).length),
      (count) => count >= 4,
    );
    expect(more).toBe(4);
    await limitStore(sql).sweep();
    expect((await sql.query({ sql: 'SELECT name FROM limit_use', params: [] })).length).toBe(3);
  });
});
