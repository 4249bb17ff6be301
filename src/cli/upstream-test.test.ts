import { expect, test } from 'bun:test';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { manualClock } from '../clock.fixture.ts';
import { SMALL_FILE, settingsOf } from '../config/file.fixture.ts';
import { Secret } from '../config/secret.ts';
import { adminUpstreamRoutes } from '../http/admin/admin-upstream-routes.ts';
import { edgeOf } from '../http/edge/edge.fixture.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { unreadJournal } from '../telemetry/request-journal.fixture.ts';
import { PLAIN_FIELDS } from '../upstreams/known-fields.ts';
import { NotSent, type Upstream, type UpstreamRequest } from '../upstreams/upstream.ts';
import { runCli } from './cli.ts';

/**
 * A configuration in which the route of the image model has a different model name at the upstream.
 */
const FILE = SMALL_FILE.replace(/model: x \}\](?![\s\S]*model: x)/, 'model: drawn }]');

const CHAT =
  'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n' +
  'data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}\n\ndata: [DONE]\n\n';

const OWN_QUIRKS = {
  ...NO_QUIRKS,
  maxTokensField: 'max_tokens',
  reasoningBack: 'reasoning',
  thinkingOff: { thinking: { type: 'disabled' } },
} as const;

/** Returns a command line with a server that sends its upstream requests to `send`. */
function gatewayOver(send: (request: UpstreamRequest) => Promise<Response>) {
  const upstream = (name: string, formats: Upstream['formats']): Upstream => ({
    ...{
      name,
      formats,
      quirks: OWN_QUIRKS,
      fields: PLAIN_FIELDS,
      hidden: ['sk-canary'],
      firstByteTimeoutMs: null,
    },
    send,
  });
  const upstreams = new Map([
    ['builtin', upstream('builtin', new Set(['chat', 'messages'] as const))],
    ['spare', upstream('spare', new Set(['chat', 'images'] as const))],
  ]);
  const clock = manualClock();
  const catalogue = loadCatalogue(settingsOf(FILE), 0);
  const routes = adminUpstreamRoutes({
    upstreams: () => upstreams,
    catalogue: () => catalogue,
    baseUrlOf: () => 'https://far.example/v1',
    changed: () => Promise.reject(new Error('not called')),
    clock,
  });
  const edge = edgeOf(routes, {
    journal: unreadJournal(clock),
  });
  return async (...argv: string[]) => {
    let out = '';
    let err = '';
    const io = {
      stdout: (text: string) => {
        out += text;
      },
      stderr: (text: string) => {
        err += text;
      },
    };
    const unused = () => Promise.reject(new Error('not called'));
    const adminToken = new Secret('admin');
    const exit = await runCli(['upstream', 'test', ...argv], io, {
      clock,
      version: '1.2.3',
      fetch: async (request) => await edge.fetch(request),
      settings: async () => ({ baseUrl: 'http://gate', dataDir: '/nowhere', adminToken }),
      ...{ serve: unused, check: unused, doctor: unused, migrate: unused, restore: unused },
    });
    return { exit, out, err };
  };
}

const modelOf = (request: UpstreamRequest): unknown =>
  JSON.parse(new TextDecoder().decode(request.body)).model;

test('tests each protocol of the upstream with the model of a route', async () => {
  const asked: string[] = [];
  const run = gatewayOver(async (request) => {
    asked.push(`${request.format} ${modelOf(request)}`);
    return request.format === 'chat'
      ? new Response(CHAT)
      : Response.json({ type: 'error', error: { message: 'bad key sk-canary' } }, { status: 401 });
  });
  const { exit, out } = await run('builtin');
  expect(asked).toEqual(['chat x', 'messages x']);
  expect(exit).toBe(1);
  expect(out.split('\n').slice(0, 6)).toEqual([
    'builtin, model x',
    '  chat: good, status 200 after 0 ms, first byte after 0 ms',
    '    usage: 10 in, 0 read from cache, 0 written to cache, 2 out',
    '  messages: FAILED, status 401 after 0 ms',
    '    The server refused the key. Check api_key or sign_in of the upstream, and that the key belongs to this address.',
    '    the upstream answered: {"type":"error","error":{"message":"bad key [hidden]"}}',
  ]);
  expect(out).toEndWith(
    '  quirks: max_tokens_field max_tokens, reasoning_back reasoning, thinking_off {"thinking":{"type":"disabled"}}\n',
  );
});

test('asks for what the model of the route makes, unless a kind is given', async () => {
  const asked: string[] = [];
  const run = gatewayOver(async (request) => {
    asked.push(request.format);
    return new Response(CHAT);
  });
  expect((await run('builtin', '--model', 'drawn')).err).toContain('does not support images');
  await run('builtin', '--model', 'drawn', '--kind', 'chat');
  expect(asked).toEqual(['chat', 'messages']);
  await run('spare', '--model', 'not sold');
  expect(asked).toEqual(['chat', 'messages', 'chat']);
});

test('exits 0 for a working upstream, and --json prints everything', async () => {
  const run = gatewayOver(async () => new Response(CHAT));
  const { exit, out } = await run('spare', '--model', 'other', '--json');
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    upstream: 'spare',
    model: 'other',
    ok: true,
    checks: [{ format: 'chat', ok: true, status: 200, usage: { input_tokens: 10 }, error: null }],
    quirks: { stream_options: true, reasoning_back: 'reasoning' },
  });
});

test('reports an unreachable upstream', async () => {
  const run = gatewayOver(async () => {
    const cause = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    throw new NotSent('The provider could not be reached.', { cause });
  });
  const { exit, out } = await run('spare', '--model', 'm');
  expect(exit).toBe(1);
  expect(out).toContain(
    '  chat: FAILED\n    Connection refused by far.example. Check base_url, and that the server is running.\n',
  );
});

test('refuses an unknown upstream, and one without a model', async () => {
  const run = gatewayOver(() => Promise.reject(new Error('not called')));
  const unknown = await run('buildin');
  expect([unknown.exit, unknown.err]).toEqual([
    1,
    expect.stringContaining('There is no upstream "buildin". Known upstreams: builtin, spare.'),
  ]);
  const modelless = await run('spare');
  expect([modelless.exit, modelless.err]).toEqual([
    1,
    expect.stringContaining('No chat model has a route to this upstream'),
  ]);
});
