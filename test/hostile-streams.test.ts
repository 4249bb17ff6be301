/**
 * Tests upstreams that violate HTTP, the event stream format or conventions. The caller's stream
 * must still end with an end mark or an error event, and the ledger must be correct.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { eventually } from './support/eventually.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { receiptOf, settledWallet, wallet } from './support/history/ledger-views.ts';
import {
  dialectOf,
  type HostileCall,
  type HostileUpstream,
  startHostileUpstream,
} from './support/upstreams/hostile-upstream.ts';
import {
  chatChunk,
  chatStream,
  messageEnd,
  messageStart,
  messageWords,
} from './support/upstreams/scripted-upstream.ts';
import { readEnding } from './support/upstreams/stream-grammar.ts';
import { type Answer, CHAT, hello, MESSAGES, post, read, readUntil } from './support/wire.ts';

/**
 * The idle timeout. Tests wait for it, so it is short, but even a busy machine can write a large
 * event within this time.
 */
const IDLE = 'limits: { idle_timeout: 3s, event_size: 1MiB }\n# limits: ';

let upstream: HostileUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startHostileUpstream();
  gateway = await startGateway({ config: upstream.config({ '# limits: ': IDLE }) });
});
afterEach(async () => {
  await settledWallet(gateway);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const SAID = 'Grüße 你好 🌊';
const whole = {
  chat: chatStream(SAID).join(''),
  messages: messageStart + messageWords(SAID) + messageEnd,
} as const;
const begun = {
  chat: chatChunk({ role: 'assistant', content: SAID }),
  messages: messageStart + messageWords(SAID),
} as const;
const wholeOf = (call: HostileCall): string => whole[dialectOf(call)];
const begunOf = (call: HostileCall): string => begun[dialectOf(call)];

/** Bytes that are neither valid text nor an event stream. */
const NOISE = Uint8Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256);

const pairs = (['chat', 'messages'] as const).flatMap((endpoint) =>
  (['chat', 'messages'] as const).map((speaks) => ({ endpoint, speaks })),
);
type Pair = (typeof pairs)[number];

/**
 * A script of the upstream's behavior in one stream. `delivered` resolves when the caller has
 * received `SAID`.
 */
type Script = (call: HostileCall, delivered: Promise<void>) => void | Promise<void>;

const ask = ({ endpoint, speaks }: Pair): Promise<Response> => {
  const body = { ...hello[endpoint], model: `scripted-${speaks}`, max_tokens: 256, stream: true };
  return post(gateway, endpoint === 'chat' ? CHAT : MESSAGES, body);
};

async function stream({ endpoint, speaks }: Pair, script: Script): Promise<Answer> {
  const delivered = Promise.withResolvers<void>();
  upstream.script((call) => script(call, delivered.promise));
  const response = await ask({ endpoint, speaks });
  if (response.status !== 200) return await read(response);
  const reader = await readUntil(response, (text) => text.includes(SAID));
  delivered.resolve();
  return await read(new Response(await reader.rest(), response));
}

const outcomeOf = async (answer: Answer): Promise<unknown> =>
  (await receiptOf(gateway, answer.headers.get('x-request-id') ?? '')).at('data.outcome');

describe.each(pairs)('$endpoint from $speaks', (pair) => {
  const expectWhole = async (script: Script): Promise<void> => {
    const answer = await stream(pair, script);
    expect(answer.status).toBe(200);
    expect(readEnding(pair.endpoint, answer.text)).toEqual({ end: 'success' });
    expect(answer.text).toContain(SAID);
    expect(await outcomeOf(answer)).toBe('completed');
  };

  describe('is whole', () => {
    const sound: readonly (readonly [string, Script])[] = [
      [
        'in chunks of one byte',
        async (call) => {
          await call.head();
          for (const byte of Buffer.from(wholeOf(call))) await call.chunk(Uint8Array.of(byte));
          await call.endBody();
        },
      ],
      [
        'delimited by the end of the connection',
        async (call) => {
          await call.raw('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n');
          await call.raw(wholeOf(call));
          call.close();
        },
      ],
      [
        'followed by a reset of the connection',
        async (call, delivered) => {
          await call.head();
          await call.chunk(wholeOf(call));
          await delivered;
          call.reset();
        },
      ],
      [
        'with a connection that is never closed',
        async (call) => {
          await call.head();
          await call.chunk(wholeOf(call));
          await call.gone;
        },
      ],
      [
        'with two end marks and garbage after them',
        async (call) => {
          await call.head();
          await call.chunk(`${wholeOf(call)}data: [DONE]\n\ndata: {"broken\n\n\u0000\u0001`);
          await call.chunk('data: more\n\n');
          await call.endBody();
        },
      ],
      [
        'with large headers',
        async (call) => {
          await call.head('200 OK', { 'x-large': 'x'.repeat(8_000) });
          await call.chunk(wholeOf(call));
          await call.endBody();
        },
      ],
      [
        'compressed without being requested',
        async (call) => {
          await call.head('200 OK', { 'content-encoding': 'gzip' });
          await call.chunk(gzipSync(wholeOf(call)));
          await call.endBody();
        },
      ],
      [
        'with comments, blank lines and all kinds of line endings between events',
        async (call) => {
          const events = wholeOf(call).replaceAll('\n\n', '\n\n: hello\r\n\r\n\n\r\n');
          await call.head();
          await call.chunk(events);
          await call.endBody();
        },
      ],
    ];
    test.each([...sound])('%s', async (_how, script) => {
      await expectWhole(script);
    });
  });

  describe('never begins', () => {
    const refused: readonly (readonly [string, Script])[] = [
      ['reset at once', ({ reset }) => reset()],
      ['closed at once', ({ close }) => close()],
      ['another protocol', ({ raw, close }) => void raw('SSH-2.0-OpenSSH_9.6\r\n').then(close)],
      ['endless headers', endlessHeaders],
      [
        'HTML',
        ({ head, chunk, endBody }) =>
          sent(
            head('200 OK', { 'content-type': 'text/html' }),
            () => chunk('<html>nginx</html>'),
            endBody,
          ),
      ],
      [
        'JSON instead of a stream',
        ({ head, chunk, endBody }) =>
          sent(
            head('200 OK', { 'content-type': 'application/json' }),
            () => chunk('{"ok":true}'),
            endBody,
          ),
      ],
      [
        'an error in a 200',
        ({ head, chunk, endBody }) =>
          sent(
            head('200 OK', { 'content-type': 'application/json' }),
            () => chunk('{"error":{"message":"no"}}'),
            endBody,
          ),
      ],
      [
        'a redirect',
        ({ head, endBody }) =>
          sent(head('307 Temporary Redirect', { location: 'http://169.254.169.254/' }), endBody),
      ],
      ['no content', ({ raw }) => raw('HTTP/1.1 204 No Content\r\n\r\n')],
      ['an unknown status', ({ head, endBody }) => sent(head('799 Odd'), endBody)],
      ['an empty stream', ({ head, endBody }) => sent(head(), endBody)],
      [
        'comments only',
        ({ head, chunk, endBody }) => sent(head(), () => chunk(': hello\n\n'), endBody),
      ],
      ['noise', ({ head, chunk, endBody }) => sent(head(), () => chunk(NOISE), endBody)],
      [
        'an invalid compressed body',
        ({ head, chunk, endBody }) =>
          sent(
            head('200 OK', { 'content-encoding': 'gzip' }),
            () => chunk('data: {}\n\n'),
            endBody,
          ),
      ],
      [
        'only the end mark',
        ({ head, chunk, endBody }) => sent(head(), () => chunk('data: [DONE]\n\n'), endBody),
      ],
    ];
    test.each([...refused])('%s: an error with a status, free of charge', async (_how, script) => {
      const before = await wallet(gateway);
      const answer = await stream(pair, script);
      expect(answer.status).toBeGreaterThanOrEqual(500);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.text).not.toMatch(/nginx|169\.254|SSH/);
      expect(await outcomeOf(answer)).toMatch(/^upstream_(error|truncated)$/);
      expect((await wallet(gateway)).balance).toBe(before.balance);
    });
  });

  describe('breaks off', () => {
    const broken: readonly (readonly [how: string, outcome: string, after: Script])[] = [
      ['closed', 'upstream_truncated', ({ close }) => close()],
      ['reset', 'upstream_truncated', ({ reset }) => reset()],
      ['a body that ends cleanly', 'upstream_truncated', ({ endBody }) => endBody()],
      ['an invalid chunk', 'upstream_truncated', ({ raw }) => raw('zzzz\r\nwhat\r\n')],
      [
        'half a chunk',
        'upstream_truncated',
        ({ raw, close }) => sent(raw('ff\r\nx'), async () => close()),
      ],
      ['an oversized event', 'upstream_error', hugeEvent],
      ['an oversized event in many chunks', 'upstream_error', hugeEventInPieces],
      ['noise', 'upstream_truncated', ({ chunk, endBody }) => sent(chunk(NOISE), endBody)],
    ];
    test.each([...broken])('%s: reported as %s', async (_how, outcome, script) => {
      const answer = await stream(pair, async (call, delivered) => {
        await call.head();
        await call.chunk(begunOf(call));
        await delivered;
        await script(call, delivered);
      });
      expect(answer.status).toBe(200);
      expect(readEnding(pair.endpoint, answer.text).end).toBe('error');
      expect(answer.text).toContain(SAID);
      expect(await outcomeOf(answer)).toBe(outcome);
    });
  });
});

test('a stream that falls silent breaks off with upstream_timeout', async () => {
  upstream.script(async (call) => {
    await call.head();
    await call.chunk(begunOf(call));
    await call.gone;
  });
  // All requests run concurrently, so that the test waits for only one idle timeout.
  const answers = await Promise.all(pairs.map(async (pair) => await read(await ask(pair))));
  for (const [at, { endpoint }] of pairs.entries()) {
    const answer = answers[at];
    if (answer === undefined) throw new Error('an answer for each pair');
    expect(answer.status).toBe(200);
    expect(readEnding(endpoint, answer.text).end).toBe('error');
    expect(answer.text).toContain(SAID);
    expect(await outcomeOf(answer)).toBe('upstream_timeout');
  }
});

/** Waits for `first`, then calls the functions in `then`, one after the other. */
async function sent(
  first: Promise<void>,
  ...then: readonly (() => Promise<void>)[]
): Promise<void> {
  await first;
  for (const next of then) await next();
}

const MIB = 1024 * 1024;
/**
 * The size of an event: far above the limit of 1 MiB, and more than the buffers of sockets hold.
 */
const HUGE_MIB = 16;

async function hugeEvent({ chunk }: HostileCall): Promise<void> {
  await chunk(`data: "${'x'.repeat(HUGE_MIB * MIB)}"\n\n`);
}

async function hugeEventInPieces({ chunk }: HostileCall): Promise<void> {
  await chunk('data: "');
  for (let sentMib = 0; sentMib < HUGE_MIB; sentMib++) await chunk('x'.repeat(MIB));
}

async function endlessHeaders({ raw, gone }: HostileCall): Promise<void> {
  let isGone = false;
  void gone.then(() => {
    isGone = true;
  });
  await raw('HTTP/1.1 200 OK\r\n');
  for (let at = 0; !isGone; at++) await raw(`x-${at}: ${'y'.repeat(1000)}\r\n`);
}

test('leaves no connection open at the end', async () => {
  await eventually(
    'all connections are closed',
    () => upstream.open(),
    (open) => open <= 1,
  );
});
