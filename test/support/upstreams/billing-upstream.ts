/**
 * For tests: an upstream that bills like a provider, for the fields that it receives and the work
 * that it does. It computes its bills without any code of the gateway.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { seededRandom } from '../random.ts';
import { at, type Json } from '../wire.ts';
import { drawImages, IMAGE_FORBIDDEN } from './billing-images.ts';

/** Prices in pico-USD per token. The same number is the price in micro-USD per 1M tokens. */
type Prices = { input: bigint; read: bigint; write: bigint; write1h: bigint; output: bigint };
const usd = (perMillion: number): bigint => BigInt(Math.round(perMillion * 1_000_000));
const prices = (input: number, read: number, write: number, write1h: number, output: number) => ({
  input: usd(input),
  read: usd(read),
  write: usd(write),
  write1h: usd(write1h),
  output: usd(output),
});

/** The number of prompt tokens above which all tokens of the request cost more. */
export const LONG_PROMPT = 3_000;
export const CHAT_PRICES = {
  plain: prices(2, 0.2, 2.5, 4, 8),
  long: prices(4, 0.4, 5, 8, 12),
  priority: prices(5, 0.5, 6.25, 10, 20),
  longPriority: prices(10, 1, 12.5, 20, 30),
};
export const MESSAGES_PRICES = {
  plain: prices(3, 0.3, 3.75, 6, 15),
  fast: prices(6, 0.6, 7.5, 12, 30),
};
const SEARCH_PICO = 10_000_000_000n;
const SEARCH_TOKENS = 400;
/** The number of bytes of text that count as one token when the upstream reports no usage. */
const BYTES_PER_TOKEN = 4;

export type Bill = {
  /** The amount that the provider bills, in pico-USD. */
  readonly pico: bigint;
  /** Whether the upstream closed the connection before the end of the answer. */
  readonly isCut: boolean;
  /**
   * Returns the minimum charge for a truncated answer, in pico-USD: zero if no text arrived,
   * otherwise the price of the prompt and of one token for every four bytes of text.
   */
  readonly leastForCut: (receivedBytes: number) => bigint;
};

export type BillingUpstream = {
  readonly host: string;
  /** The bill of each request, by the marker `case-N` in the request's first message or prompt. */
  readonly bills: ReadonlyMap<string, Bill>;
  /**
   * The names of fields that the upstream received, although the gateway does not sell their effect
   * and should not send them.
   */
  readonly foreign: readonly string[];
  readonly stop: () => void;
};

/**
 * Matches fields that have effects outside of the request, or that run another model or program.
 * The gateway must not send any of them.
 */
const FORBIDDEN =
  /^(?:models|route|fallbacks|plugins|preset|web_search_options|store_id|container|mcp_servers|thread|moderation|api_base|user_config|lora_request|kv_transfer_params|fallback_credit_token|billing_policy|previous_response_id|best_of|mock_testing_fallbacks)$/i;

type Work = {
  readonly prompt: number;
  readonly read: number;
  readonly write: number;
  readonly write1h: number;
  readonly visible: number;
  readonly hidden: number;
  readonly searches: number;
  readonly isServedAsAsked: boolean;
  readonly isCut: boolean;
};

export async function startBillingUpstream(seed: number): Promise<BillingUpstream> {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * (limit + 1));
  const bills = new Map<string, Bill>();
  const foreign: string[] = [];

  /** Selects at random how many tokens and searches a request takes, within its limits. */
  function work(body: Json, isChat: boolean): Work {
    const marked = /break-off/.test(JSON.stringify(body['messages']));
    const text = JSON.stringify([body['messages'], body['system'], body['tools']]);
    const mostSearches = isChat ? 0 : Number(at(body, 'tools.0.max_uses') ?? 0);
    const searches = below(mostSearches);
    const prompt = 1 + below(Math.floor(text.length / 2)) + searches * SEARCH_TOKENS;
    const read = below(prompt);
    const write = below(prompt - read);
    const isHour = !isChat && text.includes('"ttl":"1h"');
    const most = Number(body['max_completion_tokens'] ?? body['max_tokens'] ?? 0);
    const output = below(most) * Number(body['n'] ?? 1);
    const thinks = (body['reasoning_effort'] ?? body['thinking'] ?? null) !== null;
    const hidden = thinks ? below(output) : 0;
    return {
      prompt: prompt - read - write,
      read,
      write: isHour ? 0 : write,
      write1h: isHour ? write : 0,
      visible: output - hidden,
      hidden,
      searches,
      isServedAsAsked: random() < 0.8,
      isCut: marked,
    };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as Json;
    if (request.url?.endsWith('/images/generations') === true) {
      foreign.push(...Object.keys(body).filter((name) => IMAGE_FORBIDDEN.test(name)));
      const { bill, answer } = drawImages(body, random);
      bills.set(markerIn(body['prompt']), bill);
      return void (bill.isCut ? response.destroy() : response.end(JSON.stringify(answer)));
    }
    const isChat = request.url?.endsWith('/chat/completions') === true;
    foreign.push(...Object.keys(body).filter((name) => FORBIDDEN.test(name)));
    const done = work(body, isChat);
    const reported = isChat ? chatUsage(body, done) : messagesUsage(body, done);
    bills.set(markerIn(body['messages']), {
      pico: reported.pico,
      isCut: done.isCut,
      leastForCut: (receivedBytes) => leastForCut(body, isChat, done, receivedBytes),
    });
    const isStream = body['stream'] === true;
    const type = isStream ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    const words = 'word '.repeat(done.visible);
    if (!isStream) {
      if (done.isCut) return void response.destroy();
      return void response.end(
        JSON.stringify(isChat ? chatAnswer(words, reported) : messagesAnswer(words, reported)),
      );
    }
    const events = isChat ? chatEvents(words, reported) : messagesEvents(words, reported);
    for (const [index, event] of events.entries()) {
      if (done.isCut && index === events.length - 2) return void response.destroy();
      response.write(event);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    response.end();
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  return {
    host: await listening(server),
    bills,
    foreign,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `127.0.0.1:${address.port}`;
}

const markerIn = (text: unknown): string => /case-\d+/.exec(JSON.stringify(text))?.[0] ?? 'unknown';

type Reported = { readonly pico: bigint; readonly usage: Json; readonly facts: Json };

function sum(rate: Prices, { prompt, read, write, write1h, visible, hidden }: Work): bigint {
  const lines: readonly (readonly [bigint, number])[] = [
    [rate.input, prompt],
    [rate.read, read],
    [rate.write, write],
    [rate.write1h, write1h],
    [rate.output, visible + hidden],
  ];
  return lines.reduce((total, [each, count]) => total + each * BigInt(count), 0n);
}

function leastForCut(body: Json, isChat: boolean, done: Work, receivedBytes: number): bigint {
  if (receivedBytes === 0) return 0n;
  const seen = { ...done, visible: Math.ceil(receivedBytes / BYTES_PER_TOKEN), hidden: 0 };
  if (!isChat) return messagesUsage(body, seen).pico;
  // A chat stream reports the prompt tokens only at its end, so a truncated answer does not report
  // them. The gateway then estimates the prompt tokens by the length of the prompt, and counts none
  // of them as cached.
  const content = String(at(body, 'messages.0.content') ?? '');
  const prompt = Math.floor(content.length / BYTES_PER_TOKEN);
  return chatUsage(body, { ...seen, prompt, read: 0, write: 0 }).pico;
}

function chatUsage(body: Json, done: Work): Reported {
  const isPriority = body['service_tier'] === 'priority' && done.isServedAsAsked;
  const prompt = done.prompt + done.read + done.write;
  const isLong = prompt > LONG_PROMPT;
  const { plain, long, priority, longPriority } = CHAT_PRICES;
  const rate = isPriority ? (isLong ? longPriority : priority) : isLong ? long : plain;
  const completion = done.visible + done.hidden;
  return {
    pico: sum(rate, done),
    facts: { service_tier: isPriority ? 'priority' : 'default' },
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { cached_tokens: done.read, cache_write_tokens: done.write },
      completion_tokens_details: { reasoning_tokens: done.hidden },
    },
  };
}

function messagesUsage(body: Json, done: Work): Reported {
  const isFast = body['speed'] === 'fast' && done.isServedAsAsked;
  const isUs = body['inference_geo'] === 'us';
  const tokens = sum(isFast ? MESSAGES_PRICES.fast : MESSAGES_PRICES.plain, done);
  // Inference in the US costs ten percent more per token; fees do not change.
  const pico = (isUs ? (tokens * 11n) / 10n : tokens) + SEARCH_PICO * BigInt(done.searches);
  return {
    pico,
    facts: {},
    usage: {
      input_tokens: done.prompt,
      cache_read_input_tokens: done.read,
      cache_creation_input_tokens: done.write + done.write1h,
      cache_creation: {
        ephemeral_5m_input_tokens: done.write,
        ephemeral_1h_input_tokens: done.write1h,
      },
      output_tokens: done.visible + done.hidden,
      server_tool_use: { web_search_requests: done.searches },
      service_tier: 'standard',
      speed: isFast ? 'fast' : 'standard',
      inference_geo: isUs ? 'us' : 'global',
    },
  };
}

const chatAnswer = (content: string, { usage, facts }: Reported): Json => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'there',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage,
  ...facts,
});

function chatEvents(words: string, { usage, facts }: Reported): readonly string[] {
  const chunk = (more: Json): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'there', ...facts, ...more })}\n\n`;
  const delta = (content: string): string =>
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
  return [
    delta(words),
    delta('.'),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage }),
    'data: [DONE]\n\n',
  ];
}

const messagesAnswer = (text: string, { usage }: Reported): Json => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'there',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
});

function messagesEvents(text: string, { usage }: Reported): readonly string[] {
  const event = (type: string, more: Json): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const message = { ...messagesAnswer('', { pico: 0n, usage, facts: {} }), content: [] };
  const start = { ...message, stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const delta = (piece: string): string =>
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } });
  return [
    event('message_start', { message: start }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    delta(text),
    delta('.'),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage['output_tokens'], server_tool_use: usage['server_tool_use'] },
    }),
    event('message_stop', {}),
  ];
}
