/**
 * Tests restores that are killed. Afterwards, the database must contain all of the backup or
 * nothing of it, and it must be possible to repeat the restore.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { newEmptyDatabase } from '../../src/ledger/postgres/postgres.fixture.ts';
import { startNodes } from '../support/gateways/gateway-nodes.ts';
import {
  type GatewayProcess,
  runModelgate,
  spawnModelgate,
  startGateway,
} from '../support/gateways/gateway-process.ts';
import { ask, CHAT, hello } from '../support/wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'modelgate-killed-'));
const SALES = 5;
/**
 * A value of `user_version` that marks the old database, so that the test detects whether the
 * restore has replaced it.
 */
const OLD_MARK = 77;
/** The moments at which a restore is killed, as fractions of the duration of a complete restore. */
const MOMENTS = [0.3, 0.5, 0.65, 0.8, 0.9, 0.97];

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
  for (let sold = 0; sold < SALES; sold++)
    expect((await ask(gateway, CHAT, hello.chat)).status).toBe(200);
}, 60_000);
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const envOf = (node: GatewayProcess, database = 'sqlite') => ({
  MODELGATE_CONFIG: node.configPath,
  MODELGATE_DATA_DIR: node.dataDir,
  MODELGATE_ADMIN_TOKEN: node.adminToken,
  MODELGATE_LISTEN: new URL(node.url).host,
  MODELGATE_DATABASE: database,
});

/**
 * Runs one complete restore to measure its duration. Then runs further restores, and kills each at
 * a different moment.
 */
async function killed(
  restore: readonly string[],
  env: Record<string, string>,
  { before, after }: { before: () => Promise<void>; after: () => Promise<void> },
): Promise<void> {
  await before();
  const startedMs = performance.now();
  expect(await runModelgate(restore, env)).toMatchObject({ code: 0 });
  const wholeMs = performance.now() - startedMs;
  for (const share of MOMENTS) {
    await before();
    const child = spawnModelgate(restore, env);
    await Bun.sleep(wholeMs * share);
    child.kill('SIGKILL');
    await child.exited;
    await after();
  }
}

test('SQLite: the old database is in place, or the new one, and both are sound', async () => {
  const env = envOf(gateway);
  const backup = (await runModelgate(['backup'], env)).stdout.trim();
  const target = join(folder, 'data');
  const file = join(target, 'modelgate.db');
  const restore = ['restore', backup, '--to', target];
  expect((await runModelgate(restore, env)).code).toBe(0);
  const open = (): SqliteFile => {
    const opened = new SqliteFile(file);
    opened.run('PRAGMA busy_timeout = 5000');
    return opened;
  };
  const found = new Set<unknown>();
  await killed(restore, env, {
    before: async () => {
      const opened = open();
      opened.run(`PRAGMA user_version = ${OLD_MARK}`);
      opened.close();
    },
    after: async () => {
      const opened = open();
      expect(opened.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
      expect(opened.query('SELECT COUNT(*) FROM receipt').values()).toEqual([[SALES]]);
      found.add(opened.query('PRAGMA user_version').values()[0]?.[0]);
      opened.close();
    },
  });
  expect(found.has(OLD_MARK)).toBe(true);
  expect([...found].filter((mark) => mark !== OLD_MARK && mark !== 0)).toEqual([]);
  expect((await runModelgate(restore, env)).code).toBe(0);
  expect(readdirSync(target).filter((name) => name.includes('restoring'))).toEqual([]);
}, 120_000);

/** Returns the number of receipts in the database; '0' if it has no tables yet. */
async function receiptsIn(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const [table] = await sql<{ name: string | null }[]>`SELECT to_regclass('receipt') AS name`;
    if (table?.name === null) return '0';
    const [row] = await sql<{ n: string }[]>`SELECT COUNT(*)::text AS n FROM receipt`;
    return row?.n ?? '';
  } finally {
    await sql.end();
  }
}

test('PostgreSQL: the database has no rows, or all', async () => {
  await using fleet = await startNodes(1);
  const [node] = fleet.nodes;
  if (node === undefined) throw new Error('one node');
  for (let sold = 0; sold < SALES; sold++)
    expect((await ask(node, CHAT, hello.chat)).status).toBe(200);
  const env = envOf(node, fleet.database);
  const backup = (await runModelgate(['backup'], env)).stdout.trim();
  expect(backup).toEndWith('.pgcopy');
  const target = { url: '' };
  const args = ['restore', backup, '--to', 'RESTORED'];
  const restoring = { ...env, RESTORED: '' };
  const found: string[] = [];
  await killed(args, restoring, {
    before: async () => {
      target.url = await newEmptyDatabase();
      restoring.RESTORED = target.url;
    },
    after: async () => {
      const receipts = await receiptsIn(target.url);
      found.push(receipts);
      // If the killed restore left the database empty, the next restore must succeed. If not, the
      // next restore must report that the database is not empty.
      const again = await runModelgate(args, restoring);
      if (receipts === '0') expect(again).toMatchObject({ code: 0 });
      else expect(again.stderr).toContain('The PostgreSQL database is not empty');
    },
  });
  expect(found.filter((receipts) => receipts !== '0' && receipts !== `${SALES}`)).toEqual([]);
  expect(found).toContain('0');
}, 120_000);
