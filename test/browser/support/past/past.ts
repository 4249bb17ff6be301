/**
 * For tests: writes past requests to a data folder before the gateway starts. The ledger writes
 * them, so that its invariants hold.
 */

import { join } from 'node:path';
import { Accounts } from '../../../../src/accounts/accounts.ts';
import { loadCatalogue } from '../../../../src/catalogue/load-catalogue.ts';
import { type Clock, newId, systemClock } from '../../../../src/clock.ts';
import { loadConfig } from '../../../../src/config/config.ts';
import type { Database } from '../../../../src/ledger/database.ts';
import type { Command } from '../../../../src/ledger/ledger.ts';
import { NOTHING_HELD } from '../../../../src/ledger/nothing-held.fixture.ts';
import { publishedCards, publishedRates } from '../../../../src/ledger/publish.ts';
import { firstStart } from '../../../../src/main/first-start.ts';
import { openDatabase } from '../../../../src/main/store-setup.ts';
import { nano } from '../../../../src/money/amount.ts';
import { DAY_MS } from '../../../../src/money/calendar.ts';
import { ChannelHistory } from '../../../../src/telemetry/channel-history.ts';
import { finished, settledFor } from '../../../../src/telemetry/finished.fixture.ts';
import { oneOf, type Random, seededRandom } from '../../../support/random.ts';
import { type Asker, tradeOf } from './past-request.ts';

const HOUR_MS = 3_600_000;
const EPOCH = 'epoch_of_the_past';
const LEASE_MS = HOUR_MS;
/**
 * The number of requests per transaction. Each request has two commands, and the ledger accepts at
 * most 512 commands in a transaction.
 */
const BATCH = 250;
/** The relative traffic by hour of the day (UTC). On weekends, the traffic is a third of this. */
const BUSY = [1, 1, 1, 1, 1, 2, 4, 7, 10, 11, 10, 8, 8, 10, 12, 11, 9, 7, 5, 4, 3, 3, 2, 1];
const KEYS = ['Production', 'Staging', 'Claude Code (Lin)', 'Nightly batch'];

export type PastOptions = {
  /** The folder with the configuration file and the data. */
  readonly folder: string;
  readonly configPath: string;
  readonly requests: number;
  /** The number of days, up to now, over which the requests are spread. */
  readonly days: number;
  readonly seed: number;
  /** The number of keys that are created in addition, and that no request uses. Default: 0. */
  readonly idleKeys?: number;
  /** The account's initial credit. Default: more than the requests cost in total. */
  readonly credit?: string;
};

/** Writes the past requests. @throws Error that names a command that the ledger rejected. */
export async function writePast(options: PastOptions): Promise<void> {
  const { folder, configPath, requests, days, seed, credit = '2500 USD', idleKeys = 0 } = options;
  const nowMs = systemClock.nowMs();
  const time = { ms: nowMs - (days + 1) * DAY_MS };
  const clock: Clock = { ...systemClock, nowMs: () => time.ms };
  const config = loadConfig({
    path: configPath,
    env: { MODELGATE_DATA_DIR: join(folder, 'data'), MODELGATE_INIT_CREDIT: credit },
  });
  const database = await openDatabase(config, clock);
  try {
    const { ledger, sql } = database;
    const catalogue = loadCatalogue(config, time.ms);
    await ledger.join({ epoch: EPOCH, name: EPOCH }, LEASE_MS);
    await ledger.publish(publishedCards(catalogue), publishedRates(catalogue));
    const accounts = new Accounts({
      inMemory: NOTHING_HELD,
      sql,
      clock,
      onLastUsedFailure: () => undefined,
    });
    await firstStart({ accounts, ledger, catalogue, config, clock });
    const askers = await keysOf(accounts);
    for (let at = 1; at <= idleKeys; at++) {
      await accounts.createKey(askers[0].accountId, { name: `Workshop ${at}` });
    }
    await topUp(database, askers[0], time.ms);
    const chance = seededRandom(seed);
    const times = timesOf(requests, nowMs - days * DAY_MS, nowMs, chance);
    const history = new ChannelHistory({
      ...{ sql, clock, channelOf: () => null },
      onFailure: (thrown) => {
        throw thrown;
      },
    });
    for (let from = 0; from < times.length; from += BATCH) {
      const batch = times.slice(from, from + BATCH).flatMap((atMs) => {
        time.ms = atMs;
        const occasion = {
          ...{ id: newId(clock, 'req'), atMs, epoch: EPOCH },
          asker: oneOf(chance, askers),
        };
        return tradeOf(catalogue, occasion, chance);
      });
      await apply(database, batch);
      for (const command of batch) {
        if (command.kind !== 'settle') continue;
        const { receipt, charge } = command;
        const settled = { ...settledFor(receipt.requestId), receipt, charge };
        history.finished(finished({ settled, startedAtMs: receipt.startedAtMs }));
      }
    }
    await history.close();
    await markUsed(database, askers, times.at(-1) ?? nowMs);
    await ledger.leave(EPOCH);
  } finally {
    await database.close();
  }
}

async function keysOf(accounts: Accounts): Promise<readonly [Asker, ...Asker[]]> {
  const { items } = await accounts.listAccounts({ limit: 1, after: null });
  const [account] = items;
  if (account === undefined) throw new Error('the first start made no account');
  const created = await Promise.all(KEYS.map((name) => accounts.createKey(account.id, { name })));
  const [first, ...rest] = created.map(({ record }) => ({
    accountId: account.id,
    keyId: record.id,
  }));
  if (first === undefined) throw new Error('no key was made');
  return [first, ...rest];
}

/** Marks keys as used, as the gateway does when a request uses a key. */
async function markUsed(
  { sql }: Database,
  askers: readonly Asker[],
  lastMs: number,
): Promise<void> {
  await sql.transaction(
    askers.map(({ keyId }, place) => ({
      sql: 'UPDATE api_key SET last_used_at_ms = $1 WHERE id = $2',
      params: [lastMs - place * HOUR_MS, keyId],
    })),
  );
}

const topUp = (database: Database, { accountId }: Asker, atMs: number): Promise<void> =>
  apply(database, [
    {
      ...{ kind: 'credit', id: 'crd_of_the_past', accountId, currency: 'CNY', atMs },
      ...{ amount: nano(8_000_000_000_000n), source: 'top_up' },
      ...{ reason: 'Invoice 2026-0917', actor: 'admin' },
    },
  ]);

/** Returns random times in ascending order, more of them by day than by night. */
function timesOf(count: number, fromMs: number, toMs: number, chance: Random): readonly number[] {
  const hours = Array.from({ length: Math.floor((toMs - fromMs) / HOUR_MS) }, (_, hour) => {
    const date = new Date(fromMs + hour * HOUR_MS);
    const isWeekend = [0, 6].includes(date.getUTCDay());
    return (BUSY[date.getUTCHours()] ?? 1) * (isWeekend ? 1 / 3 : 1) * (0.7 + 0.6 * chance());
  });
  const all = hours.reduce((sum, weight) => sum + weight, 0);
  return hours
    .flatMap((weight, hour) =>
      Array.from({ length: Math.round((weight / all) * count) }, () =>
        Math.floor(fromMs + (hour + chance()) * HOUR_MS),
      ),
    )
    .toSorted((one, other) => one - other);
}

async function apply({ ledger }: Database, batch: readonly Command[]): Promise<void> {
  const outcomes = await ledger.apply(batch);
  const refused = outcomes.findIndex(({ status }) => status !== 'applied');
  if (refused >= 0) {
    throw new Error(
      `the ledger rejected ${Bun.inspect(batch[refused])}: ${Bun.inspect(outcomes[refused])}`,
    );
  }
}
