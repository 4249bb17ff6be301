/**
 * Tests that PostgreSQL's functions for assignments give the same answers as a model in memory. Two
 * nodes send random requests, some of them repeated or late. At the end, the wallets must be equal.
 */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import {
  between,
  oneOf,
  printedSeed,
  type Random,
  seededRandom,
} from '../../../test/support/random.ts';
import { systemClock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { type Currency, nano } from '../../money/amount.ts';
import { PostgresLink } from '../../store/postgres/postgres-link.ts';
import { AssignmentModel } from '../assigned/assignment-model.fixture.ts';
import type { AssignmentStore, StoreQuestions } from '../assigned/assignment-store.ts';
import {
  AT_MS,
  addAccount,
  addMemberKeys,
  adjust,
  capMember,
  credit,
  creditLimit,
  EPOCH,
  furnish,
  hold,
  settle,
  voided,
} from '../conformance/ledger.fixture.ts';
import type { Database } from '../database.ts';
import type { Charge, FloatHold } from '../float/float-account.ts';
import type { Command } from '../ledger.ts';
import { newTestDatabase, openTestUrl } from './postgres.fixture.ts';
import { PostgresAssignments, SHARE } from './postgres-assignments.ts';
import { COMMIT_LIMITS } from './postgres-commits.ts';

setDefaultTimeout(180_000);

const HISTORIES = 12;
const QUESTIONS = 40;
const LEASE_MS = 3_600_000;

const opened: { readonly close: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const each of opened.reverse()) await each.close();
});

/** The kinds of requests that a node sends to the store. */
type Kind = keyof StoreQuestions;
const EPOCHS = ['one', 'two'] as const;

class Pair {
  readonly accountId: string;
  readonly model = new AssignmentModel(AT_MS);
  readonly #database: Database;
  readonly #store: AssignmentStore;
  readonly #random: Random;
  readonly #holds: FloatHold[] = [];
  readonly #story: string[] = [];
  #count = 0;

  constructor(accountId: string, database: Database, store: AssignmentStore, random: Random) {
    this.accountId = accountId;
    this.#database = database;
    this.#store = store;
    this.#random = random;
    this.model.addAccount(accountId);
    for (const each of EPOCHS) this.model.join(this.#epoch(each), LEASE_MS);
  }

  async run(): Promise<void> {
    await addAccount(this.#database.sql, this.accountId);
    await addMemberKeys(this.#database.sql, this.accountId);
    for (const each of EPOCHS) {
      const params = [this.#epoch(each), this.#epoch(each), LEASE_MS];
      await this.#database.sql.query({ sql: 'SELECT books_join($1, $2, $3)', params });
    }
    for (let asked = 0; asked < QUESTIONS; asked += 1) await this.#step();
  }

  async #step(): Promise<void> {
    const { accountId } = this;
    const epoch = this.#epoch(oneOf(this.#random, EPOCHS));
    const currency: Currency = this.#random() < 0.8 ? 'USD' : 'CNY';
    const place = { accountId, epoch };
    const keyId = `${oneOf(this.#random, ['key', 'sibling'])}_${accountId}`;
    const whose = { accountId, currency };
    const id = `${accountId}_${this.#count++}`;
    const held = this.#holds.length === 0 ? null : oneOf(this.#random, this.#holds);
    const chance = this.#random();
    if (chance < 0.25) {
      const change = BigInt(between(this.#random, 1, 60));
      const isStale = this.#random() < 0.15;
      const atLeast = BigInt(between(this.#random, 1, 20));
      const keyIds = [`key_${accountId}`];
      const known = this.model.find(accountId, currency, epoch);
      // A node never returns more money than was assigned to it.
      const isRaise = known === null || this.#random() < 0.7 || known.amount < change;
      const asked = { ...place, currency, atLeast, keyIds, change: isRaise ? change : -change };
      await this.#both('assign', (versions) => ({
        ...asked,
        version: isStale ? -1n : versions(epoch)[currency],
      }));
    } else if (chance < 0.4) {
      const amount = BigInt(between(this.#random, 2, 25));
      this.#holds.push(floatHold(id, amount, { ...whose, keyId, epoch }));
    } else if (chance < 0.5 && held !== null) {
      await this.#both('move', () => held);
    } else if (chance < 0.6 && held !== null) {
      const asked = chargeOf(held, held.amount / 2n);
      await this.#both('charge', () => asked);
    } else if (chance < 0.7) {
      const holds = this.#holds.filter(({ by }) => by.epoch === epoch);
      const isStale = this.#random() < 0.2;
      await this.#both('surrender', (versions) => ({
        ...place,
        versions: isStale ? { USD: -1n, CNY: null } : versions(epoch),
        holds,
      }));
    } else if (chance < 0.76) {
      await this.#setKey(this.#random() < 0.7, this.#random() < 0.7 ? null : 0n);
      const used = [{ ...whose, amount: BigInt(between(this.#random, 0, 20)) }];
      const expiresAtMs = this.#random() < 0.2 ? AT_MS : null;
      const key = { accountId, id: `key_${accountId}`, expiresAtMs };
      const keys = this.#random() < 0.7 ? [key] : [];
      await this.#both('check', () => ({ epoch, used, keys }));
      await this.#setKey(true, null);
    } else if (chance < 0.8) {
      this.#story.push('recall');
      const sql = 'SELECT books_recall(ARRAY[$1::text]) AS remains';
      const [row] = await this.#database.sql.query({ sql, params: [accountId] });
      expect(row?.['remains'] === 1n, this.#history()).toBe(this.model.recall(accountId));
    } else if (chance < 0.83) {
      await this.#capMember(this.#random() < 0.5 ? null : BigInt(between(this.#random, 0, 80)));
    } else {
      const amount = BigInt(between(this.#random, 1, 50));
      // A request that was charged is never released.
      const isCharged = held !== null && this.model.account(accountId).charged(held.by.id) !== null;
      const command: Command = oneOf(this.#random, [
        credit(id, 2n * amount, whose),
        credit(id, 2n * amount, whose),
        adjust(id, -amount, whose),
        creditLimit(id, amount, whose),
        hold(id, amount, { ...whose, keyId, epoch }),
        hold(id, amount, { ...whose, keyId, epoch, atLeast: 1n }),
        held === null || isCharged ? voided(id, whose) : voided(held.by.id, whoseOf(held)),
        held === null ? credit(id, amount, whose) : settled(held, held.amount),
      ]);
      const moved = this.#random() < 0.5 && held?.by.id === command.id ? held : null;
      await this.#both('command', () => ({ command, moved, isFirm: amount % 2n === 0n }));
    }
    await this.#compare();
  }

  /** Sets the key's status and cap without a notice to the nodes. */
  async #setKey(isActive: boolean, cap: bigint | null): Promise<void> {
    const { accountId } = this;
    this.#story.push(`the key is active: ${isActive}, its cap is ${cap}`);
    const account = this.model.account(accountId);
    account.isKeyActive = isActive;
    account.meters.key.caps.total = cap;
    const id = `key_${accountId}`;
    const status = isActive ? 'active' : 'disabled';
    await this.#database.sql.transaction([
      { sql: 'UPDATE api_key SET status = $1 WHERE id = $2', params: [status, id] },
      { sql: 'UPDATE spend_meter SET cap_total = $1 WHERE owner_id = $2', params: [cap, id] },
    ]);
  }

  /** Sets or removes the member's cap without a notice to the nodes. */
  async #capMember(cap: bigint | null): Promise<void> {
    this.#story.push(`the member's cap is ${cap}`);
    this.model.account(this.accountId).memberCaps.month = cap;
    await capMember(this.#database.sql, this.accountId, { month: cap });
  }

  /**
   * Sends a request to PostgreSQL and to the model, and compares the answers. `ask` creates the
   * request for each of the two from the versions of its own assignments.
   */
  async #both<Each extends Kind>(
    kind: Each,
    ask: (
      versions: (epoch: string) => Record<Currency, bigint | null>,
    ) => StoreQuestions[Each]['ask'],
  ): Promise<void> {
    const sql = 'SELECT epoch, currency, version FROM assignment WHERE account_id = $1';
    const rows = await this.#database.sql.query({ sql, params: [this.accountId] });
    const stored = (epoch: string, unit: Currency): bigint | null => {
      const row = rows.find((each) => each['epoch'] === epoch && each['currency'] === unit);
      return row === undefined ? null : BigInt(String(row['version']));
    };
    const modeled = (epoch: string, unit: Currency): bigint | null =>
      this.model.find(this.accountId, unit, epoch)?.version ?? null;
    const asked = ask((epoch) => ({ USD: stored(epoch, 'USD'), CNY: stored(epoch, 'CNY') }));
    this.#story.push(`${kind} ${plain(asked)}`);
    const answer = await this.#store.ask(kind, asked);
    const expected = this.model.answers[kind](
      ask((epoch) => ({ USD: modeled(epoch, 'USD'), CNY: modeled(epoch, 'CNY') })),
    );
    // Does not compare the available amount of a planned charge, because the node computes it.
    const isStated = this.#story.at(-1)?.includes('"kind":"settle"') === true;
    const unlike = isStated ? /"available":"\d+"/g : kind === 'surrender' ? /\d+/g : /$^/g;
    const compared = (given: unknown): string => plain(given).replaceAll(unlike, '');
    expect(compared(answer), this.#history()).toBe(compared(expected));
  }

  async #compare(): Promise<void> {
    const wallets = await this.#database.sql.query({
      sql: 'SELECT currency, balance, held FROM wallet WHERE account_id = $1 ORDER BY currency',
      params: [this.accountId],
    });
    const { balance, held } = this.model.account(this.accountId);
    const units = ['CNY', 'USD'] as const;
    expect(wallets, this.#history()).toEqual(
      units.map((unit) => ({ currency: unit, balance: balance[unit], held: held[unit] })),
    );
  }

  #epoch(each: (typeof EPOCHS)[number]): string {
    return `${this.accountId}_${each}`;
  }

  #history(): string {
    return this.#story.join('\n');
  }
}

/** Returns an answer as text that shows only whether a version is present, not its number. */
function plain(answer: unknown): string {
  return JSON.stringify(answer, (key, value: unknown) => {
    const isVersion = key === 'version' || key === 'versions';
    if (isVersion && typeof value === 'bigint') return 'a version';
    return typeof value === 'bigint' ? value.toString() : value;
  });
}

type Whose = {
  readonly accountId: string;
  readonly keyId: string;
  readonly currency: Currency;
  readonly epoch: string;
};

const floatHold = (id: string, amount: bigint, whose: Whose): FloatHold => ({
  by: hold(id, amount, whose),
  result: { amount: nano(amount), available: nano(0n), loss: nano(0n) },
  ...{ amount, own: amount, reserve: 0n, metered: amount },
  ...{ lastExtension: null, checkpoint: null, isUnsaved: false, isInDoubt: false },
});

const whoseOf = ({ by: { accountId, keyId, currency } }: FloatHold) => ({
  ...{ accountId, keyId, currency },
});

const settled = (held: FloatHold, charge: bigint) => ({
  ...settle(held.by.id, charge, whoseOf(held)),
  held: nano(held.amount),
});

const chargeOf = (held: FloatHold, taken: bigint): Charge => ({
  by: settled(held, taken),
  hold: held,
  plan: { taken, bought: 0n, sold: 0n, loss: 0n },
  ...{ available: 0n, metered: taken, careful: null, isSent: true },
});

test('stored functions and model answer every question of two nodes alike', async () => {
  const random = seededRandom(printedSeed('questions about assignments'));
  const url = await newTestDatabase();
  const database = await openTestUrl(url);
  opened.push(database);
  await furnish(database);
  // Disables these triggers, because they would make each change of a key wait for a recall of the
  // account.
  await database.sql.transaction([
    { sql: 'ALTER TABLE api_key DISABLE TRIGGER key_is_touched', params: [] },
    { sql: 'ALTER TABLE spend_meter DISABLE TRIGGER meter_is_touched', params: [] },
    { sql: 'ALTER TABLE member_cap DISABLE TRIGGER member_cap_is_touched', params: [] },
  ]);
  const store = storeAt(url);
  for (let run = 0; run < HISTORIES; run += 1) {
    await new Pair(`pair${run}`, database, store, random).run();
  }
});

/** Opens a store. The tests close it at their end. */
function storeAt(url: string): PostgresAssignments {
  const { attemptMs } = COMMIT_LIMITS;
  const timeouts = { statementMs: attemptMs, lockMs: attemptMs };
  const link = new PostgresLink({ url: new Secret(url), clock: systemClock, ...timeouts });
  opened.push(link);
  const store = new PostgresAssignments({
    ...{ link, clock: systemClock, limits: COMMIT_LIMITS, share: SHARE },
  });
  opened.push(store);
  return store;
}

test('an account that the database lacks, as after a recovery to an earlier moment, gets nothing', async () => {
  const url = await newTestDatabase();
  const database = await openTestUrl(url);
  opened.push(database);
  await furnish(database);
  const nothing = { version: null, amount: 0n, rest: 0n };
  const ask = { accountId: 'gone', epoch: EPOCH, currency: 'USD', version: 7n } as const;
  const assigned = await storeAt(url).ask('assign', {
    ...{ ...ask, change: 10n, atLeast: 1n, keyIds: ['key_gone'] },
  });
  expect(assigned).toEqual({ isFit: false, wallets: { USD: nothing, CNY: nothing }, keys: [] });
});
