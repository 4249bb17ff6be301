/**
 * Tests a server on SQLite whose disk fills up. Instead of filling a disk, the test limits the size
 * of files. Writes then fail in the same way, and the test can set and lift the limit without
 * special rights.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './support/eventually.ts';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { admin, breaches, nanoOf, wallet } from './support/history/ledger-views.ts';
import { ask, at, CHAT, get, hello, type Json, payloads, post, readUntil } from './support/wire.ts';

/**
 * A command that runs the server with the signal SIGXFSZ ignored. The kernel would otherwise end
 * the server with this signal when a file reaches its size limit.
 */
const launcher = ['sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh'];
/**
 * The bytes that can be written until the disk counts as full. They are enough to store a few
 * charges, but not enough to post these charges to the ledger tables, which the store does later.
 */
const ROOM_BYTES = 9_000;

const limitFiles = ({ pid }: GatewayProcess, bytes: number | 'unlimited'): void => {
  const { exitCode, stderr } = Bun.spawnSync(['prlimit', '--pid', `${pid}`, `--fsize=${bytes}:`]);
  if (exitCode !== 0) throw new Error(stderr.toString());
};

const logBytes = ({ dataDir }: GatewayProcess): number =>
  statSync(join(dataDir, 'modelgate.db-wal')).size;

/** Returns the commands in the spool of a stopped server. */
function spooledIn({ dataDir }: GatewayProcess): readonly Json[] {
  const file = new SqliteFile(join(dataDir, 'spool.db'));
  const rows = file.query<{ command: string }, []>('SELECT command FROM spooled').all();
  file.close();
  return rows.map(({ command }) => JSON.parse(command) as Json);
}

const FUNDS = 100_000_000_000n;
const REFUSED = { status: 503, retryAfter: '2', code: 'store_unavailable' };

/**
 * Sends requests until the server refuses one.
 * @returns the charges of the answered requests.
 */
async function sellOut(server: GatewayProcess): Promise<readonly bigint[]> {
  const costs: bigint[] = [];
  for (;;) {
    const { status, headers, at } = await ask(server, CHAT, hello.chat);
    if (status === 200) {
      costs.push(nanoOf(headers.get('x-cost')?.split(' ')[0]));
      expect(costs.length).toBeLessThan(50);
      continue;
    }
    expect({ status, retryAfter: headers.get('retry-after'), code: at('error.code') }).toEqual(
      REFUSED,
    );
    expect(at('error.message')).toContain('This request was not charged.');
    return costs;
  }
}

const sum = (costs: readonly bigint[]): bigint => costs.reduce((a, b) => a + b, 0n);

test('on a full disk everything is read, nothing is sold, and what was sold is charged', async () => {
  const config = shippedConfig({ 'tokens_per_second: 120': 'tokens_per_second: 40' });
  await using server = await startGateway({ config, launcher });
  const { folder } = server;
  // The store posts the first charge of each price card to the ledger tables at once, so this
  // request is sent before the disk is full. Later charges are first only stored, and posted
  // afterward.
  const first = await ask(server, CHAT, hello.chat);
  const spent = [nanoOf(first.headers.get('x-cost')?.split(' ')[0])];
  expect(await wallet(server)).toEqual({ balance: FUNDS - sum(spent), held: 0n });
  const streaming = await post(server, CHAT, {
    ...{ ...hello.chat, stream: true, stream_options: { include_usage: true } },
  });
  const stream = await readUntil(streaming, (text) => text.includes('"content"'));
  limitFiles(server, logBytes(server) + ROOM_BYTES);
  spent.push(...(await sellOut(server)));

  const events = payloads(await stream.rest());
  const cost = events
    .map((event) => at(event, 'usage.cost'))
    .findLast((each) => each !== undefined);
  spent.push(BigInt(Math.round(Number(cost) * 1e9)));
  // The store has not accepted the spooled settlements yet, but the money that they charge is no
  // longer available.
  const { balance, held } = await wallet(server);
  expect(balance - held).toBe(FUNDS - sum(spent));
  for (const path of ['/v1/models', '/v1/key', '/v1/credits']) {
    expect([path, (await get(server, path)).status]).toEqual([path, 200]);
  }
  for (const path of ['/accounts', '/requests', '/audit']) {
    expect([path, (await admin(server, 'GET', path)).status]).toEqual([path, 200]);
  }
  const changed = await admin(server, 'POST', '/accounts', { name: 'second' });
  expect(changed.status).toBe(503);
  expect((await get(server, '/readyz')).status).toBe(503);

  limitFiles(server, 'unlimited');
  await eventually(
    'it is ready',
    () => get(server, '/readyz'),
    ({ status }) => status === 200,
  );
  await eventually(
    'nothing waits',
    () => wallet(server),
    (state) => state.held === 0n,
  );
  expect(await wallet(server)).toEqual({ balance: FUNDS - sum(spent), held: 0n });
  expect(await breaches(server)).toEqual([]);

  const key = { 'idempotency-key': 'a stream on a full disk' };
  const keyed = { ...hello.chat, stream: true };
  const last = await readUntil(await post(server, CHAT, keyed, key), (text) =>
    text.includes('"content"'),
  );
  const room = logBytes(server) + ROOM_BYTES;
  limitFiles(server, room);
  spent.push(...(await sellOut(server)));
  expect(await last.rest()).toContain('[DONE]');
  await server.kill9();
  // The spooled settlement names the row of its idempotency key (`claimId`), so a repeat of the
  // request is not charged again.
  const waiting = spooledIn(server).filter(({ claimId }) => claimId !== undefined);
  expect(waiting).toMatchObject([{ kind: 'settle', claimId: expect.stringMatching(/^idem_/) }]);
  spent.push(BigInt(String(waiting[0]?.['charge'])));
  const full = { folder, config, launcher: [...launcher, 'prlimit', `--fsize=${room}`] };
  const refused = await startGateway(full).catch((thrown: unknown) => String(thrown));
  expect(refused).toContain(`exited 1: modelgate: `);
  expect(refused).toContain(`The disk of ${server.dataDir} is full`);
  expect(refused).toContain('Free some space there.');
  await using again = await startGateway({ folder, config });
  const repeat = await ask(again, CHAT, keyed, key);
  expect([repeat.status, repeat.at('error.code')]).toEqual([409, 'idempotency_not_replayable']);
  expect(await wallet(again)).toEqual({ balance: FUNDS - sum(spent), held: 0n });
  expect(await breaches(again)).toEqual([]);
}, 180_000);
