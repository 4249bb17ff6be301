import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { at, eventsOf, hello, payloads } from './support/wire.ts';

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

async function curl(...args: readonly string[]): Promise<string> {
  const child = Bun.spawn(['curl', '-sS', '--max-time', '20', ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`curl exited ${code}: ${err}`);
  return out;
}

const send = (path: string, body: unknown, ...more: readonly string[]): Promise<string> =>
  curl(
    `${gateway.url}${path}`,
    '-H',
    `Authorization: Bearer ${gateway.key}`,
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(body),
    ...more,
  );

test('the curl line that a first start prints works when pasted', async () => {
  // An empty variable counts as unset, so the gateway creates the first key and prints it.
  await using fresh = await startGateway({ env: { MODELGATE_INIT_KEY: '' } });
  const line = /^\s+(curl .+)$/m.exec(fresh.stdout())?.[1] ?? '';
  expect(line).toMatch(/sk-mg-\w{46}/);
  const child = Bun.spawn(['sh', '-c', line], { stdout: 'pipe', stderr: 'ignore' });
  const answer: unknown = JSON.parse(await new Response(child.stdout).text());
  expect(at(answer, 'object')).toBe('chat.completion');
  expect(at(answer, 'choices.0.message.content')).toContain('Who are you');
});

test('curl without `stream` gets a stream, because the service streams by default', async () => {
  const events = eventsOf(await send('/v2/chat/completions', hello.chat));
  expect(events.at(-1)).toEqual({ name: null, data: '[DONE]' });
});

test('curl with `stream` false or null gets one JSON object', async () => {
  for (const stream of [false, null]) {
    const answer = await send('/v1/chat/completions', { ...hello.chat, stream });
    expect(at(JSON.parse(answer), 'choices.0.message.content')).toContain('Hello there');
  }
});

test('curl with the key in x-api-key gets answers and streams of messages', async () => {
  const args = ['-H', `x-api-key: ${gateway.key}`, '-H', 'Content-Type: application/json', '-d'];
  const url = `${gateway.url}/v1/messages`;
  const plain = JSON.parse(await curl(url, ...args, JSON.stringify(hello.messages)));
  expect(at(plain, 'content.0.text')).toContain('Hello there');
  const text = await curl(url, ...args, JSON.stringify({ ...hello.messages, stream: true }));
  expect(at(payloads(text).at(-1), 'type')).toBe('message_stop');
});

test('reads a body that curl sends from a file in chunks', async () => {
  const content = 'A line of a long letter. '.repeat(20_000);
  const body = JSON.stringify({
    ...hello.chat,
    stream: false,
    messages: [{ role: 'user', content }],
  });
  const child = Bun.spawn(
    [
      'curl',
      '-sS',
      '--max-time',
      '20',
      `${gateway.url}/v2/chat/completions`,
      '-H',
      `Authorization: Bearer ${gateway.key}`,
      '-H',
      'Content-Type: application/json',
      '-H',
      'Transfer-Encoding: chunked',
      '--data-binary',
      '@-',
    ],
    { stdin: new Blob([body]), stdout: 'pipe', stderr: 'inherit' },
  );
  const answer: unknown = JSON.parse(await new Response(child.stdout).text());
  expect(Number(at(answer, 'usage.prompt_tokens'))).toBeGreaterThan(50_000);
});

test('curl generates an image and downloads it', async () => {
  const answer = JSON.parse(await send('/v2/images/generations', hello.image));
  const kind = await curl(
    '-o',
    '/dev/null',
    '-w',
    '%{http_code} %{content_type}',
    String(at(answer, 'data.0.url')),
  );
  expect(kind).toBe('200 image/png');
});

test('curl prints the status and an error message when the key is wrong', async () => {
  const said = await curl(
    `${gateway.url}/v2/chat/completions`,
    '-H',
    'Authorization: Bearer sk-wrong',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(hello.chat),
    '-w',
    '\n%{http_code}',
  );
  const [body = '', status] = said.split('\n');
  expect(status).toBe('401');
  expect(at(JSON.parse(body), 'error.code')).toBe('invalid_api_key');
});
