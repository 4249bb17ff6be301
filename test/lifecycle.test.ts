/** Tests starts, stops, crashes and reloads. The ledger must be correct after each of them. */

import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { eventually } from './support/eventually.ts';
import { startNodes } from './support/gateways/gateway-nodes.ts';
import {
  type GatewayProcess,
  runModelgate,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import {
  admin,
  breaches,
  nanoOf,
  nothingHeld,
  receiptOf,
  wallet,
} from './support/history/ledger-views.ts';
import { startScriptedUpstream } from './support/upstreams/scripted-upstream.ts';
import {
  ask,
  CHAT,
  eventsOf,
  get,
  hello,
  MESSAGES,
  payloads,
  post,
  readUntil,
} from './support/wire.ts';

/**
 * Returns the configuration with a slow built-in model, so that a long answer is still running when
 * a test needs it.
 */
const slowed = (config: string): string =>
  config.replace('tokens_per_second: 0', 'tokens_per_second: 60');
const slowConfig = (edits: Readonly<Record<string, string>> = {}): string =>
  slowed(shippedConfig(edits));

const counting = { messages: [{ role: 'user', content: 'Count from 1 to 60' }] };
const longChat = { ...hello.chat, ...counting, stream: true };
const longMessage = { ...hello.messages, max_tokens: 1024, ...counting, stream: true };

const streaming = async (
  gateway: GatewayProcess,
  path: string,
  body: unknown,
  signal?: AbortSignal,
) => {
  const response = await post(gateway, path, body, {}, signal ?? null);
  expect(response.status).toBe(200);
  const begun = path === CHAT ? '"content":"' : 'text_delta';
  const reader = await readUntil(response, (text) => text.split(begun).length > 3);
  return { id: response.headers.get('x-request-id') ?? '', ...reader };
};

/**
 * Returns the ids of the running requests that have a checkpoint, which stores their progress.
 * Reads a copy of the database, because a running server locks the original.
 */
async function checkpointsOf(gateway: GatewayProcess): Promise<unknown> {
  const copy = await admin(gateway, 'POST', '/backup');
  const file = new SqliteFile(String(copy.at('file')), { readwrite: true });
  const ids = file.query('SELECT request_id FROM checkpoint ORDER BY request_id').values().flat();
  file.close();
  return ids;
}

describe('a caller that disconnects', () => {
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await startGateway({ config: slowConfig() });
  });
  afterAll(async () => await gateway[Symbol.asyncDispose]());

  test.each([
    ['chat', CHAT, longChat],
    ['messages', MESSAGES, longMessage],
  ])('in the middle of a %s stream pays for what was delivered', async (_name, path, body) => {
    const before = await wallet(gateway);
    const leaving = new AbortController();
    const { id } = await streaming(gateway, path, body, leaving.signal);
    const { held } = await wallet(gateway);
    expect(held).toBeGreaterThan(0n);
    leaving.abort();
    const receipt = await receiptOf(gateway, id);
    expect(receipt.at('data')).toMatchObject({ outcome: 'caller_left', cancelled: true });
    const charge = nanoOf(receipt.at('data.cost_exact'));
    expect(charge).toBeGreaterThan(0n);
    expect(charge).toBeLessThanOrEqual(held);
    expect(await nothingHeld(gateway)).toEqual({ balance: before.balance - charge, held: 0n });
    // The answer counts to 60. The caller disconnected early, so few tokens are charged.
    expect(Number(receipt.at('data.tokens_completion'))).toBeLessThan(100);
    expect(await breaches(gateway)).toEqual([]);
  });

  test('releases the hold when it disconnects before a non-streaming answer', async () => {
    const upstream = await startScriptedUpstream();
    upstream.script(async ({ aborted }) => {
      await aborted;
      return new Response(null, { status: 499 });
    });
    await using silent = await startGateway({ config: upstream.config() });
    const leaving = new AbortController();
    const body = { ...longChat, model: 'scripted-chat', stream: false };
    const asked = post(silent, CHAT, body, {}, leaving.signal).catch((error: unknown) => error);
    const { held } = await eventually(
      'the hold',
      () => wallet(silent),
      (state) => state.held > 0n,
    );
    const before = await wallet(silent);
    leaving.abort();
    await asked;
    const after = await nothingHeld(silent);
    expect(before.balance - after.balance).toBeLessThanOrEqual(held);
    expect(await breaches(silent)).toEqual([]);
    upstream.stop();
  });
});

describe('stopping', () => {
  test('SIGTERM finishes the running streams, refuses new requests, exits 0, and the ledger is right', async () => {
    await using gateway = await startGateway({ config: slowConfig() });
    const running = await Promise.all([
      streaming(gateway, CHAT, longChat),
      streaming(gateway, MESSAGES, longMessage),
    ]);
    const code = gateway.stop('SIGTERM');
    await eventually(
      'new requests are refused',
      () =>
        fetch(`${gateway.url}/v2/models`).then(
          ({ status }) => status,
          () => 'refused',
        ),
      (outcome) => outcome === 'refused' || outcome === 503,
    );
    const [chat = '', messages = ''] = await Promise.all(running.map(({ rest }) => rest()));
    expect(chat).toEndWith('data: [DONE]\n\n');
    expect(messages).toEndWith('data: {"type":"message_stop"}\n\n');
    expect(eventsOf(chat).length).toBeGreaterThan(60);
    expect(await code).toBe(0);

    await using again = await startGateway({ folder: gateway.folder });
    for (const { id } of running)
      expect((await receiptOf(again, id)).at('data.outcome')).toBe('completed');
    expect((await wallet(again)).held).toBe(0n);
    expect(await breaches(again)).toEqual([]);
  });

  test('a stream that outlasts the drain gets an error event and is settled, and the exit code is still 0', async () => {
    const config = slowConfig({ '\nchat:\n': '\nlimits: { drain: 1s }\nchat:\n' });
    await using gateway = await startGateway({ config });
    const content = 'Count from 1 to 400';
    const endless = { ...longChat, messages: [{ role: 'user', content }] };
    const { id, rest } = await streaming(gateway, CHAT, endless);
    const code = gateway.stop('SIGTERM');
    const last = payloads(await rest()).at(-1);
    expect(last).toMatchObject({ error: { code: 'shutting_down' } });
    expect(await code).toBe(0);
    await using again = await startGateway({ folder: gateway.folder });
    expect((await receiptOf(again, id)).at('data.outcome')).toBe('shutdown');
    expect((await wallet(again)).held).toBe(0n);
    expect(await breaches(again)).toEqual([]);
  });

  test('a repeated SIGINT, as from Ctrl-C in `npm start`, cuts no stream', async () => {
    await using gateway = await startGateway({ config: slowConfig() });
    const { rest } = await streaming(gateway, CHAT, longChat);
    gateway.signal('SIGINT');
    await eventually(
      'the gateway drains',
      () =>
        get(gateway, '/readyz').then(
          ({ status }) => status,
          () => 'refused',
        ),
      (outcome) => outcome !== 200,
    );
    gateway.signal('SIGINT');
    expect(await rest()).toEndWith('data: [DONE]\n\n');
    expect(await gateway.exited).toBe(0);
  });

  test('after SIGKILL in the middle of streams, the next start charges what they came to', async () => {
    // At this speed, an answer takes long enough that the server stores a checkpoint of it each
    // second. The test can then find checkpoints in copies of the database.
    const config = slowConfig().replace('tokens_per_second: 60', 'tokens_per_second: 8');
    await using gateway = await startGateway({ config });
    const before = await wallet(gateway);
    const streams = await Promise.all([
      streaming(gateway, CHAT, longChat),
      streaming(gateway, MESSAGES, longMessage),
    ]);
    const { held } = await wallet(gateway);
    expect(held).toBeGreaterThan(0n);
    const ids = streams.map(({ id }) => id).toSorted();
    await eventually(
      'both checkpoints are on disk',
      () => checkpointsOf(gateway),
      (found) => Bun.deepEquals(found, ids),
    );
    await gateway.kill9();

    await using again = await startGateway({ folder: gateway.folder });
    const after = await nothingHeld(again);
    let charged = 0n;
    for (const id of ids) {
      const receipt = await receiptOf(again, id);
      expect(receipt.at('data')).toMatchObject({ outcome: 'node_lost', cost_estimated: true });
      charged += nanoOf(receipt.at('data.cost_exact'));
    }
    expect(charged).toBeGreaterThan(0n);
    expect(charged).toBeLessThan(held);
    expect(after).toEqual({ balance: before.balance - charged, held: 0n });
    expect(await breaches(again)).toEqual([]);
    expect((await ask(again, CHAT, hello.chat)).status).toBe(200);
    expect(again.stdout()).not.toContain('first API key');
  });
});

test('a hold outlives the longest possible request, so that no stream loses it', async () => {
  const total = 6 * 60 * 60 * 1000;
  // The test uses PostgreSQL, where a hold is a table row with an expiry time.
  const config = `${shippedConfig()}\nlimits:\n  total_timeout: 6h\n`;
  await using fleet = await startNodes(1, { config });
  const [node] = fleet.nodes;
  if (node === undefined) throw new Error('one node');
  expect((await ask(node, CHAT, hello.chat)).status).toBe(200);
  const sql = postgres(fleet.database, { max: 1 });
  const held = await sql.unsafe('SELECT expires_at_ms - created_at_ms AS lives_ms FROM hold');
  await sql.end();
  expect(held.map(({ lives_ms }) => Number(lives_ms) > total)).toEqual([true]);
});

describe('a changed configuration', () => {
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await startGateway({ env: { LOG_LEVEL: 'info' } });
  });
  afterAll(async () => await gateway[Symbol.asyncDispose]());

  const priced = (output: string) =>
    shippedConfig({
      'output: "25.00", cache_read: "0.50", cache_write: "6.25" }': `output: "${output}", cache_read: "0.50", cache_write: "6.25" }`,
    });
  const cardInForce = async (): Promise<string> =>
    String((await get(gateway, '/v2/models/gen-opus-4-8')).at('channels.0.price_card'));
  const cost = async () => {
    const answer = await ask(gateway, CHAT, hello.chat);
    return {
      card: answer.headers.get('x-price-card'),
      nano: nanoOf(answer.at('usage.cost_exact')),
    };
  };
  const reloaded = (old: string): Promise<string> =>
    eventually('the new price card', cardInForce, (card) => card !== old);

  test('takes effect when the file is saved, when it is replaced, and on SIGHUP', async () => {
    const first = await cost();
    writeFileSync(gateway.configPath, priced('50.00'));
    await reloaded(String(first.card));
    const saved = await cost();
    expect(saved.card).toBe(await cardInForce());
    expect(saved.nano).toBeGreaterThan(first.nano);

    writeFileSync(`${gateway.configPath}.new`, priced('75.00'));
    renameSync(`${gateway.configPath}.new`, gateway.configPath);
    await reloaded(String(saved.card));
    const replaced = await cost();
    expect(replaced.nano - saved.nano).toBe(saved.nano - first.nano);

    writeFileSync(gateway.configPath, priced('25.00'));
    gateway.signal('SIGHUP');
    await reloaded(String(replaced.card));
    expect(await cost()).toEqual(first);
    expect(await breaches(gateway)).toEqual([]);
  });

  test('SIGHUP during the start does not end the process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'modelgate-test-'));
    const starting = startGateway({ folder });
    await eventually(
      'the store is being opened',
      async () => existsSync(join(folder, 'data/modelgate.db.pid')),
      (isOpen) => isOpen,
    );
    const pid = Number(readFileSync(join(folder, 'data/modelgate.db.pid'), 'utf8'));
    process.kill(pid, 'SIGHUP');
    await using started = await starting;
    expect((await ask(started, CHAT, hello.chat)).status).toBe(200);
  });

  test('is refused with its line when invalid, and the old one stays in effect', async () => {
    const before = await cost();
    const seen = gateway.stderr().length;
    writeFileSync(gateway.configPath, priced('free'));
    gateway.signal('SIGHUP');
    const log = await eventually(
      'the refusal in the log',
      () => gateway.stderr().slice(seen),
      (text) => text.includes('configuration rejected'),
    );
    expect(log).toMatch(/modelgate\.yaml:\d+/);
    expect(await cost()).toEqual(before);
    writeFileSync(gateway.configPath, priced('30.00'));
    await reloaded(String(before.card));
    expect((await cost()).nano).toBeGreaterThan(before.nano);
  });

  test('does not affect a running request, which keeps its price card', async () => {
    await using slow = await startGateway({ config: slowConfig() });
    const card = String((await get(slow, '/v2/models/gen-opus-4-8')).at('channels.0.price_card'));
    const { id, rest } = await streaming(slow, CHAT, longChat);
    writeFileSync(slow.configPath, slowed(priced('50.00')));
    await eventually(
      'the new price card',
      async () => (await get(slow, '/v2/models/gen-opus-4-8')).at('channels.0.price_card'),
      (now) => now !== card,
    );
    await rest();
    expect((await receiptOf(slow, id)).at('data.price_card')).toBe(card);
    expect(await breaches(slow)).toEqual([]);
  });
});

test("a command sends the administrator's token to no proxy", async () => {
  await using gateway = await startGateway();
  const seen: string[] = [];
  const proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      seen.push(url);
      return new Response(null, { status: 502 });
    },
  });
  const listed = await runModelgate(['key', 'list', '--config', gateway.configPath], {
    PORT: new URL(gateway.url).port,
    MODELGATE_ADMIN_TOKEN: gateway.adminToken,
    HTTP_PROXY: proxy.url.origin,
  });
  await proxy.stop(true);
  expect(seen).toEqual([]);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
});
