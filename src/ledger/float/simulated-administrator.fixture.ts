/**
 * The administrator of a simulation, who changes statuses and caps and resets periods. Also checks
 * that the float (the holds in memory) makes no hold that an answered change forbids.
 */
import { createHash } from 'node:crypto';
import { oneOf, type Random } from '../../../test/support/random.ts';
import type { Clock } from '../../clock.ts';
import { daysAt } from '../../money/calendar.ts';
import type { SqlRow } from '../../store/sql.ts';
import { resetFutureWindows } from '../future-windows.ts';
import type { Float } from './float.ts';
import type { SimulatedThread } from './simulated-thread.fixture.ts';

/**
 * The state of an account that answered changes have set. Null (the status) or undefined (a cap)
 * means unknown, because a change is unanswered. `changes` counts the changes of the status,
 * `capChanges` those of both caps.
 */
type Known = {
  isUsable: boolean | null;
  cap: bigint | null | undefined;
  memberCap: bigint | null | undefined;
  changes: number;
  capChanges: number;
};

/** The parts of a simulation that the administrator uses. */
type World = {
  readonly accountIds: readonly string[];
  readonly thread: SimulatedThread;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly float: Float;
  readonly hasReceipt: (id: string) => boolean;
  readonly tell: (what: string) => void;
  /** Checks that a change failed only because the store was unavailable. */
  readonly expectAway: (thrown: unknown) => void;
};

/** A key that the member creates later. */
const lateKeyOf = (accountId: string): string => `late_${accountId}`;
/** The keys that the account's member created. */
const memberKeys = (accountId: string) => [
  `key_${accountId}`,
  `sibling_${accountId}`,
  lateKeyOf(accountId),
];
export const keysOf = (accountId: string) => [...memberKeys(accountId), `other_${accountId}`];
const memberOf = (accountId: string): string => `usr_${accountId}`;

const CREATE_KEY = `INSERT OR IGNORE INTO api_key
  (id, account_id, name, hash, prefix, last4, created_at_ms, created_by, status)
  VALUES ($1, $2, 'k', $3, 'sk', 'zzzz', 0, $4,
    COALESCE((SELECT status FROM api_key WHERE account_id = $2), 'active'))`;

export class SimulatedAdministrator {
  readonly #world: World;
  readonly #random: Random;
  readonly #known = new Map<string, Known>();

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  addAccount(id: string): void {
    const { thread } = this.#world;
    thread.query('INSERT INTO account (id, name, created_at_ms) VALUES ($1, $1, 0)', id);
    for (const keyId of keysOf(id)) {
      if (keyId !== lateKeyOf(id)) thread.query(CREATE_KEY, ...this.#newKey(id, keyId));
    }
    this.#known.set(id, { isUsable: true, cap: null, memberCap: null, changes: 0, capChanges: 0 });
  }

  #newKey(accountId: string, keyId: string) {
    const member = memberKeys(accountId).includes(keyId) ? memberOf(accountId) : null;
    return [keyId, accountId, createHash('sha256').update(keyId).digest(), member] as const;
  }

  /** Forgets unanswered changes, because the process has restarted and no answer will come. */
  forget(): void {
    const nothing = { isUsable: null, cap: undefined, memberCap: undefined };
    for (const known of this.#known.values()) Object.assign(known, nothing);
  }

  /**
   * Checks a new hold against the last known status and caps. Skips those with a change that is not
   * answered yet.
   * @throws Error if the hold is not allowed.
   */
  mayHold(accountId: string, keyId: string, atMs: number, nowMs: number): void {
    const known = this.#known.get(accountId);
    if (known?.isUsable === false) throw new Error(`${accountId} holds after its suspension`);
    const { cap, memberCap } = known ?? {};
    if (cap !== null && cap !== undefined) {
      const [row] = this.#metersOf([accountId]);
      const counted = BigInt(String(row?.['total'])) + this.#owed(accountId, keysOf(accountId));
      if (counted > cap) throw new Error(`${accountId} counts ${counted}, its cap is ${cap}`);
    }
    const keyIds = memberKeys(accountId);
    if (memberCap === null || memberCap === undefined || !keyIds.includes(keyId)) return;
    const { month } = daysAt(atMs);
    // Skips the check if the hold is dated in another month than now, because `held` also contains
    // holds whose charges will count in the current month.
    if (daysAt(nowMs).month !== month) return;
    const spent = this.#metersOf(keyIds)
      .filter((row) => BigInt(String(row['month'])) >= month)
      .reduce((sum, row) => sum + BigInt(String(row['in_month'])), 0n);
    const counted = spent + this.#owed(accountId, keyIds, month);
    if (counted <= memberCap) return;
    throw new Error(`${memberOf(accountId)} counts ${counted}, the member's cap is ${memberCap}`);
  }

  /** Changes a status or a cap, or resets periods. */
  act(): void {
    const accountId = oneOf(this.#random, this.#world.accountIds);
    const known = this.#known.get(accountId);
    if (known === undefined) return;
    const chance = this.#random();
    if (chance < 0.04) {
      const keyId = lateKeyOf(accountId);
      const made = this.#newKey(accountId, keyId);
      this.#change(`${keyId} is created`, CREATE_KEY, made, () => undefined);
    } else if (chance < 0.15) {
      const keyId = oneOf(this.#random, keysOf(accountId));
      const inMs = BigInt(Math.floor((this.#random() - 0.3) * 60_000));
      const ends = this.#random() < 0.5 ? null : BigInt(this.#world.clock.nowMs()) + inMs;
      const sql = 'UPDATE api_key SET expires_at_ms = $1 WHERE id = $2';
      this.#change(`${keyId} expires at ${ends}`, sql, [ends, keyId], () => undefined);
    } else if (chance < 0.4) this.#changeStatus(accountId, known);
    else if (chance < 0.65) this.#changeCap(accountId, known);
    else if (chance < 0.9) this.#changeMemberCap(accountId, known);
    else {
      const world = this.#world;
      world.tell('periods in the future are reset');
      resetFutureWindows(world.thread.sql, 'admin', world.clock.nowMs()).then(
        (count) => world.tell(`${count} periods were reset`),
        (thrown: unknown) => world.expectAway(thrown),
      );
    }
  }

  #changeStatus(accountId: string, known: Known): void {
    const isUsable = this.#random() < 0.6;
    known.isUsable = null;
    known.changes += 1;
    const { changes } = known;
    const done = () => {
      // Ignores the answer if a later change has already replaced this one.
      if (known.changes === changes) known.isUsable = isUsable;
    };
    const places = [
      ['account', 'id', 'suspended'],
      ['api_key', 'account_id', 'revoked'],
    ] as const;
    const [table, column, unusable] = oneOf(this.#random, places);
    // Makes the row of the other table active, so that only this change decides the status.
    for (const [other, owner] of places) {
      if (other === table) continue;
      const activate = `UPDATE ${other} SET status = 'active' WHERE ${owner} = $1`;
      this.#change(`${accountId}: ${other} is active`, activate, [accountId], () => undefined);
    }
    const status = isUsable ? 'active' : unusable;
    const sql = `UPDATE ${table} SET status = $1 WHERE ${column} = $2`;
    this.#change(`${accountId} is ${status}`, sql, [status, accountId], done);
  }

  #changeCap(accountId: string, known: Known): void {
    const cap = this.#random() < 0.3 ? null : this.#amount(200);
    known.cap = undefined;
    known.capChanges += 1;
    const { capChanges } = known;
    const sql = 'UPDATE spend_meter SET cap_total = $1, cap_day = $1 WHERE owner_id = $2';
    this.#change(`${accountId} has the cap ${cap}`, sql, [cap, accountId], () => {
      // A later change may have been applied although its failure was reported.
      if (known.capChanges === capChanges) known.cap = cap;
    });
  }

  #changeMemberCap(accountId: string, known: Known): void {
    const cap = this.#random() < 0.3 ? null : this.#amount(120);
    known.memberCap = undefined;
    known.capChanges += 1;
    const { capChanges } = known;
    const member = memberOf(accountId);
    const remove = 'DELETE FROM member_cap WHERE account_id = $1 AND person_id = $2';
    const set = `INSERT INTO member_cap (account_id, person_id, cap_month) VALUES ($1, $2, $3)
      ON CONFLICT (account_id, person_id) DO UPDATE SET cap_month = excluded.cap_month`;
    const [sql, params] = cap === null ? [remove, []] : [set, [cap]];
    this.#change(`${member} has the cap ${cap}`, sql, [accountId, member, ...params], () => {
      // A later change may have been applied although its failure was reported.
      if (known.capChanges === capChanges) known.memberCap = cap;
    });
  }

  #change(what: string, sql: string, params: readonly SqlRow[string][], done: () => void): void {
    const world = this.#world;
    world.tell(what);
    const answered = (): void => {
      world.tell(`${what}: done`);
      done();
    };
    world.thread.change(sql, ...params).then(answered, (thrown: unknown) => {
      world.expectAway(thrown);
      // The failed change may have been applied, so the checks expect neither the old nor the new
      // state.
    });
  }

  #metersOf(owners: readonly string[]): readonly SqlRow[] {
    const sql = 'SELECT * FROM spend_meter WHERE owner_id = $1';
    return this.#world.thread.peek((read) => owners.flatMap((owner) => read(sql, owner)));
  }

  /** Returns the sum of the holds of these keys, and of their unwritten charges since `month`. */
  #owed(accountId: string, keyIds: readonly string[], month = 0n): bigint {
    const account = this.#world.float.accounts.get(accountId);
    let owed = keyIds.reduce((sum, keyId) => sum + (account?.meter(keyId)?.held ?? 0n), 0n);
    for (const { by, metered, hold: released } of account?.charges.values() ?? []) {
      if (!keyIds.includes(released.by.keyId) || daysAt(by.atMs).month < month) continue;
      // Counts a charge only up to its hold's amount. The part above that may have been charged
      // after the checked hold was granted, in the same turn of the event loop.
      const most = metered < released.metered ? metered : released.metered;
      if (!this.#world.hasReceipt(by.id)) owed += most;
    }
    return owed;
  }

  #amount(most: number): bigint {
    return BigInt(1 + Math.floor(this.#random() * most));
  }
}
