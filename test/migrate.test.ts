/** Tests `modelgate backup` and `modelgate migrate --to` while a server is running. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { systemClock } from '../src/clock.ts';
import { newEmptyDatabase } from '../src/ledger/postgres/postgres.fixture.ts';
import { SettlementSpool } from '../src/ledger/settlement-spool.ts';
import { openSqlite } from '../src/ledger/sqlite/open-sqlite.ts';
import { eventually } from './support/eventually.ts';
import {
  type GatewayProcess,
  runModelgate,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { breaches, wallet } from './support/history/ledger-views.ts';
import { hello, post } from './support/wire.ts';

const PASSWORD = 'a-password-that-nobody-may-see';
const ROLE = `mover_${process.pid}`;
const SELLERS = 8;

let target: URL;
beforeAll(async () => {
  target = new URL(await newEmptyDatabase());
  const sql = postgres(target.href, { max: 1 });
  await sql.unsafe(`CREATE ROLE ${ROLE} SUPERUSER LOGIN PASSWORD '${PASSWORD}'`);
  await sql.end();
  target.username = ROLE;
  target.password = PASSWORD;
});
let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

const environment = (): Record<string, string> => ({
  MODELGATE_CONFIG: gateway.configPath,
  MODELGATE_DATA_DIR: gateway.dataDir,
  MODELGATE_ADMIN_TOKEN: gateway.adminToken,
  MODELGATE_LISTEN: new URL(gateway.url).host,
});
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runModelgate(args, { ...environment(), ...env });

/** Sends requests until it is stopped. @returns the ids of the answered requests. */
function startSelling() {
  const acknowledged: string[] = [];
  let isOver = false;
  const sell = async (): Promise<void> => {
    while (!isOver) {
      const answer = await post(gateway, '/v1/chat/completions', { ...hello.chat, stream: false });
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
      await answer.text();
      acknowledged.push(answer.headers.get('x-request-id') ?? '');
    }
  };
  const sellers = Promise.all(Array.from({ length: SELLERS }, sell));
  return {
    acknowledged,
    stop: async () => {
      isOver = true;
      await sellers;
    },
  };
}

async function receiptsIn(url: string): Promise<Set<string>> {
  const sql = postgres(url, { max: 1 });
  const rows = await sql.unsafe<{ request_id: string }[]>('SELECT request_id FROM receipt');
  await sql.end();
  return new Set(rows.map(({ request_id: id }) => id));
}

/**
 * Adds a settlement to the spool, as a gateway does when its store fails. The receipt is a copy of
 * the receipt of the request `like`. `claimId` is the claim of the request's Idempotency-Key.
 * @returns the settlement's charge.
 */
async function spoolSettlement(
  requestId: string,
  like: string,
  claimId: string | null = null,
): Promise<bigint> {
  const { dataDir } = gateway;
  const database = await openSqlite({ file: join(dataDir, 'modelgate.db'), clock: systemClock });
  const stored = await database.ledger.receipt(like);
  await database.close();
  if (stored === null) throw new Error(`no receipt of ${like}`);
  const { charge, loss: _, ...receipt } = stored;
  const spool = new SettlementSpool(join(dataDir, 'spool.db'));
  const settlement = {
    ...{
      kind: 'settle' as const,
      id: requestId,
      charge,
      carefulAnswers: 0,
      held: charge,
      exchangeId: null,
    },
    receipt: { ...receipt, requestId },
    atMs: Date.now(),
  };
  await spool.keep(settlement, claimId);
  spool.close();
  return charge;
}

test('makes a backup that only this user can read, while the server sells', async () => {
  const { code, stdout } = await run(['backup']);
  expect(code).toBe(0);
  const file = stdout.trim();
  expect(file.startsWith(join(gateway.dataDir, 'backups', 'modelgate-'))).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const json = JSON.parse((await run(['backup', '--json'])).stdout);
  expect(json).toMatchObject({ bytes: statSync(json.file).size });
  const { stdout: log } = await run(['audit', 'list', '--json']);
  expect(log.match(/backup\.create/g)).toHaveLength(2);
}, 180_000);

test('reports a missing source or target, and creates nothing', async () => {
  const unset = await run(['migrate', '--to', 'NOBODY_SETS_THIS']);
  expect(unset.stderr).toContain('the name of an environment variable that holds one');
  const env = { MODELGATE_DATA_DIR: join(gateway.folder, 'nothing') };
  const empty = await run(['migrate', '--to', target.href], env);
  expect(empty.stderr).toContain('There is no SQLite ledger to copy');
  expect(existsSync(env.MODELGATE_DATA_DIR)).toBe(false);
}, 180_000);

test('makes a dry run beside a running server: complete, marked, refused, replaced', async () => {
  const selling = startSelling();
  const before = await eventually(
    'every seller has sold',
    () => [...selling.acknowledged],
    (ids) => ids.length >= SELLERS,
  );
  const kept = readdirSync(join(gateway.dataDir, 'backups'));
  // The database URL is in an environment variable, as an operator would pass it to keep the
  // password out of the command.
  const moving = { MODELGATE_DATABASE: target.href };
  const dryRun = await run(['migrate', '--to', 'MODELGATE_DATABASE'], moving);
  await selling.stop();
  expect(dryRun).toMatchObject({ code: 0, stderr: '' });
  expect(dryRun.stdout).toContain('This is a dry run.');
  expect(dryRun.stdout).toMatch(/^receipt +\d+$/m);
  expect(dryRun.stdout).toMatch(/^wallets in USD: \d+\.\d+, held \d/m);
  expect(dryRun.stdout).not.toContain(PASSWORD);
  const copied = await receiptsIn(target.href);
  expect(before.filter((id) => !copied.has(id))).toEqual([]);
  expect(readdirSync(join(gateway.dataDir, 'backups'))).toEqual(kept);

  const { folder } = gateway;
  const elsewhere = {
    MODELGATE_DATA_DIR: join(folder, 'other'),
    MODELGATE_LISTEN: '127.0.0.1:0',
  };
  const refused = await run(['serve'], { ...moving, ...elsewhere });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('it is a dry run');
  expect(refused.stderr).not.toContain(PASSWORD);

  const owned = await wallet(gateway);
  await gateway.stop();
  const [like = ''] = selling.acknowledged;
  const charge = await spoolSettlement('req_spooled', like);
  // No key has this claim, because it was released for a retry, which may have been charged.
  await spoolSettlement('req_superseded', like, 'idem_released');
  const move = await run(['migrate', '--to', target.href]);
  expect(move).toMatchObject({ code: 0, stderr: '' });
  expect(move.stdout).toContain(
    'Every row was copied, the wallets agree, and the ledger is sound.',
  );
  expect(move.stdout).not.toContain('dry run');
  expect(move.stdout).toContain('Settlements written from the spool: 1\n');
  expect(move.stdout).toContain('The ledger refused a spooled settle of req_superseded, ');
  expect(move.stdout).not.toContain(PASSWORD);
  const moved = await receiptsIn(target.href);
  expect([...selling.acknowledged, 'req_spooled'].filter((id) => !moved.has(id))).toEqual([]);
  expect(moved.has('req_superseded')).toBe(false);

  await using onPostgres = await startGateway({ folder, env: moving });
  expect(await wallet(onPostgres)).toEqual({ ...owned, balance: owned.balance - charge });
  expect(await breaches(onPostgres)).toEqual([]);
  const again = await run(['migrate', '--to', 'MODELGATE_DATABASE'], moving);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('The PostgreSQL database is not empty');
  const backup = await run(['backup'], { MODELGATE_LISTEN: new URL(onPostgres.url).host });
  expect(backup.stdout.trim()).toEndWith('.pgcopy');
}, 180_000);
