/** Tests that reports are read from a replica only while it is close behind. */
import { afterAll, expect, test } from 'bun:test';
import { eventually } from '../../../test/support/eventually.ts';
import { manualClock } from '../../clock.fixture.ts';
import { systemClock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { openPostgres } from '../../ledger/postgres/open-postgres.ts';
import { newTestDatabase } from '../../ledger/postgres/postgres.fixture.ts';
import type { SqlExecutor, SqlRow } from '../sql.ts';
import { unavailable } from '../store-fault.ts';
import { MAX_AGE_MS, ReplicaReads } from './replica-reads.ts';

const LEASE_MS = 10_000;
const NOW_MS = 1_800_000_000_000;
const READ = { sql: 'SELECT 1', params: [] };

const answering = (query: SqlExecutor['query']): SqlExecutor => ({
  query,
  transaction: () => Promise.reject(new Error('reports only read')),
});

/**
 * Returns a `ReplicaReads` over a simulated replica. `state.behindMs` is the replica's lag. If it
 * is null, the replica lacks this node's lease, like a replica of another database.
 */
function setUp() {
  const clock = manualClock();
  const state: { behindMs: number | null; isAway: boolean } = { behindMs: 3_000, isAway: false };
  const warnings: string[] = [];
  const replica = answering(({ sql }): Promise<readonly SqlRow[]> => {
    if (state.isAway) return Promise.reject(unavailable('cut'));
    if (!sql.includes('lease_until_ms')) return Promise.resolve([{ from: 'replica' }]);
    const untilMs = NOW_MS - (state.behindMs ?? 0) + LEASE_MS;
    const until_ms = state.behindMs === null ? null : BigInt(untilMs);
    return Promise.resolve([{ until_ms, now_ms: BigInt(NOW_MS) }]);
  });
  const reads = new ReplicaReads({
    ...{ replica, clock, leaseMs: LEASE_MS, epoch: () => 'one' },
    primary: answering(() => Promise.resolve([{ from: 'primary' }])),
    warn: (message) => void warnings.push(message),
  });
  const source = async () => (await reads.query(READ))[0]?.['from'];
  return { clock, state, warnings, reads, source };
}

test('a replica answers once it is known to be close behind, and says until when it has all', async () => {
  const { reads, source } = setUp();
  expect([await source(), reads.asOfMs(), reads.ageMs()]).toEqual(['primary', null, 0]);
  await reads.look();
  expect([await source(), reads.asOfMs()]).toEqual(['replica', NOW_MS - 3_000]);
  expect(reads.ageMs()).toBe(3_000);
});

test.each([
  ['is too far behind', { behindMs: MAX_AGE_MS + 1, isAway: false }],
  ['has no lease of this node, as that of another database', { behindMs: null, isAway: false }],
  ['is away', { behindMs: 3_000, isAway: true }],
])('the database itself answers when the replica %s, and the log says it once', async (_, then) => {
  const { state, warnings, reads, source } = setUp();
  await reads.look();
  Object.assign(state, then);
  await reads.look();
  await reads.look();
  expect([await source(), reads.asOfMs(), reads.ageMs()]).toEqual(['primary', null, 0]);
  expect(warnings).toEqual([expect.stringContaining('not its replica')]);
  Object.assign(state, { behindMs: 0, isAway: false });
  await reads.look();
  expect(await source()).toBe('replica');
  expect(warnings).toHaveLength(2);
});

test('a replica that was not asked for long does not answer', async () => {
  const { clock, reads, source } = setUp();
  await reads.look();
  reads.close();
  clock.advance(MAX_AGE_MS);
  expect([await source(), reads.asOfMs()]).toEqual(['primary', null]);
});

test('a read that the replica breaks off is answered by the database itself', async () => {
  const { state, reads, source } = setUp();
  await reads.look();
  state.isAway = true;
  expect(await source()).toBe('primary');
});

const opened: { readonly close: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const each of opened) await each.close();
});

test('a node reads from a server that has its lease, and from no other', async () => {
  const url = await newTestDatabase();
  const open = async (replica: string, epoch: string) => {
    const clock = systemClock;
    const database = await openPostgres({
      url: new Secret(url),
      replica: new Secret(replica),
      clock,
    });
    opened.push(database);
    await database.ledger.join({ epoch, name: epoch }, LEASE_MS);
    return database.reports;
  };
  const same = await open(url, 'one');
  const other = await open(await newTestDatabase(), 'two');
  await eventually('the replica is used', same.asOfMs, (asOf) => asOf !== null);
  expect(other.asOfMs()).toBeNull();
  expect((await other.query(READ)).length).toBe(1);
});
