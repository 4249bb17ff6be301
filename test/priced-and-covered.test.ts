/**
 * Tests random requests against an upstream that bills like a provider, for what it receives and
 * generates. Receipts must equal the bills to the last digit. No field whose effect the gateway
 * does not sell may reach the upstream. If the upstream truncates an answer, the charge is at least
 * the price of the text that arrived, and at most the hold. The hold also covers the provider's
 * bill for the truncated answer.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { newTestDatabase } from '../src/ledger/postgres/postgres.fixture.ts';
import { CHAT_FIELDS } from '../src/protocols/chat/fields.ts';
import { MESSAGES_FIELDS } from '../src/protocols/messages/fields.ts';
import { RESPONSES_FIELDS } from '../src/protocols/responses/fields.ts';
import { KNOWN_FIELDS } from '../src/upstreams/known-fields.ts';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { admin, breaches, nanoOf, nothingHeld, receiptOf } from './support/history/ledger-views.ts';
import { between, oneOf, printedSeed, type Random, seededRandom } from './support/random.ts';
import {
  IMAGE_PRICES,
  IMAGE_TOKEN_PRICES,
  IMAGE_TOKENS,
} from './support/upstreams/billing-images.ts';
import {
  type Bill,
  type BillingUpstream,
  CHAT_PRICES,
  LONG_PROMPT,
  MESSAGES_PRICES,
  startBillingUpstream,
} from './support/upstreams/billing-upstream.ts';
import {
  at,
  CHAT,
  get,
  IMAGES,
  type Json,
  MESSAGES,
  post,
  RESPONSES,
  readUntil,
} from './support/wire.ts';

/**
 * The number of requests for each store engine. PostgreSQL gets fewer requests, because the engines
 * differ only in how they store the ledger.
 */
const REQUESTS = { SQLite: 1_500, PostgreSQL: 500 } as const;
const ENGINES = ['SQLite', 'PostgreSQL'] as const;
const CALLERS = 12;
const seed = printedSeed('priced and covered');

const decimal = (pico: bigint): string => `"${Number(pico) / 1_000_000}"`;
const listed = ({ input, read, write, write1h, output }: (typeof CHAT_PRICES)['plain']): string =>
  `input: ${decimal(input)}, cache_read: ${decimal(read)}, cache_write: ${decimal(write)}, cache_write_1h: ${decimal(write1h)}, output: ${decimal(output)}`;

const modelYaml = (id: string, upstream: string, price: string): string => `
  ${id}:
    kind: chat
    maker: gen
    context_window: 100000
    max_output: 10000
    input: [text, image, file]
    default_channel: direct
    channels:
      direct:
        price: { ${price} }
        routes: [{ upstream: ${upstream}, model: there }]
`;
const CHAT_CARD = `${listed(CHAT_PRICES.plain)}, admit: { tier: [priority] }, rows: [
          { when: { prompt_over: ${LONG_PROMPT} }, ${listed(CHAT_PRICES.long)} },
          { when: { tier: priority }, ${listed(CHAT_PRICES.priority)} },
          { when: { tier: priority, prompt_over: ${LONG_PROMPT} }, ${listed(CHAT_PRICES.longPriority)} }]`;
const MESSAGES_CARD = `${listed(MESSAGES_PRICES.plain)},
          admit: { speed: [fast], geo: [us], tools: [web_search] },
          rows: [{ when: { speed: fast }, ${listed(MESSAGES_PRICES.fast)} }],
          times: [{ when: { geo: us }, tokens: "1.1" }], fees: { web_search: "0.01" },
          limits: { uses: { web_search: 3 }, tokens_per_use: { web_search: 400 } }`;

const imagesYaml = (id: string, there: string, price: string, more = ''): string => `
  ${id}:
    kind: image
    maker: img
    sizes: [64x64, 96x64]
    max_images: 4
    qualities: [medium, low, high]
    image_tokens: { ${Object.entries(IMAGE_TOKENS).map(([key, most]) => `${key}: ${most}`)} }
    default_channel: direct
    channels:
      direct:
        price: { ${price} }
        routes: [{ upstream: bill-openai, model: ${there}${more} }]
`;
const byToken = ({ input, read, text, image }: (typeof IMAGE_TOKEN_PRICES)['plain']): string =>
  `input: ${decimal(input)}, cache_read: ${decimal(read)}, output: ${decimal(text)}, image_output: ${decimal(image)}`;
const IMAGE_TOKENS_CARD = `${byToken(IMAGE_TOKEN_PRICES.plain)}, rows: [
          { when: { quality: high }, ${byToken(IMAGE_TOKEN_PRICES.high)} },
          { when: { quality: high, size: 96x64 }, ${byToken(IMAGE_TOKEN_PRICES.largeHigh)} }]`;
const perImage = Object.entries(IMAGE_PRICES).map(([key, pico]) => {
  const size = key.replace('/medium', '');
  return `${size}: "${Number(pico) / 1e12}"`;
});
const IMAGES_CARD = `per_image: { ${perImage} }`;

const config = (host: string): string =>
  shippedConfig({
    '\nupstreams:\n': `\nupstreams:
  bill-openai: { protocol: openai, make: openai, base_url: "http://${host}/v1", api_key: k, allow_private: true, quirks: { on_disconnect: read_on, responses: false } }
  bill-anthropic: { protocol: anthropic, make: anthropic, base_url: "http://${host}", api_key: k, allow_private: true, quirks: { on_disconnect: read_on } }
`,
    '\nmodels:\n': `\nmodels:\n${modelYaml('bill-chat', 'bill-openai', CHAT_CARD)}${modelYaml('bill-messages', 'bill-anthropic', MESSAGES_CARD)}${imagesYaml('bill-image-tokens', 'by-token', IMAGE_TOKENS_CARD)}${imagesYaml('bill-images', 'by-image', IMAGES_CARD)}${imagesYaml('bill-any-quality', 'by-token', IMAGE_TOKENS_CARD, ', drop: [quality]')}`,
  });

const NEEDED = [
  ...['model', 'messages', 'input', 'max_tokens', 'max_output_tokens', 'stream', 'tools'],
];
const KNOWN_NAMES = [
  ...Object.keys(CHAT_FIELDS.rules),
  ...Object.keys(MESSAGES_FIELDS.rules),
  ...Object.keys(RESPONSES_FIELDS.rules),
  ...Object.values(KNOWN_FIELDS).flatMap(({ chat }) => Object.keys(chat ?? {})),
  ...['models', 'route', 'preset', 'plugins', 'fallbacks', 'mock_testing_fallbacks', 'api_base'],
  ...['Model', 'MAX_TOKENS', 'Stream_Options', 'x_future', 'previous_response_id'],
].filter((name) => !NEEDED.includes(name));
const JUNK = [true, false, 3, 'expensive', ['expensive'], [{ id: 'web' }], { model: 'expensive' }];

const IMAGE_JUNK: readonly Json[] = [
  ...[{ stream: true }, { stream: true, partial_images: 3 }, { partial_images: 1 }],
  ...[{ quality: 'max' }, { size: '4096x4096' }, { n: 5 }, { n: 0 }, { Quality: 'high' }],
  ...[{ background: 'transparent' }, { output_format: 'gif' }, { svg: { model: 'expensive' } }],
  ...[{ service_tier: 'priority' }, { input_fidelity: 'high' }, { frame_count: 16 }],
];

type Case = { readonly id: string; readonly path: string; readonly body: Json };

function randomCase(index: number, random: Random): Case {
  const id = `case-${index}`;
  const maybe = (chance: number, fields: () => Json): Json => (random() < chance ? fields() : {});
  const words = 'some words of a prompt '.repeat(between(random, 1, oneOf(random, [4, 40, 600])));
  const text = `${id} ${random() < 0.12 ? 'break-off' : ''} ${words}`;
  const common = {
    ...maybe(0.5, () => ({ stream: true })),
    ...maybe(0.2, () => ({ temperature: 0.5 })),
    ...maybe(0.25, () => ({ [oneOf(random, KNOWN_NAMES)]: oneOf(random, JUNK) })),
  };
  if (random() < 0.2) {
    const body = {
      model: oneOf(random, ['bill-image-tokens', 'bill-images', 'bill-any-quality']),
      prompt: text.slice(0, 4_000),
      ...maybe(0.5, () => ({ n: between(random, 1, 4) })),
      ...maybe(0.6, () => ({ size: oneOf(random, ['64x64', '96x64', 'auto']) })),
      ...maybe(0.8, () => ({ quality: oneOf(random, ['low', 'medium', 'high', 'high', 'auto']) })),
      ...maybe(0.1, () => oneOf(random, IMAGE_JUNK)),
    };
    return { id, path: IMAGES, body };
  }
  const most = between(random, 1, 2_000);
  if (random() < 0.25) {
    const body = {
      model: oneOf(random, ['bill-chat', 'bill-messages']),
      ...{ input: [{ role: 'user', content: text }], max_output_tokens: most },
      ...maybe(0.3, () => ({ reasoning: { effort: oneOf(random, ['low', 'high']) } })),
      ...maybe(0.3, () => ({ service_tier: oneOf(random, ['auto', 'default', 'priority']) })),
      ...maybe(0.2, () => ({ store: true, user: 'u-1', client_metadata: { a: 'b' } })),
      ...maybe(0.3, () => ({
        tools: [{ type: 'function', name: 'look' }, { type: 'web_search' }],
      })),
      ...common,
    };
    return { id, path: RESPONSES, body };
  }
  if (random() < 0.5) {
    const body = {
      model: 'bill-chat',
      messages: [{ role: 'user', content: text }],
      [oneOf(random, ['max_tokens', 'max_completion_tokens'])]: most,
      ...maybe(0.3, () => ({ reasoning_effort: oneOf(random, ['low', 'high']) })),
      ...maybe(0.2, () => ({ n: between(random, 1, 3) })),
      ...maybe(0.4, () => ({
        service_tier: oneOf(random, ['auto', 'default', 'priority', 'flex']),
      })),
      ...maybe(0.2, () => ({ store: random() < 0.5, user: 'u-1', metadata: { a: 'b' } })),
      ...common,
    };
    return { id, path: CHAT, body };
  }
  const marker = { type: 'ephemeral', ...maybe(0.5, () => ({ ttl: '1h' })) };
  const block = { type: 'text', text, ...maybe(0.3, () => ({ cache_control: marker })) };
  const search = {
    type: 'web_search_20260318',
    name: 'web_search',
    max_uses: between(random, 1, 3),
  };
  const body = {
    model: 'bill-messages',
    max_tokens: most,
    messages: [{ role: 'user', content: [block] }],
    ...maybe(0.3, () => ({ thinking: { type: 'adaptive' } })),
    ...maybe(0.3, () => ({ speed: oneOf(random, ['standard', 'fast']) })),
    ...maybe(0.3, () => ({ inference_geo: oneOf(random, ['global', 'us', 'eu']) })),
    ...maybe(0.3, () => ({ service_tier: oneOf(random, ['auto', 'standard_only']) })),
    ...maybe(0.3, () => ({ tools: [search] })),
    ...common,
  };
  return { id, path: MESSAGES, body };
}

type Ending = 'refused' | 'ended' | 'left';
type Answered = {
  readonly ending: Ending;
  readonly requestId: string;
  /** The number of bytes of text in the events that the caller received completely. */
  readonly receivedBytes: number;
};

async function send(gateway: GatewayProcess, { path, body }: Case, leaves: boolean) {
  const response = await post(gateway, path, body);
  const requestId = response.headers.get('x-request-id') ?? '';
  if (response.status !== 200) {
    await response.text();
    return { ending: 'refused', requestId, receivedBytes: 0 } satisfies Answered;
  }
  if (leaves && body['stream'] === true) {
    const running = await readUntil(response, (text) => text.length > 0);
    await running.cancel();
    const receivedBytes = textBytesIn(running.text());
    return { ending: 'left', requestId, receivedBytes } satisfies Answered;
  }
  const receivedBytes = textBytesIn(await response.text());
  return { ending: 'ended', requestId, receivedBytes } satisfies Answered;
}

function textBytesIn(stream: string): number {
  const whole = stream.slice(0, stream.lastIndexOf('\n\n') + 1);
  const texts = [...whole.matchAll(/^data: (\{.*\})$/gm)].map(([, data = '']) => {
    const event: unknown = JSON.parse(data);
    const said = at(event, 'choices.0.delta.content') ?? at(event, 'delta.text');
    const isPiece = at(event, 'type') === 'response.output_text.delta';
    return String(said ?? (isPiece ? at(event, 'delta') : ''));
  });
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** Rounds pico-USD to nano-USD, half to even. */
function toNano(pico: bigint): bigint {
  const [whole, rest] = [pico / 1000n, pico % 1000n];
  return rest > 500n || (rest === 500n && whole % 2n === 1n) ? whole + 1n : whole;
}

describe.each(ENGINES)('on %s', (engine) => {
  let upstream: BillingUpstream;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    upstream = await startBillingUpstream(seed);
    const env = engine === 'SQLite' ? {} : { MODELGATE_DATABASE: await newTestDatabase() };
    gateway = await startGateway({ config: config(upstream.host), credit: '100000 USD', env });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    upstream.stop();
  });

  test(
    'every receipt equals the bill of its provider',
    async () => {
      const random = seededRandom(seed + 1);
      const cases = Array.from({ length: REQUESTS[engine] }, (_, index) =>
        randomCase(index, random),
      );
      const leaves = cases.map(() => random() < 0.2);
      const answers = new Map<string, Answered>();
      let next = 0;
      const call = async (): Promise<void> => {
        for (let index = next++; index < cases.length; index = next++) {
          const each = cases[index];
          if (each === undefined) return;
          answers.set(each.id, await send(gateway, each, leaves[index] === true));
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, call));
      await nothingHeld(gateway);
      // The ledger reports no overruns, so every hold covered the price of its answer.
      expect((await admin(gateway, 'GET', '/ledger/overruns')).at('data')).toEqual([]);

      expect(upstream.foreign).toEqual([]);
      const wrong: unknown[] = [];
      const counts = { refused: 0, exact: 0, cut: 0, cutAfterText: 0 };
      const exactModels = new Set<unknown>();
      for (const each of cases) {
        const answer = answers.get(each.id);
        const bill = upstream.bills.get(each.id);
        if (answer?.ending === 'refused' && bill?.isCut !== true) {
          counts.refused += 1;
          if (bill !== undefined) wrong.push({ ...each, why: 'refused, but billed', bill });
        } else if (bill === undefined) {
          wrong.push({ ...each, why: 'answered, but not billed' });
        } else if (bill.isCut) {
          counts.cut += 1;
          if ((answer?.receivedBytes ?? 0) > 0) counts.cutAfterText += 1;
          const problem = await cutProblem(gateway, answer, bill);
          if (problem !== null)
            wrong.push({ ...each, why: problem, bill: toNano(bill.pico), answer });
        } else {
          counts.exact += 1;
          exactModels.add(each.body['model']);
          const charged = await chargeOf(gateway, answer?.requestId ?? '');
          if (charged !== toNano(bill.pico))
            wrong.push({ ...each, why: `charged ${charged}`, bill: toNano(bill.pico), answer });
        }
      }
      expect(wrong).toEqual([]);
      // The random requests must have covered all kinds of endings and all models.
      expect(exactModels.size).toBe(5);
      expect(Object.values(counts)).not.toContain(0);
      expect(await breaches(gateway)).toEqual([]);
    },
    30 * 60_000,
  );
});

/**
 * Checks the charge for an answer that the upstream truncated. Returns a description of the
 * problem; null if the charge is correct.
 */
async function cutProblem(
  gateway: GatewayProcess,
  answer: Answered | undefined,
  { pico, leastForCut }: Bill,
): Promise<string | null> {
  if (answer === undefined) return 'no answer';
  const receipt = await get(gateway, `/v1/requests/${answer.requestId}`);
  const amountAt = (path: string): bigint => nanoOf(receipt.at(`data.${path}`));
  const charge = amountAt('cost_details.charge');
  const held = amountAt('held');
  const arrived = toNano(leastForCut(answer.receivedBytes));
  // The usage of a truncated answer is estimated by its length. The estimated price may exceed the
  // hold, but the charge must not.
  const least = arrived < held ? arrived : held;
  if (charge < least) return `charged ${charge}, but what arrived costs ${least}`;
  if (answer.ending === 'refused' && charge !== 0n) return `charged ${charge} for an error`;
  if (charge > held) return `charged ${charge} of a hold of ${held}`;
  // The provider may bill more for the truncated answer than the caller pays, but not more than the
  // hold.
  if (toNano(pico) > held) return `the hold of ${held} is below the bill`;
  const loss = amountAt('cost_details.loss');
  return loss === 0n ? null : `lost ${loss}`;
}

async function chargeOf(gateway: GatewayProcess, requestId: string): Promise<bigint> {
  return nanoOf((await receiptOf(gateway, requestId)).at('data.cost_exact'));
}
