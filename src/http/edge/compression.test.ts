import { expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { nextTurn } from '../../clock.ts';
import { edgeOf } from './edge.fixture.ts';
import type { Route } from './route.ts';

const LONG = { data: Array.from({ length: 500 }, (_, at) => ({ id: `item-${at}` })) };
const CSV = 'id,name\n'.repeat(5_000);
const JSON_TYPE = 'application/json';

function route(path: string, answer: () => Response, more: Partial<Route> = {}): Route {
  return {
    method: 'GET',
    path,
    auth: 'public',
    dialect: 'openai',
    doc: { summary: path, tag: 'account' },
    handle: async () => answer(),
    ...more,
  } as Route;
}

/** Returns a response whose body never ends. */
function endless(type: string): Response {
  const random = (): Uint8Array => crypto.getRandomValues(new Uint8Array(50_000));
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(random()) });
  return new Response(body, { headers: { 'content-type': type } });
}

/** How many answers at `/counted` are being read, and how many were at most. */
const reads = { now: 0, most: 0 };
/** Returns a long response whose body is read only when it is needed. */
function counted(): Response {
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    reads.now += 1;
    reads.most = Math.max(reads.most, reads.now);
    await nextTurn();
    reads.now -= 1;
    controller.enqueue(Buffer.from(CSV));
    controller.close();
  };
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  return new Response(body, { headers: { 'content-type': JSON_TYPE } });
}

const edge = edgeOf([
  route('/counted', counted),
  route('/long', () => Response.json(LONG)),
  route('/short', () => Response.json({ ok: true })),
  route('/table', () => new Response(CSV, { headers: { 'content-type': 'text/csv' } })),
  route('/csv', () => endless('text/csv')),
  route('/jsonl', () => endless('application/jsonl; charset=utf-8')),
  route('/map', () => new Response(CSV, { headers: { 'content-type': 'application/xml' } })),
  route('/image', () => new Response(CSV, { headers: { 'content-type': 'image/png' } })),
  route('/events', () => new Response(CSV, { headers: { 'content-type': 'text/event-stream' } })),
  route('/tagged', () => Response.json(LONG, { headers: { etag: '"1"', vary: 'origin' } })),
  route('/known', () => new Response(null, { status: 304, headers: { etag: '"1"' } })),
  route('/changed', () => Response.json(LONG), { method: 'POST' }),
  route('/v1/sold', () => Response.json(LONG), { endpoint: 'chat' }),
]);
const get = async (path: string, accepted: string, method = 'GET') =>
  await edge.fetch(
    new Request(`http://gateway${path}`, { method, headers: { 'accept-encoding': accepted } }),
  );

test('a long answer has the smallest encoding that the caller accepts', async () => {
  const decoded = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    null: (bytes: Uint8Array) => bytes,
  };
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['', null],
  ] as const) {
    const response = await get('/long', accepted);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([accepted, response.headers.get('content-encoding')]).toEqual([accepted, encoding]);
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(response.headers.get('content-type')).toStartWith(JSON_TYPE);
    expect(JSON.parse(new TextDecoder().decode(decoded[`${encoding}`](bytes)))).toEqual(LONG);
    if (encoding !== null) expect(bytes.byteLength).toBeLessThan(4_000);
  }
});

test('a file is whole after it is decompressed', async () => {
  const response = await get('/table', 'br, gzip');
  expect(gunzipSync(await response.arrayBuffer()).toString()).toBe(CSV);
});

test.each(['/csv', '/jsonl'])('a file is compressed while it is sent: %p', async (path) => {
  const { headers, body } = await get(path, 'br, gzip');
  expect(headers.get('content-encoding')).toBe('gzip');
  const reader = body?.getReader();
  expect((await reader?.read())?.value?.subarray(0, 2)).toEqual(new Uint8Array([0x1f, 0x8b]));
  await reader?.cancel();
});

test('short answers, images, events, inference and changes stay as they are', async () => {
  const paths = ['/short', '/image', '/events', '/v1/sold'];
  const answers = await Promise.all(paths.map((path) => get(path, 'br, gzip')));
  answers.push(await get('/changed', 'br, gzip', 'POST'));
  expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(
    answers.map(() => null),
  );
  expect(await answers[0]?.json()).toEqual({ ok: true });
});

test('the answer to HEAD has the headers and the length of the answer to GET', async () => {
  for (const [path, accepted] of [
    ['/long', 'br'],
    ['/long', ''],
    ['/short', 'br'],
    ['/tagged', 'gzip'],
    ['/map', 'gzip'],
  ] as const) {
    const whole = await get(path, accepted);
    const { headers, body } = await get(path, accepted, 'HEAD');
    const length = String((await whole.bytes()).byteLength);
    expect([headers.get('content-length'), body]).toEqual([length, null]);
    for (const name of ['content-encoding', 'content-type', 'etag', 'vary'])
      expect([name, headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  }
});

test('the answer to HEAD reads no file', async () => {
  expect((await get('/csv', 'gzip', 'HEAD')).status).toBe(200);
  expect((await get('/jsonl', '', 'HEAD')).status).toBe(200);
});

test('the tag of a compressed answer is weak, and caches keep the encodings apart', async () => {
  const { headers } = await get('/tagged', 'br');
  expect([headers.get('etag'), headers.get('vary')]).toEqual(['W/"1"', 'origin, accept-encoding']);
  expect((await get('/tagged', '')).headers.get('etag')).toBe('"1"');
  expect((await get('/known', 'br')).headers.get('vary')).toBe('accept-encoding');
});

test('only a few answers are read at a time to be compressed', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => get('/counted', 'br')));
  for (const answer of answers) {
    expect(brotliDecompressSync(await answer.arrayBuffer()).toString()).toBe(CSV);
  }
  expect(reads).toEqual({ now: 0, most: 4 });
});
