/**
 * Tests several processes that share one port of a machine (`share_port`), as nodes on one
 * PostgreSQL database.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import postgres from 'postgres';
import { newTestDatabase } from '../src/ledger/postgres/postgres.fixture.ts';
import { eventually } from './support/eventually.ts';
import { startNode } from './support/gateways/gateway-nodes.ts';
import {
  type GatewayProcess,
  runModelgate,
  shippedConfig,
} from './support/gateways/gateway-process.ts';
import { breaches } from './support/history/ledger-views.ts';
import { ask, CHAT, hello } from './support/wire.ts';

const config = shippedConfig({ '# share_port: false  ': 'share_port: true  #' });
/**
 * The number of connections. The kernel selects a random process for each of them, so the
 * probability that one process gets all of them is 1 in 2^39.
 */
const CONNECTIONS = 40;
const LIMIT_MS = 180_000;

const started = new AsyncDisposableStack();
const log = { LOG_LEVEL: 'info' };
let database: string;
let first: GatewayProcess;
let second: GatewayProcess;
const startSecond = () =>
  startNode(database, { config, env: { ...log, PORT: new URL(first.url).port } });
beforeAll(async () => {
  database = await newTestDatabase();
  first = started.use(await startNode(database, { config, credit: '1000 USD', env: log }));
}, LIMIT_MS);
afterAll(() => started.disposeAsync());

const chats = (count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      ask({ url: first.url, key: first.key }, CHAT, hello.chat, { connection: 'close' }),
    ),
  );
const served = ({ stdout, stderr }: GatewayProcess): number =>
  (stdout() + stderr()).split('\n').filter((line) => line.includes(CHAT)).length;

test(
  'a process gets no connection before it is ready',
  async () => {
    const sql = postgres(database, { max: 1 });
    const lock = await sql.reserve();
    // A starting node needs this lock to migrate the schema. While the test holds the lock, the
    // node waits.
    await lock`SELECT pg_advisory_lock(1835491700, 1)`;
    const starting = startSecond();
    await eventually(
      'the second process waits',
      () => lock`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
      ({ length }) => length > 0,
    );
    const answers = await chats(CONNECTIONS);
    await lock`SELECT pg_advisory_unlock(1835491700, 1)`;
    second = started.use(await starting);
    lock.release();
    await sql.end();
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  },
  LIMIT_MS,
);

test(
  'connections go to both processes, and to the other one when one has stopped',
  async () => {
    const both = await chats(CONNECTIONS);
    expect(both.map(({ status }) => status)).toEqual(both.map(() => 200));
    expect(await second.stop()).toBe(0);
    const ofSecond = served(second);
    expect(ofSecond).toBeGreaterThan(0);
    expect(ofSecond).toBeLessThan(CONNECTIONS);
    const rest = await chats(10);
    expect(rest.map(({ status }) => status)).toEqual(rest.map(() => 200));
    expect(served(second)).toBe(ofSecond);
    expect(await breaches(first)).toEqual([]);
  },
  LIMIT_MS,
);

test('a process without share_port cannot take the port of others', async () => {
  const { code, stderr } = await runModelgate(['serve'], {
    PORT: new URL(first.url).port,
    MODELGATE_DATA_DIR: `${first.folder}/other`,
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain('Stop the other process, or name another address in HOST and PORT.');
});
