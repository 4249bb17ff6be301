/** Tests that memory is limited per stream, per event, and for all request bodies together. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { eventually } from './support/eventually.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { forgetPeak, peakMib, residentMib } from './support/gateways/process-memory.ts';
import { settledWallet } from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import { openRawCaller, type RawCaller } from './support/raw-caller.ts';
import {
  dialectOf,
  type HostileCall,
  type HostileUpstream,
  startHostileUpstream,
} from './support/upstreams/hostile-upstream.ts';
import {
  chatChunk,
  chatStream,
  chatUsage,
  messageEnd,
  messageStart,
  messagesEvent,
  messageWords,
} from './support/upstreams/scripted-upstream.ts';
import { readEnding } from './support/upstreams/stream-grammar.ts';
import { ask, at, CHAT, hello, MESSAGES, payloads } from './support/wire.ts';

const MIB = 1024 * 1024;
/**
 * The number of callers that open a stream and read nothing. Many are needed, because memory is
 * measured in whole pages, too coarsely for a single caller.
 */
const READERS = 32;
/**
 * Twice the budget of the benchmark (`slow-reader`), because memory that was freed goes back to the
 * system late. Without back-pressure, a reader takes hundreds of MiB.
 */
const MAX_MIB_PER_READER = 4;
const COLLECTED_WITHIN_MS = 30_000;
/** Enough rounds of eight requests for several collections of all objects. */
const LOAD_ROUNDS = 250;
/**
 * The maximum growth of memory, in MiB, for an event that exceeds the limit of 1 MiB. Such an event
 * fills a few buffers of 1 MiB before the gateway refuses it.
 */
const MAX_MIB_FOR_AN_EVENT = 48;
/** The same for an answer above the limit of 64 MiB, whose pieces are collected until then. */
const MAX_MIB_FOR_AN_ANSWER = 192;
const MAX_OUTPUT = 10_000_000;
const BUDGET_MIB = 32;
/** The size of the prompts of open streams. All together are far more than the heap varies by. */
const PROMPT_MIB = 4;
const LIMITS = `limits: { event_size: 1MiB, request_bytes: ${BUDGET_MIB}MiB }\n# limits: `;

let upstream: HostileUpstream;
let gateway: GatewayProcess;
/**
 * The gateway's memory in MiB under a load of short requests, before the tests. It includes what
 * the heap grows by between two collections, which is no memory of the readers.
 */
let heapMib: number;

beforeAll(async () => {
  upstream = await startHostileUpstream();
  // The kernel's socket buffers hold output that the caller has not read yet but must pay for. The
  // models' maximum output and the credit must be large enough for this output.
  const config = upstream.config({ '# limits: ': LIMITS });
  const generous = config.replaceAll('max_output: 10000\n', `max_output: ${MAX_OUTPUT}\n`);
  gateway = await startGateway({ config: generous, credit: '100000 USD' });
  for (const pair of pairs) await withStalledReaders(pair, () => Promise.resolve());
  forgetPeak(gateway.pid);
  for (let round = 0; round < LOAD_ROUNDS; round++) await askSome();
  heapMib = peakMib(gateway.pid);
});
afterEach(async () => {
  await settledWallet(gateway);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

/** Sends some short requests, which make the garbage collector run. */
const askSome = (): Promise<unknown> =>
  Promise.all(Array.from({ length: 8 }, () => ask(gateway, CHAT, hello.chat)));

const endpoints = ['chat', 'messages'] as const;
const pairs = endpoints.flatMap((endpoint) => endpoints.map((speaks) => ({ endpoint, speaks })));
type Pair = (typeof pairs)[number];
const pathOf = ({ endpoint }: Pair): string => (endpoint === 'chat' ? CHAT : MESSAGES);
const bodyOf = ({ endpoint, speaks }: Pair) => ({
  ...hello[endpoint],
  model: `scripted-${speaks}`,
  max_tokens: MAX_OUTPUT,
  stream: true,
});

/** Returns an event with this text in the upstream's protocol. */
const word = (call: HostileCall, text: string): string =>
  dialectOf(call) === 'chat'
    ? chatChunk({ content: text })
    : messagesEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
const beginning = (call: HostileCall): string =>
  dialectOf(call) === 'chat'
    ? chatChunk({ role: 'assistant', content: '' })
    : messageStart + messageWords('');
const ending = (call: HostileCall): string =>
  dialectOf(call) === 'chat'
    ? `${chatChunk({}, 'stop')}${chatUsage(10, 5)}data: [DONE]\n\n`
    : messageEnd;

describe.each(pairs)('$endpoint from $speaks', (pair) => {
  test('delivers thousands of tiny events completely and in order', async () => {
    const EVENTS = 5_000;
    const numbers = Array.from({ length: EVENTS }, (_, at) => `${at} `);
    upstream.script(async (call) => {
      await call.head();
      await call.chunk(beginning(call));
      // Splits the stream into chunks that rarely end where an event ends.
      const text = numbers.map((number) => word(call, number)).join('') + ending(call);
      for (let from = 0; from < text.length; from += 1_009)
        await call.chunk(text.slice(from, from + 1_009));
      await call.endBody();
    });
    const answer = await ask(gateway, pathOf(pair), bodyOf(pair));
    expect(readEnding(pair.endpoint, answer.text)).toEqual({ end: 'success' });
    const said = payloads(answer.text).map(
      (event) =>
        at(event, pair.endpoint === 'chat' ? 'choices.0.delta.content' : 'delta.text') ?? '',
    );
    expect(said.join('')).toBe(numbers.join(''));
  });

  test('callers that read nothing cost little memory each and block nobody else', async () => {
    await withStalledReaders(pair, async () => {
      expect(upstream.open()).toBe(READERS);
      // Memory drops only when the garbage collector has freed the delivered data. An idle gateway
      // may not run it for half a minute, but new requests make it run.
      await eventually(
        'memory in MiB',
        async () => {
          await askSome();
          return residentMib(gateway.pid) - heapMib;
        },
        (mib) => mib < READERS * MAX_MIB_PER_READER,
        COLLECTED_WITHIN_MS,
      );
      // The gateway answers other requests while the readers read nothing.
      expect((await ask(gateway, CHAT, hello.chat)).status).toBe(200);
    });
  });

  test('refuses an event of 100 MB long before it is read completely', async () => {
    upstream.script(async (call) => {
      await call.head();
      await call.chunk(beginning(call));
      await call.chunk('data: "');
      for (let sentMib = 0; sentMib < 100; sentMib++) await call.chunk('x'.repeat(MIB));
    });
    const before = residentMib(gateway.pid);
    forgetPeak(gateway.pid);
    const answer = await ask(gateway, pathOf(pair), bodyOf(pair));
    // The status is 200 if the caller had already received the start of the stream, otherwise 502.
    const received: unknown =
      answer.status === 200 ? readEnding(pair.endpoint, answer.text) : answer.status;
    const allowed: readonly unknown[] = [502, { end: 'error', code: 'upstream_failed' }];
    expect(allowed).toContainEqual(received);
    expect(peakMib(gateway.pid) - before).toBeLessThan(MAX_MIB_FOR_AN_EVENT);
  });
});

test.each([false, true])(
  'a compressed answer of half a gigabyte is refused while it is read, stream %p',
  async (stream) => {
    const answer = brotliCompressSync(Buffer.alloc(512 * MIB), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    });
    const type = stream ? 'text/event-stream' : 'application/json';
    upstream.script(async ({ raw }) => {
      const head = `content-type: ${type}\r\ncontent-encoding: br\r\ncontent-length: ${answer.length}`;
      await raw(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
      await raw(answer);
    });
    const before = residentMib(gateway.pid);
    forgetPeak(gateway.pid);
    const refused = await ask(gateway, CHAT, { ...hello.chat, model: 'scripted-chat', stream });
    expect([refused.status, refused.at('error.code')]).toEqual([502, 'upstream_failed']);
    await settled('the memory no longer grows', () => peakMib(gateway.pid));
    expect(peakMib(gateway.pid) - before).toBeLessThan(MAX_MIB_FOR_AN_ANSWER);
  },
);

/**
 * Opens streams of endless output for callers that read nothing, and waits until the gateway has
 * paused all upstreams. Then runs `look`, and disconnects the callers.
 */
async function withStalledReaders(pair: Pair, look: () => Promise<void>): Promise<void> {
  const taken: (() => number)[] = [];
  upstream.script(async (call) => {
    let isGone = false;
    void call.gone.then(() => {
      isGone = true;
    });
    taken.push(call.taken);
    await call.head();
    await call.chunk(beginning(call));
    const words = word(call, 'x'.repeat(32 * 1024));
    while (!isGone) await call.chunk(words);
  });
  const callers: RawCaller[] = [];
  try {
    for (let n = 0; n < READERS; n++) callers.push(await stalledReader(pair));
    await eventually(
      'all streams run',
      () => taken.length,
      (count) => count === READERS,
    );
    await settled('the flood is held up', () => taken.reduce((sum, bytes) => sum + bytes(), 0));
    await look();
  } finally {
    for (const caller of callers) caller.leave();
  }
  await allClosed();
}

/** Requests a stream and reads nothing, not even the status line. */
async function stalledReader(pair: Pair): Promise<RawCaller> {
  const text = JSON.stringify(bodyOf(pair));
  const headers = { 'content-length': String(text.length) };
  const caller = await openRawCaller(gateway, pathOf(pair), headers);
  caller.write(text);
  return caller;
}

const allClosed = (): Promise<unknown> =>
  eventually(
    'all upstream connections are closed',
    () => upstream.open(),
    (open) => open === 0,
  );

/** Waits until the value that `look` returns has stopped growing. */
async function settled(what: string, look: () => number): Promise<void> {
  const QUIET_LOOKS = 50;
  let last = -1;
  let quiet = 0;
  await eventually(
    what,
    () => {
      const now = look();
      quiet = now === last && now > 0 ? quiet + 1 : 0;
      last = now;
      return quiet;
    },
    (looks) => looks >= QUIET_LOOKS,
  );
}

describe('bodies of all requests together', () => {
  const inFlight = async (): Promise<number> => {
    const text = await metricsText(gateway);
    return Number(/^modelgate_request_bytes_in_flight (\d+)$/m.exec(text)?.[1]);
  };
  const large = (bytes: number, stream: boolean) => ({
    ...hello.chat,
    model: 'scripted-chat',
    stream,
    // The body is large because it contains an image. The same number of bytes as text would exceed
    // the model's context window.
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(bytes)}` } },
        ],
      },
    ],
  });

  test('returns 429 for large bodies beyond the budget, and still accepts small ones', async () => {
    upstream.script(async (call) => {
      await call.head();
      await call.chunk(chatStream('Hi').join(''));
      await call.endBody();
    });
    const first = await openRawCaller(gateway, CHAT, { 'content-length': String(30 * MIB) });
    await eventually('the memory is reserved', inFlight, (bytes) => bytes === 30 * MIB);
    const refused = await ask(gateway, CHAT, large(4 * MIB, true));
    expect([refused.status, refused.at('error.code')]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-should-retry')).toBe('true');
    expect((await ask(gateway, CHAT, large(1024, true))).status).toBe(200);
    first.leave();
    await eventually('the memory is released', inFlight, (bytes) => bytes === 0);
    expect((await ask(gateway, CHAT, large(4 * MIB, true))).status).toBe(200);
    expect(await inFlight()).toBe(0);
  });

  test('a stream that has started releases the memory of its body', async () => {
    const asked = Promise.withResolvers<HostileCall>();
    upstream.script(asked.resolve);
    const answering = ask(gateway, CHAT, large(20 * MIB, true));
    const call = await asked.promise;
    expect(await inFlight()).toBeGreaterThan(20 * MIB);
    await call.head();
    await call.chunk(beginning(call));
    await eventually('the memory is released', inFlight, (bytes) => bytes === 0);
    await call.chunk(ending(call));
    await call.endBody();
    expect(readEnding('chat', (await answering).text)).toEqual({ end: 'success' });
  });

  /** An Idempotency-Key and a translated request must not keep the body either. */
  test.each([
    ['scripted-chat', {}],
    ['scripted-messages', {}],
    ['scripted-chat', { 'idempotency-key': 'a key of each stream' }],
  ] as const)(
    'open streams of %s do not keep their bodies, with headers %j',
    async (model, headers) => {
      let begun = 0;
      upstream.script(async (call) => {
        await call.head();
        await call.chunk(beginning(call));
        begun += 1;
      });
      const body = JSON.stringify({ ...large(PROMPT_MIB * MIB, true), model });
      const callers: RawCaller[] = [];
      try {
        for (let n = 1; n <= READERS; n++) {
          const own = 'idempotency-key' in headers ? { 'idempotency-key': `${model} ${n}` } : {};
          const length = { 'content-length': String(body.length) };
          const caller = await openRawCaller(gateway, CHAT, { ...length, ...own });
          callers.push(caller);
          caller.write(body);
          await caller.readUntil((text) => text.includes('data: '));
        }
        expect(begun).toBe(READERS);
        upstream.script(async (call) => {
          await call.head();
          await call.chunk(chatStream('Hi').join(''));
          await call.endBody();
        });
        await eventually(
          'memory in MiB',
          async () => {
            await askSome();
            return residentMib(gateway.pid) - heapMib;
          },
          (mib) => mib < (READERS * PROMPT_MIB) / 4,
          COLLECTED_WITHIN_MS,
        );
        expect(upstream.open()).toBe(READERS);
      } finally {
        for (const caller of callers) caller.leave();
      }
      await allClosed();
    },
  );

  test.each([
    ['refused by us', { ...large(MIB, false), model: 'nobody' }, 404],
    ['refused by the upstream', large(MIB, false), 502],
  ])('a body that is %s releases its memory', async (_how, body, status) => {
    upstream.script(({ reset }) => reset());
    expect((await ask(gateway, CHAT, body)).status).toBe(status);
    expect(await inFlight()).toBe(0);
  });
});
