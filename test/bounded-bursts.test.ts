/**
 * Tests bursts of requests whose inputs cost far more than their size suggests. The upstream bills
 * as providers do. The wallet pays every bill in full, so the operator loses nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { pdf, png } from '../src/protocols/inputs/media.fixture.ts';
import { awayFromMidnight } from './support/away-from-midnight.ts';
import { type GatewayNodes, startNodes } from './support/gateways/gateway-nodes.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { openClients } from './support/history/history-load.ts';
import { admin, breaches, settledWallet } from './support/history/ledger-views.ts';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { type Answer, ask, at, CHAT, hello, MESSAGES } from './support/wire.ts';

const ASKED = 200;
const FUNDS = '1.000000000';
const FUNDS_NANO = 1_000_000_000n;
/**
 * Changes the prices of the Messages model: long prompts cost twice as much, and each web search
 * has a fee.
 */
const PRICED = {
  'price: { input: "1.00", output: "2.00" }\n        routes: [{ upstream: scripted-anthropic,':
    'price: { input: "1.00", output: "2.00", rows: [{ when: { prompt_over: 50000 }, scale: "2" }], ' +
    'fees: { web_search: "0.01" }, admit: { tools: [web_search] }, ' +
    'limits: { uses: { web_search: 3 }, tokens_per_use: { web_search: 20000 } } }\n' +
    '        routes: [{ upstream: scripted-anthropic,',
};
const LONG_PROMPT = 50_000;
const SEARCH_NANO = 10_000_000n;
/** The context window of the scripted models, in tokens. */
const WINDOW = 100_000;
const INPUT_NANO = 1_000n;
const OUTPUT_NANO = 2_000n;

let upstream: ScriptedUpstream;
let alone: GatewayProcess;
let shared: GatewayNodes;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  alone = await startGateway({ config: upstream.config(PRICED) });
  shared = await startNodes(2, { config: upstream.config(PRICED) });
});
afterAll(async () => {
  await alone[Symbol.asyncDispose]();
  await shared[Symbol.asyncDispose]();
  upstream.stop();
});

type Attack = {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** `input`, `output` and `searches`: the tokens and web searches that the provider bills. */
  readonly input: number;
  readonly output: number;
  readonly searches?: number;
};

const url = 'https://example.com/a';
const base64 = (bytes: Buffer): string => bytes.toString('base64');
const saying = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const inMessages = (content: unknown, input: number): Attack => ({
  path: MESSAGES,
  body: { model: 'scripted-messages', max_tokens: 64, ...saying(content) },
  ...{ input, output: 64 },
});
const inChat = (more: object, input: number, output = 64): Attack => ({
  path: CHAT,
  body: { ...hello.chat, model: 'scripted-chat', max_tokens: 64, ...more },
  ...{ input, output },
});
const source = (data: string, media_type: string) => ({ type: 'base64', media_type, data });

const textLikeAPdf = `data:text/plain;base64,${base64(
  Buffer.from(`%PDF-1.4 /Count 1 /Page ${'0123456789'.repeat(5_000)}`),
)}`;

const ATTACKS: Readonly<Record<string, Attack>> = {
  'a PDF by address': inMessages([{ type: 'document', source: { type: 'url', url } }], WINDOW),
  'a PDF of many pages in a few bytes': inMessages(
    [{ type: 'document', source: source(base64(pdf('/Count 12', true)), 'application/pdf') }],
    12 * 7_784,
  ),
  'fifty images by address': inChat(
    saying(Array.from({ length: 50 }, () => ({ type: 'image_url', image_url: { url } }))),
    WINDOW,
  ),
  'an image of 8,000 by 8,000 pixels': inMessages(
    [{ type: 'image', source: source(base64(png(8_000, 8_000)), 'image/png') }],
    62_500,
  ),
  'a text file that begins like a PDF of one page': inChat(
    saying([{ type: 'file', file: { filename: 'a.txt', file_data: textLikeAPdf } }]),
    50_000,
  ),
  'text dressed as media': inChat(saying('QUJD'.repeat(20_000)), 62_000),
  'text that normalizing tokenizers expand': inChat(saying('\ufdfa'.repeat(2_000)), 30_000),
  'searches whose results are read again each time': {
    path: MESSAGES,
    body: {
      ...{ model: 'scripted-messages', max_tokens: 64, ...saying('Hi') },
      tools: [{ type: 'web_search_20260318', name: 'web_search', max_uses: 3 }],
    },
    ...{ input: 20_000 + 40_000 + 60_000, output: 64, searches: 3 },
  },
  digits: inChat(saying('0123456789'.repeat(5_000)), 50_000),
  'hidden thinking': inChat(
    { reasoning: { effort: 'high', exclude: true }, max_tokens: 10_000 },
    10,
    10_000,
  ),
};

/**
 * Answers like a provider, and adds the provider's bill to `billed`. The output is truncated at the
 * limit that the gateway sent.
 */
function answer({ path, input, output: most, searches = 0 }: Attack, body: unknown): Response {
  const limit = Number(at(body, 'max_tokens') ?? at(body, 'max_completion_tokens') ?? most);
  const output = Math.min(most, limit);
  const times = path === MESSAGES && input > LONG_PROMPT ? 2n : 1n;
  billed += times * (BigInt(input) * INPUT_NANO + BigInt(output) * OUTPUT_NANO);
  billed += BigInt(searches) * SEARCH_NANO;
  const server_tool_use = { web_search_requests: searches };
  const usage = { input_tokens: input, output_tokens: output, server_tool_use };
  const counts = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  const said = { role: 'assistant', content: 'Hi' };
  return path === MESSAGES
    ? Response.json({
        ...{ id: 'msg_1', type: 'message', role: 'assistant', stop_reason: 'end_turn', usage },
        content: [{ type: 'text', text: 'Hi' }],
      })
    : Response.json({
        ...{ id: 'chatcmpl-1', object: 'chat.completion', usage: counts },
        choices: [{ index: 0, message: said, finish_reason: 'stop' }],
      });
}

/**
 * Sends a request again while the store is too slow to decide it, as clients do. On a busy machine,
 * one node may wait too long for the money that the other node holds.
 */
async function insist(send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send();
  return answer.at('error.code') === 'store_unavailable' ? await insist(send) : answer;
}

/** The total that the provider has billed for the attack, in nano-USD. */
let billed = 0n;

describe.each([
  ['SQLite', () => [alone]],
  ['two nodes on one PostgreSQL', () => shared.nodes],
] as const)('on %s', (_name, nodesOf) => {
  const first = (): GatewayProcess => nodesOf()[0] ?? alone;

  async function burst(attack: Attack, limits: object | null) {
    billed = 0n;
    upstream.script(({ body }) => answer(attack, body));
    const [client] = await openClients(first(), { USD: limits === null ? FUNDS : '1000' }, 1);
    if (client === undefined) throw new Error('no client');
    if (limits !== null) await admin(first(), 'PATCH', `/keys/${client.keyId}`, { limits });
    const nodes = nodesOf();
    const asked = Array.from({ length: ASKED }, async (_, index): Promise<Answer> => {
      const { url } = nodes[index % nodes.length] ?? alone;
      return await insist(() => ask({ url, key: client.key }, attack.path, attack.body));
    });
    const answers = await Promise.all(asked);
    const served = answers.filter(({ status }) => status === 200).length;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 402]));
    const { balance } = await settledWallet({ ...first(), ...client });
    return { served, balance };
  }

  test.each(Object.entries(ATTACKS))(
    '%s never costs more than the wallet has',
    async (_, attack) => {
      const { served, balance } = await burst(attack, null);
      expect(served).toBeGreaterThan(0);
      expect(balance).toBe(FUNDS_NANO - billed);
      expect(await breaches(first())).toEqual([]);
    },
  );

  test("a PDF by address never costs more than the key's cap", async () => {
    await awayFromMidnight();
    const pdfByUrl = inMessages([{ type: 'document', source: { type: 'url', url } }], WINDOW);
    const { served } = await burst(pdfByUrl, { spend: { day: '0.50' } });
    expect(served).toBeGreaterThan(0);
    expect(billed <= FUNDS_NANO / 2n).toBe(true);
  });
});
