/**
 * Tests a restore. A gateway is backed up while it serves requests, and then its machine is lost.
 * The restored gateway must have a correct ledger and serve requests.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { newEmptyDatabase } from '../src/ledger/postgres/postgres.fixture.ts';
import { startNode, startNodes } from './support/gateways/gateway-nodes.ts';
import {
  type GatewayProcess,
  runModelgate,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { breaches, nothingHeld, receiptOf } from './support/history/ledger-views.ts';
import { ask, CHAT, hello } from './support/wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'modelgate-restore-'));
let gateway: GatewayProcess;
/**
 * The path of the backup. `before` and `after` contain the ids of the requests that were answered
 * before and after the backup.
 */
let backup = '';
const before: string[] = [];
const after: string[] = [];

const sell = async (to: string[]): Promise<void> => {
  const answer = await ask(gateway, CHAT, hello.chat);
  expect(answer.status).toBe(200);
  to.push(answer.headers.get('x-request-id') ?? '');
};
const run = (args: readonly string[], dataDir = gateway.dataDir) =>
  runModelgate(args, {
    MODELGATE_CONFIG: gateway.configPath,
    MODELGATE_DATA_DIR: dataDir,
    MODELGATE_ADMIN_TOKEN: gateway.adminToken,
    MODELGATE_LISTEN: new URL(gateway.url).host,
  });
const receiptsIn = (path: string): unknown[] => {
  const file = new SqliteFile(path, { readonly: true });
  try {
    return file.query('SELECT request_id FROM receipt').values().flat();
  } finally {
    file.close();
  }
};
const newPath = (name: string): string => join(folder, name);

beforeAll(async () => {
  gateway = await startGateway();
  for (let sold = 0; sold < 5; sold++) await sell(before);
  const during = Array.from({ length: 10 }, () => sell(after));
  const [made] = await Promise.all([run(['backup', '--json']), ...during]);
  const { file, breach_count: broken } = JSON.parse(made.stdout);
  expect(broken).toBe(0);
  backup = file;
  await sell(after);
}, 180_000);
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test('refuses while a gateway uses the folder, and changes nothing', async () => {
  const { code, stderr } = await run(['restore', backup]);
  expect(code).toBe(1);
  expect(stderr).toContain('is in use by another modelgate process');
  await sell(after);
}, 180_000);

test('refuses a file that is cut, foreign or newer, and names what it is', async () => {
  const empty = newPath('empty');
  const refusal = async (path: string): Promise<string> => {
    const { code, stderr } = await run(['restore', path, '--to', empty]);
    expect(code).toBe(1);
    return stderr;
  };
  const cut = newPath('cut.db');
  copyFileSync(backup, cut);
  truncateSync(cut, 40_960);
  expect(await refusal(cut)).toContain('is incomplete or damaged');

  const damaged = newPath('damaged.db');
  const bytes = readFileSync(backup);
  bytes.fill(0x2a, 8_192, bytes.byteLength - 8_192);
  writeFileSync(damaged, bytes);
  expect(await refusal(damaged)).toContain('is incomplete or damaged');

  const text = newPath('text.db');
  writeFileSync(text, 'this is no database '.repeat(50));
  expect(await refusal(text)).toContain('it is not a SQLite database');

  const foreign = newPath('foreign.db');
  new SqliteFile(foreign).run('CREATE TABLE other (a)');
  expect(await refusal(foreign)).toContain('but not a database of Modelgate');

  const newer = newPath('newer.db');
  copyFileSync(backup, newer);
  const file = new SqliteFile(newer);
  file.run("INSERT INTO schema_migration VALUES (9999, 'later', 1, 9999)");
  file.close();
  expect(await refusal(newer)).toContain('was written by a newer modelgate');
  expect(readdirSync(folder)).not.toContain('empty');
}, 180_000);

test('refuses a ledger that is not sound, and leaves the folder as it was', async () => {
  const unsound = newPath('unsound.db');
  copyFileSync(backup, unsound);
  const file = new SqliteFile(unsound);
  file.run('UPDATE wallet SET balance = balance + 1');
  file.close();
  const { code, stdout } = await run(['restore', unsound, '--to', newPath('kept')]);
  expect(code).toBe(1);
  expect(stdout).toContain('broken: ');
  expect(stdout).toContain('Nothing was replaced.');
  expect(readdirSync(newPath('kept'))).toEqual([]);
}, 180_000);

test('refuses a PostgreSQL database for a SQLite backup, and does not show its address', async () => {
  const address = 'postgres://user:hush@127.0.0.1:1/db';
  for (const to of [address, 'RESTORE_TARGET_1']) {
    const { code, stdout, stderr } = await runModelgate(['restore', backup, '--to', to], {
      MODELGATE_CONFIG: gateway.configPath,
      MODELGATE_DATA_DIR: newPath('unused'),
      RESTORE_TARGET_1: address,
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('is a backup of a SQLite ledger, but --to is a PostgreSQL database');
    expect(stderr).toContain('then move it with `modelgate migrate --to`');
    expect(stderr).not.toContain('hush');
  }
  expect(readdirSync(folder)).not.toContain('unused');
}, 180_000);

test('refuses a folder that belongs to a PostgreSQL database, as the next start would', async () => {
  const moved = newPath('moved');
  mkdirSync(moved);
  writeFileSync(join(moved, 'installation'), 'a1b2c3d4e5f6a7b8\n');
  const { code, stderr } = await run(['restore', backup, '--to', moved]);
  expect(code).toBe(1);
  expect(stderr).toContain('belongs to installation a1b2c3d4e5f6 in PostgreSQL');
  expect(stderr).toContain(`delete ${join(moved, 'installation')}`);
  expect(readdirSync(moved)).toEqual(['installation']);
}, 180_000);

test('gives the restored ledger to the owner of the folder, also when root restores it', async () => {
  const owned = newPath('owned');
  mkdirSync(owned);
  if (process.getuid?.() === 0) chownSync(owned, 65_534, 65_534);
  const { code } = await run(['restore', backup, '--to', owned]);
  expect(code).toBe(0);
  expect(statSync(join(owned, 'modelgate.db')).uid).toBe(statSync(owned).uid);
}, 180_000);

test('the drill: kill -9, restore into a new folder, verify, sell on', async () => {
  await gateway.kill9();
  const moved = newPath('moved');
  const restored = await run(['restore', backup, '--to', join(moved, 'data')]);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toMatch(/Lost at most: everything after 20\d\d-/);
  expect(restored.stdout).toContain('console.key is missing');
  expect(readdirSync(join(moved, 'data'))).toEqual(['modelgate.db']);
  expect(readdirSync(dirname(backup))).toEqual([basename(backup)]);

  copyFileSync(join(gateway.folder, 'first-key'), join(moved, 'first-key'));
  await using again = await startGateway({ folder: moved, config: shippedConfig() });
  expect(await breaches(again)).toEqual([]);
  const sold = await ask(again, CHAT, hello.chat);
  expect(sold.status).toBe(200);
  await again.stop();
  const receipts = receiptsIn(join(again.dataDir, 'modelgate.db'));
  expect(before.filter((id) => !receipts.includes(id))).toEqual([]);
  expect(receipts).toContain(sold.headers.get('x-request-id'));

  // This gateway is another installation, because its first audit entry has another time and
  // therefore another hash.
  const other = newPath('other');
  await using stranger = await startGateway({ folder: mkdtempSync(other) });
  await stranger.stop();
  const wrong = await run(['restore', backup, '--to', stranger.dataDir]);
  expect(wrong.stderr).toContain('is a backup of another installation');
}, 180_000);

test('keeps the replaced database beside the restored one, also a damaged one', async () => {
  const { dataDir } = gateway;
  const left = `${join(dataDir, 'modelgate.db')}.restoring-20260101T000000000Z`;
  writeFileSync(left, 'left by a killed restore');
  const { code, stdout } = await run(['restore', backup]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/It has \d+ more receipts?, the newest from 20/);
  expect(readdirSync(dataDir).filter((name) => name.includes('restoring'))).toEqual([]);
  const kept = /kept as (\S+\.db)\./.exec(stdout)?.[1] ?? '';
  const keptReceipts = receiptsIn(kept);
  expect([...before, ...after].filter((id) => !keptReceipts.includes(id))).toEqual([]);

  const file = join(dataDir, 'modelgate.db');
  const bytes = readFileSync(file).fill(0x2a, 0, 8_192);
  writeFileSync(file, bytes);
  const again = await run(['restore', backup]);
  expect(again.stdout).toContain('It could not be read.');
  expect(again.code).toBe(0);
  const damaged = /kept as (\S+\.db)\./.exec(again.stdout)?.[1] ?? '';
  expect(readFileSync(damaged).equals(bytes)).toBe(true);
  expect(receiptsIn(file).length).toBeGreaterThanOrEqual(before.length);
}, 180_000);

test('the drill on PostgreSQL: restore into an empty database, verify, sell on', async () => {
  const sold: string[] = [];
  const later: string[] = [];
  await using fleet = await startNodes(1);
  const [node] = fleet.nodes;
  if (node === undefined) throw new Error('one node');
  const buy = async (from: GatewayProcess, to: string[]): Promise<void> => {
    const answer = await ask(from, CHAT, hello.chat);
    expect(answer.status).toBe(200);
    to.push(answer.headers.get('x-request-id') ?? '');
  };
  for (let each = 0; each < 5; each++) await buy(node, sold);
  const env = (database: string): Record<string, string> => ({
    MODELGATE_CONFIG: node.configPath,
    MODELGATE_DATA_DIR: node.dataDir,
    MODELGATE_ADMIN_TOKEN: node.adminToken,
    MODELGATE_LISTEN: new URL(node.url).host,
    MODELGATE_DATABASE: database,
  });
  const during = Array.from({ length: 10 }, () => buy(node, later));
  const [made] = await Promise.all([
    runModelgate(['backup', '--json'], env(fleet.database)),
    ...during,
  ]);
  const { file, breach_count: broken } = JSON.parse(made.stdout);
  expect(broken).toBe(0);
  await node.kill9();

  const empty = await newEmptyDatabase();
  const into = (copy: string, database: string) =>
    runModelgate(['restore', copy, '--to', database], env('sqlite'));
  const used = await into(file, fleet.database);
  expect(used.stderr).toContain('The PostgreSQL database is not empty');
  const copy = newPath('cut.pgcopy');
  const bytes = readFileSync(file);
  writeFileSync(copy, bytes.subarray(0, bytes.lastIndexOf('{"sha256"')));
  expect((await into(copy, empty)).stderr).toContain(
    'is incomplete or damaged: its end is missing',
  );
  const altered = Buffer.from(bytes);
  altered.write('7', altered.indexOf('100000000000'));
  writeFileSync(copy, altered);
  expect((await into(copy, empty)).stderr).toContain('is incomplete or damaged: ');

  const restored = await into(file, empty);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toMatch(/Lost at most: everything after 20\d\d-/);
  await using again = await startNode(empty, { folder: node.folder });
  expect(await breaches(again)).toEqual([]);
  await buy(again, sold);
  for (const id of sold) expect((await receiptOf(again, id)).status).toBe(200);
  await nothingHeld(again);
  expect(await breaches(again)).toEqual([]);
}, 180_000);
