import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { Accounts } from '../accounts/accounts.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { NOTHING_HELD } from '../ledger/nothing-held.fixture.ts';
import {
  newEmptyDatabase,
  newTestDatabase,
  openPostgresForTest,
  openTestUrl,
} from '../ledger/postgres/postgres.fixture.ts';
import { nano } from '../money/amount.ts';
import { auditEntry } from '../store/audit.ts';
import { statement } from '../store/sql.ts';
import { firstStart } from './first-start.ts';
import { configFor } from './gateway.fixture.ts';
import { checkInstallation, databaseFile, openDatabase } from './store-setup.ts';

const FOLDER = { data_dir: '/data', database_direct: null, database_replica: null };

test('SQLite uses one file in the data folder', () => {
  expect(databaseFile({ data_dir: '/data' })).toBe('/data/modelgate.db');
});

test('opens a postgres:// URL and creates the schema', async () => {
  const address = new Secret(await newEmptyDatabase());
  const books = await openDatabase({ ...FOLDER, database: address }, systemClock);
  expect(await books.ping()).toBeUndefined();
  expect(await books.ledger.verify()).toEqual([]);
  await books.close();
});

test('reports an unreachable database without its password', async () => {
  const database = new Secret('postgres://user:hunter2@127.0.0.1:1/books');
  const opening = openDatabase({ ...FOLDER, database }, systemClock);
  const failure = await opening.then(
    () => '',
    (thrown: unknown) => Bun.inspect(thrown),
  );
  expect(failure).toContain('The database could not be opened');
  expect(failure).not.toContain('hunter2');
});

test('says what to do about a database that cannot be used', async () => {
  const url = await newEmptyDatabase();
  const name = `unfit_${new URL(url).pathname.slice(1)}`;
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const refusal = (address: string): Promise<string> =>
    openTestUrl(address).then(() => 'opened', String);
  await sql.unsafe(`CREATE ROLE ${name} LOGIN PASSWORD 'pw'`);
  const asUser = new URL(url);
  asUser.username = name;
  asUser.password = 'pw';
  expect(await refusal(asUser.href)).toContain(
    'permission denied for schema public. Make its user the owner of the database',
  );
  await sql.unsafe('CREATE TABLE account (id INT)');
  expect(await refusal(url)).toContain('The database has tables of another program.');
  await sql.unsafe(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  const latin = new URL(url);
  latin.pathname = name;
  expect(await refusal(latin.href)).toContain('the database has the encoding LATIN1');
  await sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
  await sql.unsafe(`DROP ROLE ${name}`);
  await sql.end();
});

test('a data folder stays with the database of its installation', async () => {
  const data_dir = join(mkdtempSync(join(tmpdir(), 'modelgate-installed-')), 'data');
  const [one, two, empty] = await Promise.all([1, 2, 3].map(() => openPostgresForTest()));
  if (one === undefined || two === undefined || empty === undefined) throw new Error('three');
  for (const [at, { sql }] of [one, two].entries()) {
    const entry = auditEntry(systemClock, 'system', 'account.create', `account ${at}`, {});
    await sql.transaction([statement`SELECT 1 AS done`], entry);
  }
  const refusal = (database: typeof one): Promise<string> =>
    checkInstallation(database, { data_dir }).then(() => 'none', String);
  // A new database has no identity yet, so an unused data folder accepts it.
  expect(await refusal(empty)).toBe('none');
  expect(await refusal(one)).toBe('none');
  expect(readdirSync(data_dir)).toEqual(['installation']);
  expect(await refusal(one)).toBe('none');
  const refused = await refusal(two);
  expect(refused).toMatch(
    /belongs to installation [0-9a-f]{12}, but the database is installation [0-9a-f]{12}\./,
  );
  expect(refused).toContain(`delete ${join(data_dir, 'installation')}`);
  expect(await refusal(empty)).toContain(
    'but the database is a new database. Nothing was changed.',
  );
  // Simulates a first start that a full disk interrupted: the file exists but is empty.
  writeFileSync(join(data_dir, 'installation'), '');
  expect(await refusal(two)).toBe('none');
  expect(await refusal(one)).toContain('belongs to installation');
  rmSync(join(data_dir, '..'), { recursive: true });
  await Promise.all([one, two, empty].map(({ close }) => close()));
});

test('two first starts at once make one account, one key and one credit', async () => {
  const url = await newTestDatabase();
  const nodes = await Promise.all([1, 2].map(() => openTestUrl(url)));
  const rooms = nodes.map(({ sql, ledger }) => {
    const parts = { inMemory: NOTHING_HELD, sql, clock: systemClock, onLastUsedFailure: () => {} };
    return { ledger, accounts: new Accounts(parts) };
  });
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-first-'));
  const config = configFor(folder, { MODELGATE_INIT_CREDIT: '100 USD' });
  const catalogue = loadCatalogue(config, 0);
  const made = await Promise.all(
    rooms.map((room) => firstStart({ ...room, catalogue, config, clock: systemClock })),
  );
  expect(made.filter((each) => each !== null)).toHaveLength(1);
  const found = await Promise.all(rooms.map(({ accounts }) => accounts.listAccounts()));
  expect(found.map(({ items }) => items.length)).toEqual([1, 1]);
  const wallets = await nodes[0]?.ledger.wallets(found[0]?.items[0]?.id ?? '');
  expect(wallets?.map(({ balance }) => balance)).toEqual([100_000_000_000n, 0n].map(nano));
  for (const { accounts } of rooms) await accounts.close();
  for (const node of nodes) await node.close();
});
