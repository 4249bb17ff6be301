/** Checks the invariants of a simulation: the float in memory agrees with the SQLite database. */
import type { Clock } from '../../clock.ts';
import type { Currency } from '../../money/amount.ts';
import type { SqlRow } from '../../store/sql.ts';
import { capsAt, type Meter } from '../meter.ts';
import type { Float } from './float.ts';
import type { FloatAccount } from './float-account.ts';
import { keysOf } from './simulated-administrator.fixture.ts';
import type { Read, SimulatedThread } from './simulated-thread.fixture.ts';

const UNITS = ['USD', 'CNY'] as const;
const WINDOWS = ['total', 'in_day', 'in_week', 'in_month', 'day', 'week', 'month'] as const;

/** The part of a simulation that the invariants check. */
export type World = {
  readonly float: Float;
  readonly thread: SimulatedThread;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly accountIds: readonly string[];
  /** Settlements that were acknowledged to callers, by request id. */
  readonly acknowledged: ReadonlyMap<string, unknown>;
  /** Settlements that wait on disk, by request id. */
  readonly kept: ReadonlyMap<string, unknown>;
};

/** The simulation, and `read`, which reads the database as if all durable charges were booked. */
type Seen = World & { readonly read: Read };

/** Returns a sentence for each violated invariant. */
export function disagreements(world: World): readonly string[] {
  const { float, thread, clock, accountIds, acknowledged, kept } = world;
  return thread.peek((read) =>
    disagreementsIn({ float, thread, clock, accountIds, acknowledged, kept, read }),
  );
}

export const hasReceipt = (read: Read, id: string): boolean =>
  read('SELECT 1 FROM receipt WHERE request_id = $1', id).length > 0;

function disagreementsIn(world: Seen): readonly string[] {
  const { float, accountIds } = world;
  return [
    ...float.breaches().map(({ subject, detail }) => `${subject}: ${detail}`),
    ...accountIds.flatMap((id) => UNITS.flatMap((unit) => overspent(world, id, unit))),
    ...accountIds.flatMap((id) => {
      const account = float.accounts.get(id);
      const loaded = keysOf(id).filter(
        (keyId) => (account?.state.loadedKey(keyId) ?? null) !== null,
      );
      return account === undefined || loaded.length === 0
        ? []
        : differences(world, account, loaded);
    }),
    ...unsavedCheckpoints(world),
    ...forgotten(world),
  ];
}

const one = (world: Seen, sql: string, ...params: SqlRow[string][]): SqlRow => {
  const [row] = world.read(sql, ...params);
  if (row === undefined) throw new Error(`no row: ${sql}`);
  return row;
};
const amountIn = (row: SqlRow, column: string): bigint => BigInt(String(row[column]));

/** Returns the planned charges that the database does not contain yet. */
function unwritten(world: Seen, account: FloatAccount) {
  return [...account.charges.values()].filter(({ by }) => !hasReceipt(world.read, by.id));
}

/**
 * Returns a violation if the stored wallet cannot pay for its holds and unwritten charges. A hold
 * with a receipt needs no money: the reaper has charged it, and the answer is on its way or lost.
 */
function overspent(world: Seen, id: string, unit: Currency): readonly string[] {
  const sql = 'SELECT balance, floor FROM wallet WHERE account_id = $1 AND currency = $2';
  const row = one(world, sql, id, unit);
  const account = world.float.accounts.get(id);
  let owed = account?.wallets[unit].held ?? 0n;
  for (const { by, own, reserve } of world.float.holds.values()) {
    if (by.accountId !== id || !hasReceipt(world.read, by.id)) continue;
    owed -= by.currency === unit ? own : reserve;
  }
  for (const { hold, plan } of account === undefined ? [] : unwritten(world, account)) {
    owed += hold.by.currency === unit ? plan.taken - plan.bought : plan.sold;
  }
  const left = amountIn(row, 'balance') - owed;
  return left >= amountIn(row, 'floor') ? [] : [`${id} ${unit} is overspent: ${left} is left`];
}

/** Returns each difference between an account in memory and the account in the database. */
function differences(
  world: Seen,
  account: FloatAccount,
  loaded: readonly string[],
): readonly string[] {
  // While the answer to a command is on its way, only the database has the effect of the command.
  if (world.thread.waiting.answers > 0) return [];
  // An unconfirmed charge with a receipt was written, but the write was reported as failed. Until
  // it is sent again, memory and database both deduct it, so the float spends too little, never too
  // much.
  if ([...account.charges.keys()].some((requestId) => hasReceipt(world.read, requestId))) return [];
  const { id } = account;
  const found: string[] = [];
  const expect = (what: string, known: unknown, stored: unknown): void => {
    if (known !== stored) found.push(`${id} ${what}: the float has ${known}, the file ${stored}`);
  };
  const charges = unwritten(world, account);
  for (const unit of UNITS) {
    const sql = 'SELECT balance, floor FROM wallet WHERE account_id = $1 AND currency = $2';
    const row = one(world, sql, id, unit);
    const taken = charges.reduce((sum, { hold, plan }) => {
      return sum + (hold.by.currency === unit ? plan.taken - plan.bought : plan.sold);
    }, 0n);
    expect(unit, account.wallets[unit].balance, amountIn(row, 'balance') - taken);
    expect(`${unit} floor`, account.wallets[unit].floor, amountIn(row, 'floor'));
  }
  if (charges.length > 0) return found;
  for (const keyId of [null, ...loaded]) {
    const owner = keyId ?? id;
    const row = meterOf(world, owner);
    for (const column of WINDOWS) {
      expect(`${owner} ${column}`, account.meter(keyId)?.[column], amountIn(row, column));
    }
    expect(`${owner} cap`, account.meter(keyId)?.cap_total ?? null, row['cap_total']);
  }
  const { careful } = one(world, 'SELECT careful FROM account WHERE id = $1', id);
  expect('careful', account.state.careful, Number(careful));
  const atMs = world.clock.nowMs();
  for (const keyId of loaded) {
    expect(
      `refusal of ${keyId}`,
      account.state.refusal(keyId, atMs)?.status ?? null,
      refusalOf(world, id, keyId, atMs),
    );
    const known = account.state.caps(keyId, atMs, null, 0n)?.room;
    expect(`room of ${keyId}`, known, roomOf(world, account, keyId, atMs));
  }
  return found;
}

const meterOf = (world: Seen, owner: string): SqlRow =>
  one(world, 'SELECT * FROM spend_meter WHERE owner_id = $1', owner);

/** Reads a row of `spend_meter`, or a row of `member_cap`, which has caps but no amounts. */
function readMeter(row: SqlRow): Meter {
  const amount = (column: keyof Meter): bigint => BigInt(String(row[column] ?? 0n));
  const cap = (column: keyof Meter) => ((row[column] ?? null) === null ? null : amount(column));
  return {
    ...{ day: amount('day'), week: amount('week'), month: amount('month') },
    ...{ held: amount('held'), total: amount('total') },
    in_day: amount('in_day'),
    in_week: amount('in_week'),
    in_month: amount('in_month'),
    ...{ cap_day: cap('cap_day'), cap_week: cap('cap_week'), cap_month: cap('cap_month') },
    cap_total: cap('cap_total'),
  };
}

/** Returns the amount that a key may still spend under the stored caps, after all running holds. */
function roomOf(world: Seen, { id }: FloatAccount, keyId: string, atMs: number) {
  const meter = (owner: string): Meter => {
    const holds = [...world.float.holds.values()].filter(
      ({ by }) => by.keyId === owner || by.accountId === owner,
    );
    const held = holds.reduce((sum, { metered }) => sum + metered, 0n);
    return { ...readMeter(meterOf(world, owner)), held };
  };
  const [caps] = world.read(
    `SELECT cap_day, cap_week, cap_month FROM member_cap JOIN api_key
       ON created_by = person_id AND api_key.account_id = member_cap.account_id WHERE id = $1`,
    keyId,
  );
  const keys = world.read(
    `SELECT id FROM api_key WHERE account_id = $1
       AND created_by = (SELECT created_by FROM api_key WHERE id = $2)`,
    ...[id, keyId],
  );
  const meters = keys.map((key) => meter(String(key['id'])));
  const member = caps === undefined ? null : { caps: readMeter(caps), meters };
  return capsAt({ key: meter(keyId), member, account: meter(id) }, atMs, null, 0n)?.room;
}

/**
 * Returns each checkpoint that memory considers saved but the database does not have, unless it was
 * charged. Returns none while messages to or from the thread are on their way.
 */
function unsavedCheckpoints(world: Seen): readonly string[] {
  const { questions, answers } = world.thread.waiting;
  if (questions + answers > 0) return [];
  return [...world.float.holds.values()].flatMap(({ by, checkpoint, isUnsaved }) => {
    if (checkpoint === null || isUnsaved || hasReceipt(world.read, by.id)) return [];
    const sql = 'SELECT charge FROM checkpoint WHERE request_id = $1';
    const [row] = world.read(sql, by.id);
    return row?.['charge'] === checkpoint.charge ? [] : [`the checkpoint of ${by.id} is lost`];
  });
}

/** Returns each acknowledged charge that is neither in the database nor waiting on disk. */
function forgotten(world: Seen): readonly string[] {
  return [...world.acknowledged.keys()].flatMap((id) =>
    hasReceipt(world.read, id) || world.kept.has(id) ? [] : [`the charge of ${id} is lost`],
  );
}

function refusalOf(world: Seen, id: string, keyId: string, atMs: number): string | null {
  const key = one(world, 'SELECT status, expires_at_ms FROM api_key WHERE id = $1', keyId);
  const account = one(world, 'SELECT status FROM account WHERE id = $1', id);
  const expires = key['expires_at_ms'];
  if (key['status'] !== 'active' || (expires !== null && Number(expires) <= atMs))
    return 'key_inactive';
  return account['status'] === 'active' ? null : 'account_inactive';
}
