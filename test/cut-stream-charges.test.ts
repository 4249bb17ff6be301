/**
 * Tests charges for truncated streams with a real ledger. The upstream closes or resets the socket
 * after any byte of its stream. Each time, the caller gets an error and is charged for exactly the
 * delivered output, and the ledger balances.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { generateKey } from '../src/accounts/api-key.ts';
import { systemClock } from '../src/clock.ts';
import { loadConfig } from '../src/config/config.ts';
import {
  ADMIN_TOKEN,
  newFolder,
  openGatewayOn,
  removeFolders,
} from '../src/main/gateway.fixture.ts';
import type { Gateway } from '../src/main/gateway.ts';
import { recorded as chatRecorded } from '../src/protocols/chat/recorded-chat.fixture.ts';
import { recorded as messagesRecorded } from '../src/protocols/messages/recorded-messages.fixture.ts';
import { nanoOf } from './support/history/ledger-views.ts';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
} from './support/upstreams/scripted-upstream.ts';
import { readEnding, type TextEndpointName } from './support/upstreams/stream-grammar.ts';
import { type Answer, at, CHAT, MESSAGES, RESPONSES, read } from './support/wire.ts';

const recorded = { chat: chatRecorded, messages: messagesRecorded } as const;
/** The number of concurrent requests: enough to keep the ledger busy. */
const AT_ONCE = 32;
/** The prices per token, in nano-USD, of the scripted upstream's models. */
const PRICE = { input: 1000n, output: 2000n } as const;

let upstream: ScriptedUpstream;
let gateway: Gateway;
let key: string;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.script(cutStream);
  const folder = newFolder();
  const path = `${folder}/modelgate.yaml`;
  // The upstream cannot answer probes: their prompts contain no instructions.
  const settings = { '# health: { probe: true, probe_after: 30s }': 'health: { probe: false }' };
  writeFileSync(path, upstream.config(settings));
  key = generateKey(systemClock).reveal();
  gateway = await openGatewayOn(
    loadConfig({
      path,
      env: {
        MODELGATE_DATA_DIR: `${folder}/data`,
        MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN,
        MODELGATE_INIT_KEY: key,
        MODELGATE_INIT_CREDIT: '100 USD',
      },
    }),
  );
});
afterAll(async () => {
  upstream.stop();
  await gateway.close();
  removeFolders();
});

/** Instructions for the scripted upstream, sent as JSON in the prompt. */
type Order = { readonly name: string; readonly bytes: number; readonly end: 'close' | 'reset' };

function cutStream({ path, body }: UpstreamCall): Response {
  const dialect = path.endsWith('/messages') ? 'messages' : 'chat';
  const turns = at(body, 'messages');
  const content = at(turns, '0.content');
  const order: Order = JSON.parse(String(at(content, '0.text') ?? content));
  const sent = recorded[dialect].upstreamBytes(order.name).slice(0, order.bytes);
  let isSent = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (!isSent && sent.length > 0) controller.enqueue(sent);
      else if (order.end === 'close') controller.close();
      else controller.error(new Error('reset'));
      isSent = true;
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

async function send(path: string, init: RequestInit = {}, token = key): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return await read(
    await gateway.edge.fetch(new Request(`http://gateway${path}`, { ...init, headers })),
  );
}

const PATHS = { chat: CHAT, messages: MESSAGES, responses: RESPONSES } as const;
const ask = (endpoint: TextEndpointName, speaks: TextEndpointName, order: Order): Promise<Answer> =>
  send(PATHS[endpoint], {
    method: 'POST',
    body: JSON.stringify({
      model: `scripted-${speaks}`,
      stream: true,
      ...(endpoint === 'responses'
        ? { max_output_tokens: 200, input: JSON.stringify(order) }
        : { max_tokens: 200, messages: [{ role: 'user', content: JSON.stringify(order) }] }),
    }),
  });

const balance = async (): Promise<{ balance: bigint; held: bigint }> => {
  const credits = await send('/v1/credits');
  const wallets = credits.at('data.wallets');
  const usd = (Array.isArray(wallets) ? wallets : []).find((it) => at(it, 'currency') === 'USD');
  return { balance: nanoOf(at(usd, 'balance')), held: nanoOf(at(usd, 'held')) };
};

/**
 * Sends a request, and checks that the answer, the outcome and the charge agree with each other.
 * @returns the charge.
 */
async function expectHonest(
  endpoint: TextEndpointName,
  speaks: TextEndpointName,
  order: Order,
): Promise<bigint> {
  const answer = await ask(endpoint, speaks, order);
  const receipt = await send(`/v1/generation?id=${answer.headers.get('x-request-id')}`);
  const outcome = receipt.at('data.outcome');
  const charge = nanoOf(receipt.at('data.cost_exact'));
  const tokens = (name: string): bigint => BigInt(Number(receipt.at(`data.${name}`) ?? 0));
  if (answer.status === 200) {
    const ending = readEnding(endpoint, answer.text);
    expect([ending.end, outcome]).toEqual(
      ending.end === 'error' ? ['error', 'upstream_truncated'] : ['success', 'completed'],
    );
  } else {
    // The stream failed before any byte reached the caller, so the request gets an error status and
    // is free.
    expect([answer.status, outcome, charge]).toEqual([502, 'upstream_truncated', 0n]);
  }
  expect(charge).toBe(
    tokens('tokens_prompt') * PRICE.input + tokens('tokens_completion') * PRICE.output,
  );
  return charge;
}

/**
 * Each test has the protocol of the caller (`endpoint`), the protocol of the upstream (`speaks`)
 * and a recording (`name`). The recording contains text if the protocols are equal, and tool calls
 * if the gateway must translate.
 */
const pairs = [
  { endpoint: 'chat', speaks: 'chat', name: 'text' },
  { endpoint: 'chat', speaks: 'messages', name: 'tool-use' },
  { endpoint: 'messages', speaks: 'messages', name: 'text' },
  { endpoint: 'messages', speaks: 'chat', name: 'parallel-tools' },
  { endpoint: 'responses', speaks: 'chat', name: 'parallel-tools' },
  { endpoint: 'responses', speaks: 'messages', name: 'tool-use' },
] as const;

describe.each(pairs)('$endpoint from $speaks, $name', ({ endpoint, speaks, name }) => {
  test('cut after every byte: an error, a charge for the delivered output, and a balanced ledger', async () => {
    const before = await balance();
    const whole = recorded[speaks].upstreamBytes(name).length;
    const orders: Order[] = Array.from({ length: whole + 1 }, (_, bytes) => ({
      name,
      bytes,
      end: bytes % 2 === 0 ? 'close' : 'reset',
    }));
    let charged = 0n;
    const next = orders.values();
    const work = async (): Promise<void> => {
      for (const order of next) {
        const charge = await expectHonest(endpoint, speaks, order);
        charged += charge;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(await balance()).toEqual({ balance: before.balance - charged, held: 0n });
    expect(charged).toBeGreaterThan(0n);
    const verified = await send('/admin/v1/ledger/verify', {}, ADMIN_TOKEN);
    expect(verified.at('breaches')).toEqual([]);
  });
});
