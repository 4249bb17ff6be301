/**
 * Tests prices that depend on how an upstream served a request, which the upstream reports. The
 * charge, the bill and the verification of the ledger must use the same price rows, multiples and
 * fees.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
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
import {
  chatStream,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { type Answer, CHAT, MESSAGES, read } from './support/wire.ts';

const PRICE = 'price: { input: "1.00", output: "2.00" }';
const ROWS = `price:
          input: "1.00"
          output: "2.00"
          rows:
            - { when: { prompt_over: 50000 }, input: "2.00", output: "3.00" }
            - { when: { tier: priority }, scale: "2" }
            - { when: { speed: fast }, input: "8.00", output: "9.00" }
            - { when: { speed: fast, tier: priority }, input: "-", output: "-" }
            - { when: { speed: fast, prompt_over: 50000 }, input: "-", output: "-" }
            - { when: { speed: fast, tier: priority, prompt_over: 50000 }, input: "-", output: "-" }
          times: [{ when: { geo: us }, tokens: "1.1" }]
          fees: { web_search: "0.01" }
          names: { tier: { fast: priority } }
          admit: { tier: [priority], speed: [fast], geo: [us], tools: [web_search] }
`;

let upstream: ScriptedUpstream;
let gateway: Gateway;
let key: string;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const folder = newFolder();
  const path = `${folder}/modelgate.yaml`;
  const yaml = upstream
    .config()
    .replaceAll(PRICE, ROWS)
    .replace('protocol: openai, base_url', 'protocol: openai, make: gemini, base_url')
    .replace('protocol: anthropic, base_url', 'protocol: anthropic, make: bedrock, base_url');
  writeFileSync(path, yaml);
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

async function send(path: string, body?: object, token = key): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return await read(
    await gateway.edge.fetch(new Request(`http://gateway${path}`, { ...init, headers })),
  );
}

/** Returns the bill of an answer, and checks that the ledger is consistent. */
async function billOf(answer: Answer) {
  expect(answer.status).toBe(200);
  const receipt = await send(`/v1/generation?id=${answer.headers.get('x-request-id')}`);
  const verified = await send('/admin/v1/ledger/verify', undefined, ADMIN_TOKEN);
  expect(verified.at('breaches')).toEqual([]);
  const lines = receipt.at('data.cost_details.lines');
  return {
    cost: receipt.at('data.cost_exact'),
    why: (Array.isArray(lines) ? lines : []).map((line) => line.why),
    assumed: receipt.at('data.cost_details.assumed'),
    unpriced: receipt.at('data.cost_details.unpriced'),
  };
}

const completion = (more: object, prompt = 1_000) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', ...more },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: prompt, completion_tokens: 100, total_tokens: prompt + 100 },
});
const message = (more: object) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', stop_reason: 'end_turn' },
  content: [{ type: 'text', text: 'Hi' }],
  usage: { input_tokens: 1_000, output_tokens: 100, ...more },
});
const asked = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 200 };
const chat = async (answer: object, more: object = {}) => {
  upstream.script(() => Response.json(answer));
  return await billOf(
    await send(CHAT, { model: 'scripted-chat', stream: false, ...asked, ...more }),
  );
};
const messages = async (answer: object, more: object = {}) => {
  upstream.script(() => Response.json(answer));
  return await billOf(await send(MESSAGES, { model: 'scripted-messages', ...asked, ...more }));
};
const FINE = { assumed: [], unpriced: [] };

test('the base row', async () => {
  const bill = await chat(completion({ service_tier: 'default' }));
  expect(bill).toEqual({ cost: '0.001200000', why: ['', ''], ...FINE });
});

test('a tier under another name, a long prompt, and both', async () => {
  const tier = await chat(completion({ service_tier: 'fast' }), { service_tier: 'fast' });
  expect(tier).toEqual({ cost: '0.002400000', why: ['tier: priority', 'tier: priority'], ...FINE });
  const long = await chat(completion({}, 60_000));
  expect(long.cost).toBe('0.120300000');
  const both = await chat(completion({ service_tier: 'fast' }, 60_000), { service_tier: 'fast' });
  const why = 'tier: priority, prompt_over: 50000';
  expect(both).toEqual({ cost: '0.240600000', why: [why, why], ...FINE });
});

test('a requested tier that the upstream does not report', async () => {
  const bill = await chat(completion({}), { service_tier: 'priority' });
  expect([bill.cost, bill.assumed]).toEqual(['0.002400000', ['tier: priority']]);
});

test('a stream', async () => {
  const tiered = chatStream('Hi').map((event) =>
    event.replaceAll('"id":', '"service_tier":"fast","id":'),
  );
  upstream.script(() => eventStream(tiered));
  const stream = { ...asked, model: 'scripted-chat', stream: true, service_tier: 'priority' };
  const bill = await billOf(await send(CHAT, stream));
  expect(new Set(bill.why)).toEqual(new Set(['tier: priority']));
});

test('a tier that only a header reports, for each make under its own name', async () => {
  const gemini = 'x-gemini-service-tier';
  const bedrock = 'x-amzn-bedrock-service-tier';
  const priority = { service_tier: 'priority' };
  const served = async (path: string, header: string, tier: string) => {
    const body = path === CHAT ? completion(priority) : message(priority);
    upstream.script(() => Response.json(body, { headers: { [header]: tier } }));
    const model = path === CHAT ? 'scripted-chat' : 'scripted-messages';
    return await billOf(await send(path, { model, stream: false, ...asked, ...priority }));
  };
  const base = { cost: '0.001200000', why: ['', ''], ...FINE };
  const high = { cost: '0.002400000', why: ['tier: priority', 'tier: priority'], ...FINE };
  // The body only repeats the service tier that was requested. The tier that was served is in a
  // header: Gemini's header for chat, Bedrock's header for Messages. If the upstream sends the
  // header of the other provider, the gateway ignores it and charges the tier in the body.
  expect(await served(CHAT, gemini, 'STANDARD')).toEqual(base);
  expect(await served(CHAT, gemini, 'priority')).toEqual(high);
  expect(await served(MESSAGES, bedrock, 'default')).toEqual(base);
  expect(await served(MESSAGES, bedrock, 'priority')).toEqual(high);
  expect(await served(CHAT, bedrock, 'default')).toEqual(high);
});

test('a tier that only the header of a stream reports', async () => {
  upstream.script(() => {
    const answer = eventStream(chatStream('Hi'));
    answer.headers.set('x-gemini-service-tier', 'standard');
    return answer;
  });
  const stream = { ...asked, model: 'scripted-chat', stream: true, service_tier: 'priority' };
  const bill = await billOf(await send(CHAT, stream));
  expect([new Set(bill.why), bill.assumed]).toEqual([new Set(['']), []]);
});

test('speed, place and tools of Messages', async () => {
  const served = {
    ...{ speed: 'fast', inference_geo: 'us' },
    server_tool_use: { web_search_requests: 3 },
  };
  const bill = await messages(message(served), { speed: 'fast' });
  const why = 'speed: fast; times 1.1 (geo: us)';
  expect(bill).toEqual({ cost: '0.039790000', why: [why, why, ''], ...FINE });
});

test('what has no price is flagged, and a gap costs the highest price of the card', async () => {
  const other = await chat(completion({ service_tier: 'ultrafast' }));
  expect([other.cost, other.unpriced]).toEqual(['0.001200000', ['tier: ultrafast']]);
  const gap = { speed: 'fast', service_tier: 'priority' };
  const bill = await messages(message(gap));
  expect([bill.cost, bill.unpriced]).toEqual(['0.008900000', ['tier: priority, speed: fast']]);
});

test('a combination that is not sold is refused before anything is sent', async () => {
  const before = upstream.calls.length;
  const body = { model: 'scripted-messages', ...asked, speed: 'fast', service_tier: 'priority' };
  const answer = await send(MESSAGES, body);
  expect([answer.status, answer.at('error.message')]).toEqual([
    400,
    'service_tier: scripted-messages is not sold with tier: priority, speed: fast. Omit service_tier, or change the other conditions.',
  ]);
  const long = { ...body, messages: [{ role: 'user', content: 'word '.repeat(60_000) }] };
  const { service_tier: _, ...fast } = long;
  expect((await send(MESSAGES, fast)).at('error.message')).toContain('prompt_over: 50000');
  expect(upstream.calls.length).toBe(before);
});
