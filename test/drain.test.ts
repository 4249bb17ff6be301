/**
 * Tests stopping and reloading with hundreds of running streams: no stream is interrupted or lost,
 * and the ledger stays correct.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { eventually } from './support/eventually.ts';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { breaches, receiptOf, wallet } from './support/history/ledger-views.ts';
import {
  type OpenStream,
  openStream,
  type PacedUpstream,
  startPacedUpstream,
} from './support/upstreams/paced-upstream.ts';
import { readEnding } from './support/upstreams/stream-grammar.ts';
import { ask, CHAT, get, hello } from './support/wire.ts';

const STREAMS = 250;
const chat = { ...hello.chat, model: 'scripted-chat' };

let upstream: PacedUpstream;
beforeEach(async () => {
  upstream = await startPacedUpstream();
});
afterEach(() => upstream.stop());

const openMany = (gateway: GatewayProcess): Promise<readonly OpenStream[]> =>
  Promise.all(Array.from({ length: STREAMS }, () => openStream(gateway)));

async function expectWhole(streams: readonly OpenStream[]): Promise<void> {
  const texts = await Promise.all(streams.map(({ rest }) => rest()));
  for (const text of texts) expect(readEnding('chat', text)).toEqual({ end: 'success' });
}

/**
 * Expects that each stream has a receipt with the outcome `completed`, and that no money is held.
 * After a restart, the new process must find the receipts of the previous process.
 */
async function expectBooked(
  target: Pick<GatewayProcess, 'url' | 'key' | 'adminToken'>,
  streams: readonly OpenStream[],
): Promise<void> {
  for (const { requestId } of streams) {
    const receipt = await receiptOf(target, requestId);
    expect(receipt.at('data.outcome')).toBe('completed');
  }
  expect((await wallet(target)).held).toBe(0n);
  expect(await breaches(target)).toEqual([]);
}

test('SIGTERM cuts none of hundreds of streams, refuses new requests, and exits 0', async () => {
  await using gateway = await startGateway({ config: upstream.config() });
  const streams = await openMany(gateway);
  const code = gateway.stop('SIGTERM');
  await eventually(
    'new requests are refused',
    () =>
      ask(gateway, CHAT, chat).then(
        ({ status }) => status,
        () => 'no connection',
      ),
    (outcome) => outcome === 503 || outcome === 'no connection',
  );
  upstream.release();
  await expectWhole(streams);
  expect(await code).toBe(0);
  await using again = await startGateway({ config: upstream.config(), folder: gateway.folder });
  await expectBooked(again, streams);
});

test('SIGTERM first makes the gateway unready, and requests are served until the notice is over', async () => {
  const config = shippedConfig({ '# limits:    ': 'limits: { drain_notice: 2s } #' });
  await using gateway = await startGateway({ config });
  const ready = async (): Promise<number> => (await get(gateway, '/readyz')).status;
  expect(await ready()).toBe(200);
  const code = gateway.stop('SIGTERM');
  await eventually('it is not ready', ready, (status) => status === 503);
  expect((await ask(gateway, CHAT, hello.chat)).status).toBe(200);
  expect(await ready()).toBe(503);
  expect(await code).toBe(0);
});

test('a reload that removes a model lets its streams finish and updates the catalogue for new requests', async () => {
  await using gateway = await startGateway({ config: upstream.config() });
  const streams = await openMany(gateway);
  const renamed = upstream.config().replace('\n  scripted-chat:', '\n  scripted-later:');
  writeFileSync(gateway.configPath, renamed);
  await eventually(
    'the old model is removed',
    async () => (await get(gateway, '/v2/models/scripted-chat')).status,
    (status) => status === 404,
  );
  expect((await ask(gateway, CHAT, chat)).status).toBe(404);
  const later = { ...chat, model: 'scripted-later', stream: true };
  const said = { messages: [{ role: 'user', content: '1 pieces, 0 ms' }] };
  expect((await ask(gateway, CHAT, { ...later, ...said })).status).toBe(200);
  upstream.release();
  await expectWhole(streams);
  await expectBooked(gateway, streams);
});

test('a reload that moves a model lets its streams finish at the old upstream: two versions side by side', async () => {
  const other = await startPacedUpstream();
  try {
    await using gateway = await startGateway({ config: upstream.config() });
    const streams = await openMany(gateway);
    const version = (): Promise<unknown> => cardOf(gateway);
    const before = await version();
    const moved = upstream
      .config()
      .replaceAll(upstream.host, other.host)
      .replaceAll(
        'price: { input: "1.00", output: "2.00" }',
        'price: { input: "3.00", output: "6.00" }',
      );
    writeFileSync(gateway.configPath, moved);
    await eventually('the new version', version, (now) => now !== before);
    const callsBefore = upstream.calls.length;
    const fresh = await openStream(gateway);
    expect([other.calls.length, upstream.calls.length]).toEqual([1, callsBefore]);
    upstream.release();
    other.release();
    await expectWhole([...streams, fresh]);
    await expectBooked(gateway, [...streams, fresh]);
    const cardAt = async ({ requestId }: OpenStream): Promise<unknown> =>
      (await receiptOf(gateway, requestId)).at('data.price_card');
    for (const stream of streams) expect(await cardAt(stream)).toBe(before);
    expect(await cardAt(fresh)).toBe(await version());
  } finally {
    other.stop();
  }
});

const cardOf = async (gateway: GatewayProcess): Promise<unknown> =>
  (await get(gateway, '/v2/models/scripted-chat')).at('channels.0.price_card');
