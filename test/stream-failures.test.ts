/**
 * Tests that the gateway does not have known failures of other gateways that concern upstreams,
 * streams, connections and memory. The page docs/known-failures.md lists these failures.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { eventually } from './support/eventually.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { residentMib } from './support/gateways/process-memory.ts';
import { admin, nanoOf, receiptOf, settledWallet, wallet } from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import { openRawCaller } from './support/raw-caller.ts';
import { answerWell, beginOnly, half, SAID, whole } from './support/upstreams/hostile-answers.ts';
import {
  type HostileCall,
  type HostileUpstream,
  startHostileUpstream,
} from './support/upstreams/hostile-upstream.ts';
import { chatChunk } from './support/upstreams/scripted-upstream.ts';
import { readEnding, type TextEndpointName } from './support/upstreams/stream-grammar.ts';
import {
  type Answer,
  ask,
  at,
  CHAT,
  hello,
  IMAGES,
  MESSAGES,
  post,
  RESPONSES,
  readUntil,
} from './support/wire.ts';

let upstream: HostileUpstream;
let gateway: GatewayProcess;

const image = (host: string): string => `
  scripted-image:
    kind: image
    maker: img
    sizes: [256x256]
    default_channel: direct
    channels:
      direct:
        price: { per_image: { 256x256: "0.010" } }
        routes: [{ upstream: images-${host.split(':')[1]}, model: pictures-1 }]
`;

beforeAll(async () => {
  upstream = await startHostileUpstream();
  const { host } = upstream;
  const config = upstream
    .config({ '# limits: ': 'limits: { event_size: 1MiB }\n# limits: ' })
    .replace('\nmodels:\n', () => `\nmodels:\n${image(host)}`)
    .replace(
      '\nupstreams:\n',
      () =>
        `\nupstreams:\n  images-${host.split(':')[1]}: { protocol: openai, base_url: "http://${host}/v1", api_key: x, allow_private: true }\n`,
    );
  gateway = await startGateway({ config });
});
afterEach(async () => {
  await settledWallet(gateway);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const endpoints: readonly TextEndpointName[] = ['chat', 'messages', 'responses'];
const pairs = endpoints.flatMap((endpoint) =>
  (['chat', 'messages'] as const).map((speaks) => [endpoint, speaks] as const),
);
const PATHS = { chat: CHAT, messages: MESSAGES, responses: RESPONSES } as const;
const pathOf = (endpoint: TextEndpointName): string => PATHS[endpoint];
const bodyOf = (endpoint: TextEndpointName, speaks: TextEndpointName, stream: boolean) => ({
  ...hello[endpoint],
  model: `scripted-${speaks}`,
  stream,
});
const send = (endpoint: TextEndpointName, speaks: TextEndpointName, stream: boolean) =>
  ask(gateway, pathOf(endpoint), bodyOf(endpoint, speaks, stream));
const receipt = (answer: Pick<Answer, 'headers'>): Promise<Answer> =>
  receiptOf(gateway, answer.headers.get('x-request-id') ?? '');

test('a hundred concurrent requests leave a hundred receipts whose sum is the amount charged', async () => {
  upstream.script(answerWell);
  const before = await wallet(gateway);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => send('chat', n % 2 === 0 ? 'chat' : 'messages', true)),
  );
  let sum = 0n;
  for (const answer of answers) sum += nanoOf((await receipt(answer)).at('data.cost_exact'));
  expect((await wallet(gateway)).balance).toBe(before.balance - sum);
  expect(sum).toBe(100n * (10n * 1000n + 5n * 2000n));
});

test('receipts have the ids of the gateway, whatever ids the upstream returns', async () => {
  upstream.script(answerWell);
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('chat', 'chat', false)));
  expect(new Set(answers.map((answer) => answer.at('id'))).size).toBeGreaterThan(0);
  const ids = new Set(answers.map(({ headers }) => headers.get('x-request-id')));
  expect(ids.size).toBe(8);
  for (const answer of answers) expect((await receipt(answer)).status).toBe(200);
});

test.each(pairs)(
  'every end of %s from %s leaves a receipt with its outcome',
  async (endpoint, speaks) => {
    for (const stream of [true, false]) {
      upstream.script(answerWell);
      const good = await receipt(await send(endpoint, speaks, stream));
      expect([good.at('data.outcome'), good.at('data.cost_exact')]).toEqual([
        'completed',
        '0.000020000',
      ]);
      upstream.script(({ reset }) => reset());
      const bad = await receipt(await send(endpoint, speaks, stream));
      expect(bad.at('data.outcome')).toMatch(/^upstream_/);
      expect(bad.at('data.cost_exact')).toBe('0.000000000');
    }
  },
);

test.each(pairs)(
  'a stream of %s from %s that is interrupted is charged for the delivered output',
  async (endpoint, speaks) => {
    const delivered = Promise.withResolvers<void>();
    upstream.script(async (call) => {
      await call.head();
      await call.chunk(half(call));
      await delivered.promise;
      call.reset();
    });
    const response = await post(gateway, pathOf(endpoint), bodyOf(endpoint, speaks, true));
    const reader = await readUntil(response, (text) => text.includes(SAID));
    delivered.resolve();
    expect(readEnding(endpoint, await reader.rest()).end).toBe('error');
    const booked = await receipt(response);
    expect(booked.at('data.tokens_completion')).toBe(Math.ceil(Buffer.byteLength(SAID) / 4));
    expect(booked.at('data.cost_estimated')).toBe(true);
  },
);

test.each(pairs)(
  'a caller of %s from %s that disconnects stops the upstream and pays for the delivered output',
  async (endpoint, speaks) => {
    const letGo = Promise.withResolvers<void>();
    upstream.script(async (call) => {
      void call.gone.then(letGo.resolve);
      await beginOnly(call);
    });
    const leaving = new AbortController();
    const body = bodyOf(endpoint, speaks, true);
    const response = await post(gateway, pathOf(endpoint), body, {}, leaving.signal);
    await readUntil(response, (text) => text.includes(SAID));
    leaving.abort();
    await letGo.promise;
    const booked = await receipt(response);
    expect(booked.at('data.outcome')).toBe('caller_left');
    expect(booked.at('data.tokens_completion')).toBe(Math.ceil(Buffer.byteLength(SAID) / 4));
  },
);

test.each(pairs)(
  'a caller of %s from %s that disconnects before the first byte is noticed at once',
  async (endpoint, speaks) => {
    for (const stream of [true, false]) {
      const asked = Promise.withResolvers<HostileCall>();
      upstream.script(asked.resolve);
      const leaving = new AbortController();
      const body = bodyOf(endpoint, speaks, stream);
      const asking = post(gateway, pathOf(endpoint), body, {}, leaving.signal).catch(() => null);
      const call = await asked.promise;
      leaving.abort();
      await call.gone;
      expect(await asking).toBeNull();
    }
  },
);

test('abandoned streams leave no connection, hold or concurrency slot behind', async () => {
  upstream.script(beginOnly);
  await leaveStreams(200);
  await eventually(
    'all upstream connections are closed',
    () => upstream.open(),
    (open) => open === 0,
  );
  await eventually('nothing in flight', inFlight, (count) => count === 0);
});

test('memory is released after abandoned streams', async () => {
  upstream.script(beginOnly);
  await leaveStreams(300);
  const before = residentMib(gateway.pid);
  await leaveStreams(900);
  await eventually(
    'growth of memory in MiB',
    () => residentMib(gateway.pid) - before,
    (mib) => mib < 32,
    30_000,
  );
});

async function inFlight(): Promise<number> {
  const text = await metricsText(gateway);
  return Number(/^modelgate_requests_in_flight (\d+)$/m.exec(text)?.[1]);
}

async function leaveStreams(count: number): Promise<void> {
  const AT_ONCE = 50;
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      const [endpoint, speaks] = pairs[left-- % pairs.length] ?? (['chat', 'chat'] as const);
      const leaving = new AbortController();
      const body = bodyOf(endpoint, speaks, true);
      const response = await post(gateway, pathOf(endpoint), body, {}, leaving.signal);
      await readUntil(response, (text) => text.includes(SAID));
      leaving.abort();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

test.each(pairs)(
  'text of %s from %s stays intact wherever its bytes are cut, with every line ending',
  async (endpoint, speaks) => {
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      upstream.script(async (call) => {
        await call.head();
        const text = whole(call).replaceAll('data: ', 'data:').replaceAll('\n', lineEnd);
        for (const byte of Buffer.from(text)) await call.chunk(Uint8Array.of(byte));
        await call.endBody();
      });
      const answer = await send(endpoint, speaks, true);
      // The upstream sends `data:` without a space. If the stream is not translated, the caller
      // gets it unchanged.
      const text = answer.text.replaceAll('data:{', 'data: {');
      expect(readEnding(endpoint, text)).toEqual({ end: 'success' });
      expect(text).toContain(SAID);
    }
  },
);

test.each(pairs)(
  'an event of %s from %s without an end is refused instead of buffered',
  async (endpoint, speaks) => {
    let taken = 0;
    upstream.script(async (call) => {
      let isGone = false;
      void call.gone.then(() => {
        isGone = true;
      });
      await call.head();
      await call.chunk('data: "');
      while (!isGone) await call.chunk('x'.repeat(64 * 1024));
      taken = call.taken();
    });
    const answer = await send(endpoint, speaks, true);
    expect(answer.status).toBe(502);
    await eventually(
      'the upstream is disconnected',
      () => taken,
      (bytes) => bytes > 0,
    );
    // The gateway has read at most the size limit of an event, and the kernel has buffered the rest
    // of `taken`.
    expect(taken).toBeLessThan(16 * 1024 * 1024);
  },
);

test('a caller that reads nothing pauses the upstream', async () => {
  const asked = Promise.withResolvers<HostileCall>();
  upstream.script(async (call) => {
    asked.resolve(call);
    let isGone = false;
    void call.gone.then(() => {
      isGone = true;
    });
    await call.head();
    // These chunks contain no output, so they count against no limit. If the upstream is paused,
    // the only possible reason is that the caller does not read.
    const comment = chatChunk({}, null, { padding: 'x'.repeat(32 * 1024) });
    while (!isGone) await call.chunk(comment);
  });
  const body = JSON.stringify(bodyOf('chat', 'chat', true));
  const caller = await openRawCaller(gateway, CHAT, { 'content-length': String(body.length) });
  caller.write(body);
  const { taken, gone } = await asked.promise;
  let last = -1;
  let quiet = 0;
  const look = (): number => {
    quiet = taken() === last ? quiet + 1 : 0;
    last = taken();
    return quiet;
  };
  await eventually('the upstream is paused', look, (looks) => looks >= 50);
  expect(taken()).toBeLessThan(64 * 1024 * 1024);
  caller.leave();
  await gone;
});

test('a large body is passed on byte for byte, and its memory is released', async () => {
  const url = `data:image/png;base64,${'A'.repeat(8 * 1024 * 1024)}`;
  const content = [{ type: 'image_url', image_url: { url } }];
  let seen: unknown;
  upstream.script(async (call) => {
    seen = at(call.body, 'messages.0.content.0.image_url.url');
    await answerWell(call);
  });
  const messages = [{ role: 'user', content }];
  const answer = await ask(gateway, CHAT, { ...bodyOf('chat', 'chat', false), messages });
  expect([answer.status, seen === url]).toEqual([200, true]);
  const text = await metricsText(gateway);
  expect(text).toContain('\nmodelgate_request_bytes_in_flight 0\n');
});

test.each(pairs)(
  'an end of %s from %s without the end mark is reported and recorded as a truncation',
  async (endpoint, speaks) => {
    const delivered = Promise.withResolvers<void>();
    upstream.script(async (call) => {
      await call.head();
      await call.chunk(half(call));
      await delivered.promise;
      await call.endBody();
    });
    const response = await post(gateway, pathOf(endpoint), bodyOf(endpoint, speaks, true));
    const reader = await readUntil(response, (text) => text.includes(SAID));
    delivered.resolve();
    const ending = readEnding(endpoint, await reader.rest());
    // Clients of Responses get the code `server_error`. The receipt contains the gateway's own
    // code.
    const code = endpoint === 'responses' ? 'server_error' : 'upstream_truncated';
    expect(ending).toEqual({ end: 'error', code });
    expect((await receipt(response)).at('data.outcome')).toBe('upstream_truncated');
  },
);

test('an image request that may have started is sent once, and is free when no image arrives', async () => {
  let asked = 0;
  upstream.script(({ reset }) => {
    asked += 1;
    reset();
  });
  const body = { model: 'scripted-image', prompt: 'a red boat', size: '256x256' };
  const before = await wallet(gateway);
  expect((await ask(gateway, IMAGES, body)).status).toBe(502);
  expect(asked).toBe(1);
  expect((await wallet(gateway)).balance).toBe(before.balance);
});

test('an idle connection that the upstream closed fails no request', async () => {
  for (let n = 0; n < 20; n++) {
    let closed: Promise<void> = Promise.resolve();
    upstream.script(async (call) => {
      await answerWell(call);
      call.close();
      closed = call.gone;
    });
    expect((await send('chat', 'chat', n % 2 === 0)).status).toBe(200);
    await closed;
  }
  expect((await admin(gateway, 'GET', '/requests?limit=20')).text).not.toContain(
    '"outcome":"upstream_',
  );
});
