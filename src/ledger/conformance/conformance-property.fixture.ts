/**
 * Tests that any history of commands has the same effect on an engine as on the model in memory.
 * Histories include commands with a repeated id.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { systemClock as clock } from '../../clock.ts';
import { type Currency, nano } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import { settleAmount } from '../../money/price.ts';
import type { Database } from '../database.ts';
import type { CapWindow, Command, Outcome } from '../ledger.ts';
import { type Holds, verifyLedger } from '../verify.ts';
import type { Open } from './conformance-rule.fixture.ts';
import {
  AT_MS,
  addAccount,
  addMemberKeys,
  adjust,
  capMember,
  checkpoint,
  credit,
  creditLimit,
  exchange,
  extend,
  furnish,
  hold,
  LEASE_MS,
  refund,
  settle,
  USD_CNY,
  voided,
} from './ledger.fixture.ts';
import { LedgerModel } from './ledger-model.fixture.ts';
import type { ModelKey } from './model-caps.fixture.ts';

/**
 * The number of histories that share a store. All invariants are checked after each history, which
 * takes longer as the store grows.
 */
const RUNS_A_STORE = 50;

/** Amounts are small, so that wallets run out of money and rounding matters. */
const amount = fc.bigInt({ min: 1n, max: 60n });
const currency = fc.constantFrom<Currency>('USD', 'CNY');
/**
 * There are few names, so that commands often repeat the id of an earlier command, of the same kind
 * or of another.
 */
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const key = fc.constantFrom<ModelKey>('key', 'key', 'sibling', 'other');
/** The times are on several days, some of them after a Monday or after the first day of a month. */
const moment = fc
  .constantFrom(0, 0, 0, 1, -1, 3, 8, -8, 11, 40)
  .map((days) => AT_MS + days * DAY_MS);

type World = {
  /** The id of the account. */
  readonly run: string;
  readonly model: LedgerModel;
  readonly holds: Holds;
  /** The number of epochs that have ended. */
  lives: number;
  /** For holds in memory: how many ids were made for each name, and for each extended hold. */
  readonly made: Map<string, number>;
};
type Draft = (world: World) => Command;

const id = (world: World, each: string): string => `${world.run}_${each}`;

/**
 * Returns the id of the request with this name. Memory forgets the ids of ended holds, so a new
 * request of the same name gets a new id.
 */
function requestId(world: World, each: string, isNew: boolean): string {
  if (world.holds === 'stored') return id(world, each);
  const made = world.made.get(each) ?? 0;
  const current = id(world, `h${each}${made}`);
  if (!isNew || !world.model.isKnown(current) || world.model.isRunning(current)) return current;
  world.made.set(each, made + 1);
  return id(world, `h${each}${made + 1}`);
}

/** Returns the id of an extension. Memory knows only the last extension of a running hold. */
function extensionId(world: World, each: string, holdId: string, isNew: boolean): string {
  if (world.holds === 'stored') return id(world, each);
  const isRepeated = !isNew && world.model.isRunning(holdId);
  const made = (world.made.get(holdId) ?? 0) + (isRepeated ? 0 : 1);
  world.made.set(holdId, made);
  return `${holdId}/${made}`;
}
const epochOf = ({ run, lives }: World): string => `epoch_${run}_${lives}`;

const orders: fc.Arbitrary<Draft> = fc
  .record({ of: name, on: name, sum: amount, in: currency, atMs: moment })
  .chain(({ of, on, sum, in: unit, atMs }) => {
    const wallet = (world: World) => ({ accountId: world.run, currency: unit });
    return fc.constantFrom<Draft>(
      (world) => ({ ...credit(id(world, of), sum, wallet(world)), atMs }),
      (world) => ({ ...credit(id(world, of), sum * 3n, wallet(world)), atMs }),
      (world) => ({ ...adjust(id(world, of), sum, wallet(world)), atMs }),
      (world) => ({ ...adjust(id(world, of), -sum, wallet(world)), atMs }),
      (world) => ({ ...exchange(id(world, of), sum, world.run), atMs }),
      (world) => ({ ...refund(id(world, of), requestId(world, on, false), sum), atMs }),
      (world) => ({ ...creditLimit(id(world, of), sum / 2n, wallet(world)), atMs }),
    );
  });

const holds: fc.Arbitrary<Draft> = fc
  .record({
    of: name,
    by: key,
    sum: amount,
    least: amount,
    worst: fc.bigInt({ min: 0n, max: 60n }),
    in: currency,
    isExchanging: fc.boolean(),
    isPriced: fc.boolean(),
    atMs: moment,
  })
  .map(({ of, by, sum, least, worst, in: unit, isExchanging, isPriced, atMs }): Draft => {
    const atLeast = least < sum ? least : sum;
    const worstCase = sum + worst;
    const exchanging = isExchanging && unit === 'CNY' ? { exchange: USD_CNY } : {};
    const priced = isPriced && unit === 'CNY' ? { priceRate: USD_CNY } : {};
    const terms = { currency: unit, atLeast, worstCase, atMs, ...exchanging, ...priced };
    return (world) =>
      hold(requestId(world, of, true), sum, {
        accountId: world.run,
        keyId: `${by}_${world.run}`,
        epoch: epochOf(world),
        ...terms,
      });
  });

/**
 * Returns a settlement of a known hold. For an unknown hold in memory, returns a void without
 * effect.
 */
function settling(world: World, on: string, tokens: bigint, given: object): Command {
  const { model } = world;
  const holdId = requestId(world, on, false);
  if (world.holds === 'in memory' && !model.isKnown(holdId)) {
    return voided(holdId, { accountId: world.run });
  }
  // A settlement that states the amount of its hold can be applied without the hold.
  const held = model.isKnown(holdId) ? nano(model.amountOf(holdId)) : null;
  const exchangeId = model.isExchanging(holdId) ? USD_CNY.id : null;
  const charge = chargeOf(world, holdId, tokens);
  return { ...settle(holdId, 0n), ...charge, held, exchangeId, ...given };
}

/**
 * Returns the charge and the receipt of `tokens` tokens. Each token costs one nano-unit of the
 * currency in which the hold is priced.
 */
function chargeOf(world: World, holdId: string, tokens: bigint) {
  const isPriced = world.model.isPriced(holdId);
  const priced = isPriced ? { cardId: 'card_usd', fxRateId: USD_CNY.id } : {};
  // A receipt always has the key and currency of its hold. Others would be a bug in the caller.
  const whose = { ...whoseHold(world, holdId), ...priced };
  const charge = settleAmount(tokens * 1_000n, isPriced ? USD_CNY : null);
  return { charge, receipt: checkpoint(holdId, tokens, whose).receipt };
}

/**
 * Returns the account, key and currency of a hold. A hold that does not exist gets the first key
 * and USD.
 */
const whoseHold = ({ run, model }: World, holdId: string) => ({
  accountId: run,
  keyId: model.keyIdOf(holdId, run),
  currency: model.currencyOf(holdId),
});

const uses: fc.Arbitrary<Draft> = fc
  .record({
    of: name,
    on: name,
    sum: amount,
    tokens: fc.bigInt({ min: 0n, max: 90n }),
    // Mostly zero and never high, because with high numbers most accounts could have only one hold
    // at a time.
    carefulAnswers: fc.constantFrom(0, 0, 0, 0, 1, 2),
    isNew: fc.boolean(),
    atMs: moment,
  })
  .chain(({ of, on, sum, tokens, carefulAnswers, isNew, atMs }) =>
    fc.constantFrom<Draft>(
      (world) => {
        const holdId = requestId(world, on, false);
        return { ...extend(extensionId(world, of, holdId, isNew), holdId, sum), atMs };
      },
      (world) => {
        const holdId = requestId(world, on, false);
        const kept = chargeOf(world, holdId, tokens / 4n);
        return { ...extend(extensionId(world, of, holdId, isNew), holdId, sum, kept), atMs };
      },
      (world) => settling(world, on, tokens, { carefulAnswers, atMs }),
      (world) => settling(world, on, sum / 4n, { carefulAnswers, atMs }),
      (world) => {
        const holdId = requestId(world, of, false);
        return { ...voided(holdId, whoseHold(world, holdId)), atMs };
      },
    ),
  );

/** One step of a history: a batch of commands, or another change of the store. */
type Step = (world: World, database: Database) => Promise<void>;

const batches: fc.Arbitrary<Step> = fc
  .array(fc.oneof(orders, holds, holds, uses, uses), { maxLength: 8 })
  .map((drafted) => async (world, { ledger }) => {
    const expected: Outcome[] = [];
    const batch = drafted.map((draft) => {
      const command = draft(world);
      expected.push(world.model.apply(command));
      return command;
    });
    expect(await ledger.apply(batch)).toEqual(expected);
  });

/** Ends the current process. The next process reaps its holds. */
const succession: Step = async (world, { ledger }) => {
  await ledger.leave(epochOf(world));
  world.lives += 1;
  await ledger.join({ epoch: epochOf(world), name: epochOf(world) }, LEASE_MS);
  world.model.live = new Set([epochOf(world)]);
  const expected = world.model.reap(clock.nowMs());
  expect(await ledger.reap()).toEqual(expected);
};

const setStatus =
  (isActive: boolean): Step =>
  async ({ run, model }, { sql }) => {
    model.isKeyActive = isActive;
    await sql.query({
      sql: 'UPDATE api_key SET status = $1 WHERE account_id = $2',
      params: [isActive ? 'active' : 'revoked', run],
    });
  };

const caps: fc.Arbitrary<Step> = fc
  .record({
    owner: fc.constantFrom('key' as const, 'sibling' as const, 'account' as const),
    window: fc.constantFrom<CapWindow>('day', 'week', 'month', 'total'),
    cap: fc.option(fc.bigInt({ min: 0n, max: 120n })),
  })
  .map(({ owner, window, cap }) => async ({ run, model }, { sql }) => {
    model.meters[owner].caps[window] = cap;
    await sql.query({
      sql: `UPDATE spend_meter SET cap_${window} = $1 WHERE owner_id = $2`,
      params: [cap, owner === 'account' ? run : `${owner}_${run}`],
    });
  });

const memberCaps: fc.Arbitrary<Step> = fc
  .record({
    window: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
    cap: fc.option(fc.bigInt({ min: 0n, max: 120n })),
  })
  .map(({ window, cap }) => async ({ run, model }, { sql }) => {
    model.memberCaps[window] = cap;
    await capMember(sql, run, model.memberCaps);
  });

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: batches },
  { weight: 2, arbitrary: fc.constant(succession) },
  { weight: 2, arbitrary: caps },
  { weight: 2, arbitrary: memberCaps },
  { weight: 1, arbitrary: fc.constantFrom(setStatus(false), setStatus(true), setStatus(true)) },
);
const histories = fc.array(steps, { maxLength: 14 });

async function agree(
  history: readonly Step[],
  run: string,
  { database, holds }: { readonly database: Database; readonly holds: Holds },
): Promise<void> {
  const { ledger, sql } = database;
  await addAccount(sql, run);
  await addMemberKeys(sql, run);
  const model = new LedgerModel(new Set([`epoch_${run}_0`]), holds);
  const world: World = { run, model, holds, lives: 0, made: new Map() };
  await ledger.join({ epoch: epochOf(world), name: epochOf(world) }, LEASE_MS);
  // fast-check runs a failed history again to shrink it. So the holds of the last run are reaped
  // first.
  for (let left = 1; left > 0; ) {
    const { settled, voided: freed } = await ledger.reap();
    left = settled + freed;
  }
  for (const step of history) await step(world, database);
  const { balance, held, credit: limit } = world.model;
  for (const wallet of await ledger.wallets(run)) {
    const of = wallet.currency;
    const expected = { balance: balance[of], held: held[of], floor: -limit[of] };
    expect<object>(wallet).toEqual({ currency: of, ...expected });
  }
  // `ledger.verify` would read on a new connection, which plans each query again.
  expect(await verifyLedger(sql, holds)).toEqual([]);
  await ledger.leave(epochOf(world));
}

/** Runs `runs` random histories and prints the seed that repeats them. */
export function propertyConformance(open: Open, runs: number, holds: Holds): void {
  let database: Database | null = null;
  let count = 0;
  const end = async (): Promise<void> => {
    expect((await database?.ledger.verify()) ?? []).toEqual([]);
    await database?.close();
  };
  const storeFor = async (run: number): Promise<Database> => {
    if (database !== null && run % RUNS_A_STORE !== 0) return database;
    await end();
    database = await open();
    await furnish(database);
    return database;
  };
  const seed = Buffer.from(clock.randomBytes(4)).readInt32BE();
  beforeAll(() => console.log(`histories of the ledger: ${runs} runs, seed ${seed}`));
  afterAll(end);

  test(
    `an engine and the model agree on every outcome and every wallet (${runs} histories)`,
    async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const store = { database: await storeFor(count), holds };
          await agree(history, `run${++count}`, store);
        }),
        { numRuns: runs, seed },
      );
    },
    // Allows 200 ms per history, ten times what a history usually takes.
    30_000 + runs * 200,
  );
}
