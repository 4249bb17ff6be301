import { Database as SqliteFile } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { GatewayError } from '../errors.ts';
import { nano } from '../money/amount.ts';
import type { Command, Lease, NodeIdentity, Outcome, Reaped, VoidCommand } from './ledger.ts';
import { LEASE_MS, NodeLease, type NodeLeaseDeps } from './node-lease.ts';
import { REAP_BATCH } from './settlement-plan.ts';
import { SettlementSpool } from './settlement-spool.ts';

const HEARTBEAT_MS = 2_000;

/** A ledger whose answers the test sets, and which records every call. */
class ToldLedger {
  readonly asked: string[] = [];
  /** The epochs of all joins, in order. */
  readonly epochs: string[] = [];
  taken = false;
  lease: Lease = { isLive: true, nodes: 1 };
  away = false;
  /** Every reap waits for this promise. */
  lock: Promise<void> = Promise.resolve();
  losesJoin = false;
  /** The epoch whose lease has ended. */
  over = '';
  /** The number of holds that dead nodes have left behind. */
  orphans = 0;
  /** Called before the ledger applies commands. */
  onApply = (): void => undefined;
  async join(node: NodeIdentity): Promise<'joined' | 'name_in_use' | 'epoch_over'> {
    this.epochs.push(node.epoch);
    this.#ask(`join ${node.name === node.epoch ? 'epoch' : node.name}`);
    if (this.losesJoin) throw new GatewayError('store_unavailable', 'lost');
    if (this.over === node.epoch) return 'epoch_over';
    return this.taken ? 'name_in_use' : 'joined';
  }
  async renew(): Promise<Lease> {
    this.#ask('renew');
    return this.lease;
  }
  async leave(): Promise<void> {
    this.#ask('leave');
  }
  async reap(): Promise<Reaped> {
    this.#ask('reap');
    await this.lock;
    const voided = Math.min(this.orphans, REAP_BATCH);
    this.orphans -= voided;
    return { settled: 0, voided };
  }
  async apply(batch: readonly Command[]): Promise<readonly Outcome[]> {
    this.#ask(`apply ${batch.map(({ kind }) => kind).join()}`);
    this.onApply();
    const result = { amount: nano(0n), available: nano(0n), loss: nano(0n) };
    return batch.map(() => ({ status: 'applied', result }));
  }
  #ask(what: string): void {
    this.asked.push(what);
    if (this.away) throw new GatewayError('store_unavailable', 'away');
  }
}

let clock: ManualClock;
let ledger: ToldLedger;
let spool: SettlementSpool;
let folder: string;
let logged: string[];
let nodes: number[];

beforeEach(() => {
  clock = manualClock();
  ledger = new ToldLedger();
  folder = mkdtempSync(join(tmpdir(), 'modelgate-lease-'));
  spool = new SettlementSpool(join(folder, 'spool.db'));
  logged = [];
  nodes = [];
});
afterEach(() => {
  spool.close();
  rmSync(folder, { recursive: true });
});

function deps(name: string | null = null): NodeLeaseDeps {
  const log = (level: string) => (_fields: unknown, text?: string) =>
    void logged.push(`${level} ${text ?? String(_fields)}`);
  return {
    ledger,
    spool,
    mayCharge: () => Promise.resolve(true),
    clock,
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    name,
    onNodes: (count) => nodes.push(count),
  };
}

const voidOf = (id: string): VoidCommand => ({
  kind: 'void',
  id,
  accountId: 'acc',
  keyId: 'key',
  currency: 'USD',
  atMs: 0,
});

/** Runs one heartbeat and waits until it has finished. */
async function heartbeat(lease: NodeLease): Promise<void> {
  clock.advance(HEARTBEAT_MS);
  await lease.beat();
}

test('takes a lease, reaps dead nodes, renews the lease, and ends it', async () => {
  const lease = await NodeLease.take(deps());
  await heartbeat(lease);
  await lease.stop();
  expect(ledger.asked).toEqual(['join epoch', 'reap', 'renew', 'leave']);
  expect(nodes).toEqual([1]);
});

test('a node that hung too long continues under a new epoch', async () => {
  const lease = await NodeLease.take(deps());
  const before = lease.epoch;
  ledger.lease = { isLive: false, nodes: 0 };
  await heartbeat(lease);
  expect(lease.epoch).not.toBe(before);
  expect(logged.join()).toContain('the lease of this node ended');
  expect(nodes).toEqual([1]);
  await lease.stop();
});

test('a stop sends the spooled commands first, and ends the heartbeats', async () => {
  const lease = await NodeLease.take(deps());
  await spool.keep(voidOf('h1'));
  ledger.asked.length = 0;
  await lease.stop();
  expect(spool.waiting).toBe(0);
  for (let each = 0; each < 3; each += 1) {
    clock.advance(HEARTBEAT_MS);
    await Bun.sleep(0);
  }
  expect(ledger.asked).toEqual(['apply void', 'leave']);
});

test('a stop ends the lease only after the reap that still runs', async () => {
  const lease = await NodeLease.take(deps());
  const { promise: lock, resolve: unlock } = Promise.withResolvers<void>();
  ledger.lock = lock;
  ledger.asked.length = 0;
  for (let each = 0; each < 6; each += 1) {
    clock.advance(HEARTBEAT_MS);
    await Bun.sleep(0);
  }
  const stopping = lease.stop();
  await Bun.sleep(0);
  expect(ledger.asked).toContain('reap');
  expect(ledger.asked).not.toContain('leave');
  unlock();
  await stopping;
  expect(ledger.asked.at(-1)).toBe('leave');
});

test('repeats a join whose answer was lost under the same epoch', async () => {
  const lease = await NodeLease.take(deps('gate-1'));
  ledger.lease = { isLive: false, nodes: 0 };
  ledger.losesJoin = true;
  await heartbeat(lease);
  ledger.losesJoin = false;
  await heartbeat(lease);
  const [first, ...again] = ledger.epochs;
  expect(again).toHaveLength(2);
  expect(new Set(again)).toEqual(new Set([lease.epoch]));
  expect(lease.epoch).not.toBe(first);
  await lease.stop();
});

test('takes a new epoch if the lease of a join whose answer was lost has ended', async () => {
  const lease = await NodeLease.take(deps('gate-1'));
  ledger.lease = { isLive: false, nodes: 0 };
  ledger.losesJoin = true;
  await heartbeat(lease);
  ledger.losesJoin = false;
  ledger.over = ledger.epochs.at(-1) ?? '';
  await heartbeat(lease);
  expect(ledger.epochs).toHaveLength(4);
  expect(lease.epoch).toBe(ledger.epochs[3] ?? '');
  expect(lease.epoch).not.toBe(ledger.over);
  await lease.stop();
});

test('spooled settlements of an earlier process are sent before the first reap', async () => {
  await spool.keep(voidOf('h1'));
  const lease = await NodeLease.take(deps());
  expect(ledger.asked).toEqual(['apply void', 'join epoch', 'reap']);
  expect(spool.waiting).toBe(0);
  await lease.stop();
});

test('says that the spool has settlements of a newer version', async () => {
  await spool.keep(voidOf('h1'));
  const file = new SqliteFile(join(folder, 'spool.db'));
  file.run("UPDATE spooled SET command = json_set(command, '$.format', 9)");
  file.close();
  const lease = await NodeLease.take(deps());
  expect(ledger.asked).not.toContain('apply void');
  expect(logged.join()).toContain('error the spool has settlements of a newer version, and keeps');
  await lease.stop();
});

test('sends a long spool over many heartbeats, and renews the lease in between', async () => {
  const lease = await NodeLease.take(deps());
  const many = Array.from({ length: 1_000 }, (_, each) => spool.keep(voidOf(`h${each}`)));
  await Promise.all(many);
  // Each command takes 13 ms. So after 200 commands, or 2.6 seconds, the heartbeat sends no more.
  ledger.onApply = () => clock.advance(13);
  ledger.asked.length = 0;
  await lease.beat();
  expect(spool.waiting).toBe(800);
  await lease.beat();
  expect(spool.waiting).toBe(600);
  expect(ledger.asked.filter((each) => each === 'renew').length).toBeGreaterThanOrEqual(2);
  await lease.stop();
});

test('a stopping node waits for the store while commands are spooled, up to a limit', async () => {
  const lease = await NodeLease.take(deps());
  expect(await lease.emptied(60_000)).toBe(0);
  ledger.away = true;
  await spool.keep(voidOf('h1'));
  const pass = async (seconds: number): Promise<void> => {
    for (let quarter = 0; quarter < 4 * seconds; quarter += 1) {
      clock.advance(250);
      await Bun.sleep(0);
    }
  };
  const left: number[] = [];
  const waiting = lease.emptied(60_000).then((count) => left.push(count));
  await pass(30);
  expect(left).toEqual([]);
  ledger.away = false;
  await pass(3);
  await waiting;
  expect(left).toEqual([0]);
  expect(logged.join()).toContain('the shutdown waits until the database accepts');

  ledger.away = true;
  await spool.keep(voidOf('h2'));
  const gaveUp = lease.emptied(5_000);
  await pass(6);
  expect(await gaveUp).toBe(1);
  expect(logged.join()).toContain('the next start with this data folder writes them');
  await lease.stop();
});

test('a reap that waits for a lock does not delay the renewal of the lease', async () => {
  const lease = await NodeLease.take(deps());
  const { promise: lock, resolve: unlock } = Promise.withResolvers<void>();
  ledger.lock = lock;
  ledger.asked.length = 0;
  const beats: Promise<void>[] = [];
  for (let each = 0; each < 6; each += 1) {
    clock.advance(HEARTBEAT_MS);
    beats.push(lease.beat());
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }
  expect(ledger.asked.filter((each) => each === 'renew')).toHaveLength(6);
  expect(ledger.asked.filter((each) => each === 'reap')).toHaveLength(1);
  unlock();
  await Promise.all(beats);
  await lease.stop();
  expect(ledger.asked.at(-1)).toBe('leave');
});

test('the holds of a busy dead node are resolved in several batches, up to a limit', async () => {
  ledger.orphans = REAP_BATCH * 3;
  const lease = await NodeLease.take(deps());
  expect(ledger.asked).toEqual(['join epoch', 'reap', 'reap', 'reap', 'reap']);
  expect(logged).toEqual(['warn resolved the holds of a dead node']);
  ledger.orphans = Number.POSITIVE_INFINITY;
  for (let each = 0; each < 3; each += 1) await heartbeat(lease);
  expect(ledger.asked.filter((each) => each === 'reap')).toHaveLength(14);
  await lease.stop();
});

test('an unavailable store is logged once, and so is its return', async () => {
  const lease = await NodeLease.take(deps());
  ledger.away = true;
  await heartbeat(lease);
  await heartbeat(lease);
  ledger.away = false;
  await heartbeat(lease);
  await heartbeat(lease);
  expect(logged).toEqual([
    'error the heartbeat of this node failed: away',
    'info the database is available again',
  ]);
  await lease.stop();
});

test('waits for a name that a dead node still has', async () => {
  ledger.taken = true;
  const taking = NodeLease.take(deps('gate-1'));
  for (let turn = 0; turn < 3; turn++) {
    await Promise.resolve();
    clock.advance(250);
  }
  ledger.taken = false;
  while (ledger.asked.at(-1) !== 'reap') {
    clock.advance(250);
    await Promise.resolve();
  }
  const lease = await taking;
  expect(new Set(ledger.asked)).toEqual(new Set(['join gate-1', 'reap']));
  await lease.stop();
});

test('refuses a name that a live node has, with the remedy', async () => {
  ledger.taken = true;
  const taking = NodeLease.take(deps('gate-1')).then(
    () => 'taken',
    (thrown: unknown) => String(thrown),
  );
  for (let waited = 0; waited < LEASE_MS * 2; waited += 250) {
    clock.advance(250);
    await Promise.resolve();
    await Promise.resolve();
  }
  expect(await taking).toContain(
    'Another running node is called "gate-1". Give each node its own name',
  );
});
