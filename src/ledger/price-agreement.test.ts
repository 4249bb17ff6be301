import { afterAll, describe, expect, test } from 'bun:test';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { loadConfig } from '../config/config.ts';
import { SMALL_FILE, settingsOf } from '../config/file.fixture.ts';
import { asGatewayError } from '../errors.ts';
import { EPOCH, furnish, LEASE_MS } from './conformance/ledger.fixture.ts';
import type { Database } from './database.ts';
import { openPostgresForTest } from './postgres/postgres.fixture.ts';
import {
  CATCH_UP_MS,
  type Comparison,
  PRICES_FORMAT,
  PriceAgreement,
  ROLLOUT_MS,
} from './price-agreement.ts';
import { newFile, openFile, removeFiles } from './sqlite/sqlite.fixture.ts';

afterAll(removeFiles);

/** The timeout. The first test that needs PostgreSQL also waits until the server has started. */
const SERVER_START_MS = 180_000;
const engines = {
  SQLite: () => openFile(newFile()),
  PostgreSQL: () => openPostgresForTest(),
};

const { models, fx, ...rest } = loadConfig({ path: null, env: {} });
const catalogueAt = (rate: string) =>
  loadCatalogue({ ...rest, models, fx: { ...fx, 'USD/CNY': rate } }, 0);
const SMALL = loadCatalogue(settingsOf(SMALL_FILE), 0);
const OURS = catalogueAt('7.1000');
const THEIRS = catalogueAt('7.2000');

/** Adds a live node that joined after the first node. */
async function addNode({ sql }: Database, epoch: string, laterMs: number): Promise<void> {
  await sql.query({
    sql: `INSERT INTO node (epoch, name, joined_at_ms, lease_until_ms)
          SELECT $1, $1, joined_at_ms + $2, lease_until_ms FROM node WHERE epoch = '${EPOCH}'`,
    params: [epoch, laterMs],
  });
}

type Node = {
  readonly clock: ManualClock;
  readonly agreement: PriceAgreement;
  readonly changes: Comparison[];
};

function nodeAt({ sql }: Database, epoch: string): Node {
  const clock = manualClock();
  const changes: Comparison[] = [];
  const onChange = (comparison: Comparison): void => void changes.push(comparison);
  return {
    clock,
    changes,
    agreement: new PriceAgreement({ sql, clock, epoch: () => epoch, onChange }),
  };
}

const sells = ({ agreement }: Node): string => {
  try {
    agreement.requireAgreement();
    return 'sells';
  } catch (thrown) {
    return asGatewayError(thrown).code;
  }
};

describe.each(Object.entries(engines))('prices on %s', (_engine, open) => {
  async function withNodes(
    work: (nodes: readonly [Node, Node, Node], database: Database) => Promise<void>,
  ): Promise<void> {
    const database = await open();
    await furnish(database);
    await addNode(database, 'second', 1);
    await addNode(database, 'third', 2);
    const node = (epoch: string): Node => nodeAt(database, epoch);
    await work([node(EPOCH), node('second'), node('third')], database);
    await database.close();
  }

  test(
    'a node with other prices refuses to sell and names the others, until they are the same',
    () =>
      withNodes(async ([first, second, third]) => {
        await first.agreement.report(OURS, null);
        await second.agreement.report(OURS, null);
        expect(third.changes).toEqual([]);
        await third.agreement.report(THEIRS, null);
        expect(sells(third)).toBe('config_mismatch');
        expect(third.changes).toEqual([{ isRefusing: true, others: [EPOCH, 'second'] }]);
        await first.agreement.check();
        expect([sells(first), first.changes]).toEqual([
          'sells',
          [{ isRefusing: false, others: ['third'] }],
        ]);
        await third.agreement.report(OURS, null);
        await first.agreement.check();
        expect([sells(third), sells(first)]).toEqual(['sells', 'sells']);
        expect(first.changes.at(-1)).toEqual({ isRefusing: false, others: [] });
      }),
    SERVER_START_MS,
  );

  test('new prices win when most nodes have them; of two nodes, the first keeps selling', () =>
    withNodes(async ([first, second, third]) => {
      await first.agreement.report(OURS, null);
      await second.agreement.report(THEIRS, null);
      expect([sells(first), sells(second)]).toEqual(['sells', 'config_mismatch']);
      await third.agreement.report(THEIRS, null);
      await Promise.all([first, second].map(({ agreement }) => agreement.check()));
      expect([first, second, third].map(sells)).toEqual(['config_mismatch', 'sells', 'sells']);
    }));

  test('a node that drains or whose lease has ended does not count', () =>
    withNodes(async ([first, second, third], { sql }) => {
      await first.agreement.report(OURS, null);
      await second.agreement.report(OURS, null);
      await third.agreement.report(THEIRS, null);
      await first.agreement.withdraw();
      await sql.query({
        sql: "UPDATE node SET lease_until_ms = lease_until_ms - 20000 WHERE epoch = 'second'",
        params: [],
      });
      await third.agreement.check();
      expect([sells(third), third.changes.at(-1)?.others]).toEqual(['sells', []]);
      await first.agreement.check();
      await third.agreement.check();
      expect(sells(third)).toBe('sells');
    }));

  test('prices of a newer revision win, and the other nodes have a moment to follow', () =>
    withNodes(async ([first, second, third]) => {
      await first.agreement.report(OURS, 1);
      await second.agreement.report(OURS, 1);
      await third.agreement.report(THEIRS, 2);
      const all = [first, second, third];
      const check = () => Promise.all(all.map(({ agreement }) => agreement.check()));
      await check();
      for (const { clock } of all) clock.advance(CATCH_UP_MS - 1);
      await check();
      expect(all.map(sells)).toEqual(['sells', 'sells', 'sells']);
      expect(all.flatMap(({ changes }) => changes)).toEqual([]);
      await second.agreement.report(THEIRS, 2);
      for (const { clock } of all) clock.advance(1);
      await check();
      expect(all.map(sells)).toEqual(['config_mismatch', 'sells', 'sells']);
      await first.agreement.report(THEIRS, 2);
      await check();
      expect(all.map(sells)).toEqual(['sells', 'sells', 'sells']);
    }));

  test('a version with digests of another format is compared by its revision only', () =>
    withNodes(async ([first], { sql }) => {
      const mark = async (revision: number | null): Promise<void> => {
        await sql.query({
          sql: `UPDATE node SET catalogue = '9:other', config_revision = $1 WHERE epoch <> '${EPOCH}'`,
          params: [revision],
        });
      };
      await mark(null);
      await first.agreement.report(OURS, null);
      expect([sells(first), first.changes]).toEqual(['sells', []]);
      await mark(4);
      await first.agreement.report(OURS, 4);
      first.clock.advance(CATCH_UP_MS);
      await first.agreement.check();
      expect([sells(first), first.changes]).toEqual(['sells', []]);
      await mark(5);
      await first.agreement.check();
      first.clock.advance(CATCH_UP_MS);
      await first.agreement.check();
      expect(sells(first)).toBe('config_mismatch');
    }));

  test('a refusing node stays ready for a rollout, and then not', () =>
    withNodes(async ([first, second]) => {
      await first.agreement.report(OURS, null);
      await second.agreement.report(THEIRS, null);
      second.clock.advance(ROLLOUT_MS - 1);
      await second.agreement.check();
      expect(second.agreement.isReady).toBe(true);
      second.clock.advance(1);
      expect([second.agreement.isReady, first.agreement.isReady]).toEqual([false, true]);
    }));
});

// If this fails, raise PRICES_FORMAT, because nodes of the previous version report another digest.
test('the digest of the same prices is the same in each version of a format', async () => {
  const database = await openFile(newFile());
  await furnish(database);
  await nodeAt(database, EPOCH).agreement.report(SMALL, null);
  const rows = await database.sql.query({ sql: 'SELECT catalogue FROM node', params: [] });
  expect([PRICES_FORMAT, rows]).toEqual([1, [{ catalogue: '126d6b3c67af26f8e8448a842cdb5d9a' }]]);
  await database.close();
});

test('only prices and rates count, not the order of models', async () => {
  const database = await openFile(newFile());
  await furnish(database);
  await addNode(database, 'second', 1);
  const [first, second] = [nodeAt(database, EPOCH), nodeAt(database, 'second')];
  await first.agreement.report(OURS, null);
  const reversed = Object.fromEntries(Object.entries(models).reverse());
  await second.agreement.report(loadCatalogue({ ...rest, fx, models: reversed }, 0), null);
  expect(second.changes).toEqual([]);

  // An announced price changes the digest at once, not when it begins. So nodes have the same
  // digest whether they started before or after that time.
  const embed = models['embed-1'];
  const direct = embed?.kind === 'embedding' ? embed.channels.direct : undefined;
  if (embed?.kind !== 'embedding' || direct === undefined) throw new Error('embed-1 embeds');
  const upcoming = [{ ...direct.price, input: '9', effective_from: 1000 }];
  const announced = { ...embed, channels: { direct: { ...direct, upcoming } } };
  const dated = { ...rest, fx, models: { ...models, 'embed-1': announced } };
  await first.agreement.report(loadCatalogue(dated, 999), null);
  await second.agreement.report(loadCatalogue(dated, 1000), null);
  expect(second.changes.at(-1) ?? null).toBeNull();
  await first.agreement.report(OURS, null);
  await second.agreement.check();
  expect(second.changes.at(-1)?.others).toEqual([EPOCH]);

  // The digest covers price lists: their prices, and the models that they sell.
  const list = { factor: '0.85', only: null, hidden: [], models: {} };
  const listed = (change: object) =>
    loadCatalogue({ ...rest, fx, models, lists: { partners: { ...list, ...change } } }, 0);
  await first.agreement.report(listed({}), null);
  await second.agreement.report(listed({}), null);
  expect(second.changes.at(-1)?.others).toEqual([]);
  for (const change of [{ factor: '0.9' }, { only: ['embed-1'] }]) {
    await first.agreement.report(listed(change), null);
    await second.agreement.check();
    expect(second.changes.at(-1)?.others).toEqual([EPOCH]);
    await first.agreement.report(listed({}), null);
    await second.agreement.check();
    expect(second.changes.at(-1)?.others).toEqual([]);
  }
  await database.close();
});

test('an embedded store has one node, so a killed one never counts, whatever the clock', async () => {
  const database = await openFile(newFile());
  await furnish(database);
  await nodeAt(database, EPOCH).agreement.report(OURS, null);
  await database.ledger.join({ epoch: 'restarted', name: 'restarted' }, LEASE_MS);
  const back =
    "UPDATE node SET lease_until_ms = lease_until_ms - 3600000 WHERE epoch = 'restarted'";
  await database.sql.query({ sql: back, params: [] });
  const restarted = nodeAt(database, 'restarted');
  await restarted.agreement.report(THEIRS, null);
  expect([sells(restarted), restarted.changes]).toEqual(['sells', []]);
  await database.close();
});
