/**
 * A process with a float on a simulated store, for tests that decide when the store fails and when
 * the process dies.
 */
import { type ManualClock, manualClock } from '../../clock.fixture.ts';
import { nextTurn } from '../../clock.ts';
import { nano } from '../../money/amount.ts';
import { AT_MS, credit, hold, settle, USD_CNY } from '../conformance/ledger.fixture.ts';
import type { Outcome, SettleCommand } from '../ledger.ts';
import { Float } from './float.ts';
import { FloatLedger } from './float-ledger.ts';
import { newThread } from './float-simulation-run.fixture.ts';
import type { SimulatedThread } from './simulated-thread.fixture.ts';

/** The thread of the store. */
export let thread: SimulatedThread;
export let clock: ManualClock;
export let ledger: FloatLedger;
let lives = 0;

/** Starts a process on the database. Data that the previous process did not write is lost. */
export async function start(float = new Float()): Promise<void> {
  thread.crash();
  thread.disk = 'sound';
  ledger = new FloatLedger({ link: thread.link, clock, float });
  thread.onTouched = (accountIds) => ledger.touched(accountIds);
  ledger.learn([USD_CNY]);
  lives += 1;
  await done(thread.link.ask('join', { epoch: epoch(), name: 'n', nowMs: 0, untilMs: 1 }));
  ledger.join(epoch());
}
export const epoch = (): string => `epoch_${lives}`;

/** Creates a store with three accounts, of which `alice` has 100, and starts a process on it. */
export async function startNew(): Promise<void> {
  thread = newThread();
  clock = manualClock(AT_MS);
  for (const id of ['alice', 'bob', 'carol']) {
    thread.query('INSERT INTO account (id, name, created_at_ms) VALUES ($1, $1, 0)', id);
    thread.query(
      `INSERT INTO api_key (id, account_id, name, hash, prefix, last4, created_at_ms, created_by)
       VALUES ($1, $2, 'k', $3, 'sk', 'zzzz', 0, 'usr_1')`,
      ...[`key_${id}`, id, new Uint8Array(32).fill(id.charCodeAt(0))],
    );
  }
  await start();
  await done(ledger.apply([credit('c1', 100n)]));
}

/** Lets the thread work until the promise `asked` resolves. */
export async function done<Result>(asked: Promise<Result> | Result): Promise<Result> {
  let isDone = false;
  const watched = Promise.resolve(asked).finally(() => {
    isDone = true;
  });
  watched.catch(() => undefined);
  for (let turns = 0; !isDone; turns += 1) {
    if (turns > 1_000) throw new Error('nothing happens any more');
    await nextTurn();
    thread.step();
    thread.deliver();
    await nextTurn();
  }
  return await watched;
}

export const take = (id: string, amount: bigint, terms: Parameters<typeof hold>[2] = {}) =>
  done(ledger.hold(hold(id, amount, { epoch: epoch(), ...terms })));
export const pay = (id: string, charge: bigint, held: bigint | null = null): SettleCommand => ({
  ...settle(id, charge),
  held: held === null ? null : nano(held),
});
export const change = (sql: string) => done(thread.change(sql));
export const statusOf = (outcome: Outcome): Outcome['status'] => outcome.status;

/** Returns the balance in the database, and the amount of holds and unwritten charges in memory. */
export function wallet(accountId = 'alice'): readonly bigint[] {
  const sql = "SELECT balance FROM wallet WHERE account_id = $1 AND currency = 'USD'";
  const [row] = thread.query(sql, accountId);
  return [BigInt(String(row?.['balance'])), ledger.heldOf(accountId, 'USD')];
}
export const receipts = () =>
  thread.query('SELECT request_id, outcome, charge FROM receipt ORDER BY seq');
