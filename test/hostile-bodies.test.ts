/**
 * Tests request bodies that are small but expensive to parse. The gateway refuses them while it
 * scans them, free of charge. The tests assert that a scan stops at a limit, not how long it takes.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { forgetPeak, peakMib } from './support/gateways/process-memory.ts';
import { wallet } from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import { openRawCaller } from './support/raw-caller.ts';
import { type Answer, ask, CHAT, hello, IMAGES, MESSAGES, read } from './support/wire.ts';

const MIB = 1024 * 1024;
const SIGN_IN = '/console/api/sign-in';
/** The memory limit of the whole gateway process, including the runtime and the store. */
const MAX_MIB = 400;

const started = new AsyncDisposableStack();
let gateway: GatewayProcess;
/**
 * A separate gateway for bodies whose senders stop in the middle. It waits for these bodies while
 * other tests use `gateway`.
 */
let patient: GatewayProcess;
/**
 * The answers to bodies whose senders stop in the middle. The gateway waits half a minute for the
 * rest of each body. Meanwhile, other tests run.
 */
let stalled: Promise<readonly string[]>;
beforeAll(async () => {
  gateway = started.use(await startGateway());
  patient = started.use(await startGateway());
  stalled = answersToStalledBodies();
});
afterAll(() => started.disposeAsync());

const list = (of: string, count: number): string => `[${Array(count).fill(of).join(',')}]`;
const entries = (count: number): string =>
  Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',');
const withMember = (hello: object, member: string): string =>
  `${JSON.stringify(hello).slice(0, -1)},${member}}`;
const chat = (member: string): string => withMember(hello.chat, member);
const messages = (member: string): string => withMember(hello.messages, member);
const conversation = (hello: object, count: number): string =>
  JSON.stringify({ ...hello, messages: [] }).replace(
    '[]',
    list('{"role":"user","content":"x"}', count),
  );
const image = (member: string): string => withMember(hello.image, member);

test.each<[what: string, path: string, body: () => string, says: string]>([
  ['unknown fields', CHAT, () => chat(entries(2_600_000)), 'more than 256 fields'],
  ['fields', MESSAGES, () => messages(entries(100_000)), 'more than 256 fields'],
  ['functions', CHAT, () => chat(`"functions":${list('1', 15_000_000)}`), 'values'],
  ['few functions', CHAT, () => chat(`"functions":${list('1', 50_000)}`), 'at most 128 entries'],
  ['biases', CHAT, () => chat(`"logit_bias":{${entries(1_000_000)}}`), 'more than 10000 keys'],
  ['few biases', CHAT, () => chat(`"logit_bias":{${entries(9_000)}}`), 'at most 1024 entries'],
  ['metadata', CHAT, () => chat(`"metadata":{${entries(1_000_000)}}`), 'more than 10000 keys'],
  ['tools', MESSAGES, () => messages(`"tools":${list('{}', 1_000_000)}`), 'values'],
  ['few tools', MESSAGES, () => messages(`"tools":${list('{}', 3_000)}`), 'at most 2048 entries'],
  [
    'many messages',
    CHAT,
    () => conversation(hello.chat, 10_001),
    'messages: must hold at most 10000',
  ],
  [
    'as many in Messages',
    MESSAGES,
    () => conversation(hello.messages, 10_001),
    'messages: must hold at most 10000',
  ],
  ['system', MESSAGES, () => messages(`"system":${list('[]', 4_000_000)}`), 'values'],
  ['unknown nesting', CHAT, () => chat(`"x":${list(list('[]', 100), 10_000)}`), 'values'],
  ['commas', CHAT, () => `{${','.repeat(30 * MIB)}`, 'values'],
  ['whitespace', CHAT, () => chat(`${' '.repeat(30 * MIB)}"x":1`), 'bytes of whitespace'],
  ['one long key', CHAT, () => chat(`"${'k'.repeat(30 * MIB)}":1`), 'longer than 1024 bytes'],
  ['fields of an image', IMAGES, () => image(entries(90_000)), 'more than 256 fields'],
  ['values of an image', IMAGES, () => image(`"x":${list('1', 90_000)}`), 'more than 10000 values'],
  ['fields of a sign-in', SIGN_IN, () => `{${entries(95_000)}}`, 'more than 256 fields'],
  [
    'short escapes',
    CHAT,
    () => chat(`"x":${list(`"${'\\n'.repeat(125)}"`, 2_500)}`),
    '250000 escapes',
  ],
  ['values of a sign-in', SIGN_IN, () => `{"email":${list('1', 95_000)}}`, '10000 values'],
])('%s are refused by a limit that the error names', async (_what, path, body, says) => {
  const before = await wallet(gateway);
  const refused = path === SIGN_IN ? await signIn(body()) : await ask(gateway, path, body());
  expect([refused.status, refused.at('error.message')]).toEqual([
    400,
    expect.stringContaining(says),
  ]);
  expect(await wallet(gateway)).toEqual(before);
  expect(await reserved(gateway)).toBe(0);
});

test.each([8, 30])('twelve bodies of %d MB of empty lists leave memory bounded', async (mb) => {
  const body = chat(`"x":${list('[]', Math.floor((mb * MIB) / 3))}`);
  forgetPeak(gateway.pid);
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask(gateway, CHAT, body)));
  for (const { status } of answers) expect([400, 429]).toContain(status);
  expect(peakMib(gateway.pid)).toBeLessThan(MAX_MIB);
});

test('the largest accepted conversation is served', async () => {
  const said = Array.from({ length: 9_900 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `${at}` }],
  }));
  const last = { role: 'user', content: 'Hello' };
  const body = { ...hello.messages, messages: [...said, last] };
  expect((await ask(gateway, MESSAGES, body)).status).toBe(200);
});

test('a request with two Host headers returns 400', async () => {
  const headers = { 'content-length': '2', Host: 'other.example' };
  const caller = await openRawCaller(gateway, CHAT, headers);
  caller.write('{}');
  const answer = await caller.readUntil((text) => text.includes('invalid or repeated'));
  expect(answer).toStartWith('HTTP/1.1 400 ');
  caller.leave();
});

test.each(['GET /readyz', 'HEAD /healthz'])(
  'a probe without a Host header, as HAProxy sends: %s',
  async (line) => {
    const answer = Promise.withResolvers<string>();
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.once('data', (bytes) => answer.resolve(String(bytes)));
    socket.write(`${line} HTTP/1.0\r\n\r\n`);
    expect(await answer.promise).toStartWith('HTTP/1.1 200 ');
    socket.destroy();
  },
);

async function answersToStalledBodies(): Promise<readonly string[]> {
  const length = { 'content-length': '1000' };
  const chunks = { 'transfer-encoding': 'chunked' };
  const noKey = { authorization: 'Bearer sk-mg-none' };
  const callers = await Promise.all([
    openRawCaller(patient, SIGN_IN, length),
    openRawCaller(patient, CHAT, length),
    openRawCaller(patient, CHAT, chunks),
    openRawCaller(patient, CHAT, { ...length, ...noKey }),
  ]);
  const [, , chunked] = callers;
  for (const caller of callers) caller.write(caller === chunked ? '1\r\n{\r\n' : '{');
  return await Promise.all(callers.map((caller) => caller.readToEnd()));
}

test('a body that stops arriving loses its connection, read or not, with any key or none', async () => {
  const statuses = (await stalled).map((answer) => answer.slice('HTTP/1.1 '.length).slice(0, 3));
  expect(statuses).toEqual(['499', '499', '499', '401']);
  expect(await reserved(patient)).toBe(0);
}, 180_000);

const signIn = async (body: string): Promise<Answer> => {
  const headers = { 'content-type': 'application/json', origin: gateway.url };
  return await read(await fetch(`${gateway.url}${SIGN_IN}`, { method: 'POST', headers, body }));
};

async function reserved(of: GatewayProcess): Promise<number> {
  const text = await metricsText(of);
  return Number(/^modelgate_request_bytes_in_flight (\d+)$/m.exec(text)?.[1]);
}
