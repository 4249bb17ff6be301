/**
 * For tests: clients that send requests of every kind, one after the other, and record how each
 * request ended. Some disconnect early, some send invalid requests, and some have almost no money.
 */

import { between, oneOf, type Random, seededRandom } from '../random.ts';
import { at, CHAT, eventsOf, IMAGES, MESSAGES } from '../wire.ts';
import type { Acknowledged, End, Invocation, Kind } from './history.ts';
import { admin, nanoOf } from './ledger-views.ts';

export type Client = { readonly keyId: string; readonly accountId: string; readonly key: string };

export type LoadOptions = {
  readonly seed: number;
  readonly clients: readonly Client[];
  /** Returns the URLs of the gateways. For each request, a client selects one of them at random. */
  readonly urls: () => readonly string[];
  /** If n, clients disconnect early from about one in n requests, at random; null for never. */
  readonly leavesOneIn?: number | null;
};

export type Load = {
  /** All requests that have ended so far. */
  readonly history: readonly Invocation[];
  /** Lets each client finish its current request. Returns all requests. */
  readonly stop: () => Promise<readonly Invocation[]>;
};

/** How long a client waits after a request that did not succeed, in ms. */
const RETRY_MS = 20;
const LEAVES_ONE_IN = 8;
const MAX_PATIENCE_MS = 40;

type Ask = Kind & { readonly path: string; readonly body: object };

export function startLoad({ seed, clients, urls, leavesOneIn = LEAVES_ONE_IN }: LoadOptions): Load {
  const history: Invocation[] = [];
  let isStopped = false;
  const runs = clients.map(async (client, index) => {
    const random = seededRandom(seed + index);
    while (!isStopped) {
      const url = oneOf(random, urls());
      const ask = drawAsk(random);
      const leaves = leavesOneIn !== null && between(random, 1, leavesOneIn) === 1;
      const patienceMs = leaves ? between(random, 0, MAX_PATIENCE_MS) : null;
      const invocation = await invoke(url, client, ask, patienceMs);
      history.push(invocation);
      if (invocation.end.as !== 'ok') await Bun.sleep(RETRY_MS);
    }
  });
  return {
    history,
    stop: async () => {
      isStopped = true;
      await Promise.all(runs);
      return history;
    },
  };
}

/** Sends one non-streaming request and waits for its end. */
export const askOnce = (url: string, client: Client): Promise<Invocation> =>
  invoke(url, client, chat('gen-opus-4-8', 'Count from 1 to 5', false), null);

async function invoke(
  url: string,
  { keyId, key }: Client,
  ask: Ask,
  patienceMs: number | null,
): Promise<Invocation> {
  const { endpoint, model, streamed } = ask;
  const invokedAtMs = Date.now();
  const end = await send(url, key, ask, patienceMs);
  return { keyId, endpoint, model, streamed, invokedAtMs, endedAtMs: Date.now(), end };
}

export type Wallets = Readonly<Partial<Record<'USD' | 'CNY', string>>>;

/** Creates an account with this money, and several clients of this account. */
export async function openClients(
  target: { readonly url: string; readonly adminToken: string },
  money: Wallets,
  count: number,
): Promise<readonly Client[]> {
  const made = await admin(target, 'POST', '/accounts', { name: 'load', allow_exchange: true });
  const accountId = String(made.at('id'));
  for (const [currency, amount] of Object.entries(money)) {
    const credit = { amount, currency, reason: 'load' };
    const { status, text } = await admin(target, 'POST', `/accounts/${accountId}/credits`, credit);
    if (status !== 201) throw new Error(text);
  }
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const body = { account_id: accountId, name: 'load' };
      const key = await admin(target, 'POST', '/keys', body);
      return { keyId: String(key.at('id')), accountId, key: String(key.at('secret')) };
    }),
  );
}

/**
 * Creates clients of three accounts: one with ample money, one with money in both currencies, and
 * one with too little money for the run.
 */
export async function mixedClients(target: {
  readonly url: string;
  readonly adminToken: string;
}): Promise<readonly Client[]> {
  const groups = [
    await openClients(target, { USD: '1000' }, 4),
    await openClients(target, { USD: '100', CNY: '100' }, 2),
    await openClients(target, { USD: '0.02' }, 2),
  ];
  return groups.flat();
}

/** Counts requests by how they ended, such as `ok` or `refused 402`. */
export function tally(history: readonly Invocation[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { end } of history) {
    const name = end.as === 'refused' ? `refused ${end.status}` : end.as;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const says = (content: string) => ({ messages: [{ role: 'user', content }] });
const chat = (model: string, content: string, streamed: boolean): Ask => ({
  endpoint: 'chat',
  model,
  streamed,
  path: CHAT,
  body: {
    model,
    ...says(content),
    ...(streamed ? { stream: true, stream_options: { include_usage: true } } : {}),
  },
});
const message = (model: string, content: string, streamed: boolean): Ask => ({
  endpoint: 'messages',
  model,
  streamed,
  path: MESSAGES,
  body: { model, max_tokens: 4096, ...says(content), stream: streamed },
});

function drawAsk(random: Random): Ask {
  const content = `Count from 1 to ${between(random, 1, 60)}`;
  // The upstream reads from this prompt how many pieces to stream, and at which interval. Most of
  // these streams are so long that their hold must be raised.
  const long = `${between(random, 4, 36)} pieces, ${between(random, 1, 20)} ms`;
  return oneOf(random, [
    () => chat('gen-opus-4-8', content, false),
    () => chat('gen-opus-4-8', content, true),
    () => chat('gen-v4-flash', content, false),
    () => chat('gen-v4-pro', content, true),
    () => message('gen-sonnet-5', content, false),
    () => message('gen-v4-flash', content, true),
    () => chat('scripted-chat', long, true),
    () => chat('scripted-chat', long, true),
    () => image(),
    () => chat('nobody-sells-this', content, false),
  ])();
}

const image = (): Ask => {
  const body = {
    model: 'img-2',
    prompt: 'a red boat',
    size: '256x256',
    response_format: 'b64_json',
  };
  return { endpoint: 'images', model: 'img-2', streamed: false, path: IMAGES, body };
};

/**
 * Sends a request and returns how it ended.
 * @param patienceMs how long the client waits before it disconnects; null: until the end.
 */
async function send(url: string, key: string, ask: Ask, patienceMs: number | null): Promise<End> {
  const leaving = new AbortController();
  const timer = patienceMs === null ? undefined : setTimeout(() => leaving.abort(), patienceMs);
  let requestId: string | null = null;
  try {
    const response = await fetch(`${url}${ask.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask.body),
      signal: leaving.signal,
      // Uses a new connection for each request. With a reused connection that is broken, fetch
      // would silently send the request again.
      keepalive: false,
    });
    requestId = response.headers.get('x-request-id') ?? '';
    const text = await response.text();
    if (!response.ok) return { as: 'refused', requestId, status: response.status };
    const acknowledged = ask.streamed ? ofStream(text) : ofAnswer(response.headers, text);
    return acknowledged === null
      ? { as: 'unknown', requestId }
      : { as: 'ok', requestId, ...acknowledged };
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ECONNREFUSED')
      return { as: 'unsent' };
    return { as: 'unknown', requestId };
  } finally {
    clearTimeout(timer);
  }
}

function ofAnswer(headers: Headers, text: string): Acknowledged {
  const [amount, currency = ''] = (headers.get('x-cost') ?? '').split(' ');
  const usage = at(JSON.parse(text), 'usage');
  return { cost: nanoOf(amount), currency, ...tokensOf(usage) };
}

/** Returns the cost and usage of a complete stream; null for an interrupted stream. */
export function ofStream(text: string): Acknowledged | null {
  if (!text.endsWith('data: [DONE]\n\n') && !text.includes('event: message_stop\n')) return null;
  const last = eventsOf(text).findLast(({ data }) => data.includes('"cost_exact"'));
  if (last === undefined) throw new Error(`no cost in ${text.slice(-500)}`);
  const usage = at(JSON.parse(last.data), 'usage');
  const cost = nanoOf(at(usage, 'cost_exact'));
  return { cost, currency: String(at(usage, 'cost_currency')), ...tokensOf(usage) };
}

/**
 * Reads the token counts in the format of either protocol. They are zero without usage, as for an
 * image.
 */
function tokensOf(usage: unknown): Pick<Acknowledged, 'promptTokens' | 'completionTokens'> {
  const count = (...names: readonly string[]): bigint =>
    names.reduce((sum, name) => sum + BigInt(Number(at(usage, name) ?? 0)), 0n);
  const cached = ['cache_creation_input_tokens', 'cache_read_input_tokens'];
  return {
    promptTokens: count('prompt_tokens', 'input_tokens', ...cached),
    completionTokens: count('completion_tokens', 'output_tokens'),
  };
}
