/** Several processes of one machine on one port (`share_port`), as nodes of one PostgreSQL. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { newTestDatabase } from '../src/ledger/postgres/postgres.fixture.ts';
import { startNode } from './support/gateways/gateway-nodes.ts';
import {
  type GatewayProcess,
  runModelgate,
  shippedConfig,
} from './support/gateways/gateway-process.ts';
import { breaches } from './support/history/ledger-views.ts';
import { ask, CHAT, hello } from './support/wire.ts';

const config = shippedConfig({ '# share_port: false  ': 'share_port: true  #' });
/** The system picks a process per connection at random. All picking the same one: 1 in 2^39. */
const CONNECTIONS = 40;
const LIMIT_MS = 120_000;

const started = new AsyncDisposableStack();
let first: GatewayProcess;
let second: GatewayProcess;
beforeAll(async () => {
  const database = await newTestDatabase();
  const log = { LOG_LEVEL: 'info' };
  first = started.use(await startNode(database, { config, credit: '1000 USD', env: log }));
  const env = { ...log, PORT: new URL(first.url).port };
  second = started.use(await startNode(database, { config, env }));
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
  expect(stderr).toContain('Stop the other process, or set PORT to another port.');
});
