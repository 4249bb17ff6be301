/**
 * Tests that the gateway does not have known failures of other gateways that concern keys,
 * addresses and dependencies.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { admin, newAccountKey } from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import {
  CANARY_KEY,
  CANARY_ORG,
  chatChunk,
  chatStream,
  eventStream,
  messageEnd,
  messageStart,
  messageWords,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
} from './support/upstreams/scripted-upstream.ts';
import { type Answer, ask, at, CHAT, hello, IMAGES, MESSAGES } from './support/wire.ts';

const PROMPT = 'canary-prompt-7c1f the secret plan';
const ANSWER = 'canary-answer-91ab the secret answer';
const COUNT = '/v1/messages/count_tokens';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({ config: upstream.config(), env: { LOG_LEVEL: 'debug' } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

test('no caller chooses the address of a request, and no redirect is followed', async () => {
  const other = await startScriptedUpstream();
  other.script(() => eventStream(chatStream('stolen')));
  try {
    upstream.script(() => eventStream(chatStream('Hi')));
    const elsewhere = `http://${other.host}/v1`;
    const asked = { api_base: elsewhere, base_url: elsewhere, custom_host: elsewhere };
    const headers = {
      'x-portkey-custom-host': elsewhere,
      'x-forwarded-host': other.host,
      forwarded: `host=${other.host}`,
      host: other.host,
    };
    const body = { ...hello.chat, model: 'scripted-chat', stream: true, ...asked };
    expect((await ask(gateway, CHAT, body, headers)).status).toBe(200);
    for (const status of [301, 302, 303, 307, 308]) {
      upstream.script(() => Response.redirect(`${elsewhere}/chat/completions`, status));
      expect((await ask(gateway, CHAT, body)).status).toBe(502);
    }
    expect(other.calls).toEqual([]);
  } finally {
    other.stop();
  }
});

test('no header and no spelling of a path bypasses the authentication of a route', async () => {
  const tries = [
    '/admin/v1/keys',
    '//admin/v1/keys',
    '/admin/v1/../v1/keys',
    '/admin%2fv1/keys',
    '/ADMIN/v1/keys',
    '/v1/../admin/v1/keys',
    '/healthz/../admin/v1/keys',
    '/admin/v1/keys?x=/healthz',
  ];
  for (const path of tries) {
    for (const host of ['127.0.0.1', 'localhost/healthz', 'healthz']) {
      const headers = {
        host,
        'x-original-url': '/healthz',
        'x-rewrite-url': '/healthz',
        authorization: `Bearer ${gateway.key}`,
      };
      const response = await fetch(`${gateway.url}${path}`, { headers });
      expect([path, host, [400, 401, 404].includes(response.status)]).toEqual([path, host, true]);
      expect(await response.text()).not.toContain('key_');
    }
  }
});

test('no key, organization, host, prompt or answer leaks', async () => {
  const shown = await everythingThatCanHappen();
  const reports = await Promise.all(
    ['/requests?limit=100', '/keys', '/accounts', '/audit', '/ledger/verify'].map((path) =>
      admin(gateway, 'GET', path),
    ),
  );
  // The route report, the log and the stored answers to failed attempts are only for
  // administrators. They may quote the upstream, including its organization, but never a key.
  const routes = await admin(gateway, 'GET', '/routes');
  const metrics = await metricsText(gateway);
  const secret = await newAccountKey(gateway, null);
  const upstreams = [CANARY_KEY, CANARY_ORG];
  expectFree('callers', shown.map(contentOf).join('\n'), [
    ...upstreams,
    upstream.host,
    gateway.adminToken,
  ]);
  const own = [gateway.key, secret, gateway.adminToken, PROMPT, ANSWER];
  expectFree('reports', reports.map(contentOf).join('\n'), [...upstreams, ...own]);
  expectFree('the standing of routes', contentOf(routes), [CANARY_KEY, ...own]);
  expectFree('metrics', metrics, [...upstreams, ...own, upstream.host]);
  expect(await gateway.stop()).toBe(0);
  expectFree('the log', gateway.stderr(), [CANARY_KEY, ...own]);
  // Standard output must not contain the configured key. The gateway prints a key only if it
  // generated the key at its first start.
  expectFree('standard output', gateway.stdout(), [...upstreams, secret, PROMPT, ANSWER]);
  const stored = files(gateway.dataDir).filter((path) => !path.endsWith('admin-token'));
  expect(stored.some((path) => path.includes('.db') || path.includes('sqlite'))).toBe(true);
  for (const path of stored)
    expectFree(path, readFileSync(path).toString('latin1'), [CANARY_KEY, ...own, upstream.host]);
});

const contentOf = ({ text, headers }: Answer): string => `${text}${JSON.stringify([...headers])}`;

function expectFree(where: string, text: string, secrets: readonly string[]): void {
  expect(text.length).toBeGreaterThan(0);
  for (const secret of secrets)
    expect([where, secret, text.includes(secret)]).toEqual([where, secret, false]);
}

const files = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).length > 0);

/**
 * Causes successes and failures on every endpoint. All answers of the upstream contain canaries.
 */
async function everythingThatCanHappen(): Promise<readonly Answer[]> {
  const leak = `${CANARY_KEY} ${CANARY_ORG} http://${upstream.host}/v1`;
  const error = { error: { message: leak, type: 'x', code: null, param: null } };
  const headers = { 'openai-organization': CANARY_ORG, 'x-api-key': CANARY_KEY, server: leak };
  const failing = (status: number) => () => Response.json(error, { status, headers });
  const html = () =>
    new Response(`<html>${leak}</html>`, { headers: { 'content-type': 'text/html' } });
  const well = (call: UpstreamCall): Response =>
    call.path.endsWith('/messages')
      ? eventStream([messageStart + messageWords(ANSWER) + messageEnd])
      : eventStream(chatStream(ANSWER));
  const cut = (call: UpstreamCall): Response =>
    eventStream([
      call.path.endsWith('/messages')
        ? messageStart + messageWords(ANSWER)
        : chatChunk({ content: ANSWER }),
    ]);
  const failed = (call: UpstreamCall): Response =>
    eventStream([
      call.path.endsWith('/messages')
        ? `${messageStart}event: error\ndata: ${JSON.stringify({ type: 'error', ...error })}\n\n`
        : `${chatChunk({ content: 'x' })}data: ${JSON.stringify(error)}\n\n`,
    ]);
  const scripts = [
    well,
    cut,
    failed,
    html,
    ...[400, 401, 402, 403, 404, 429, 500, 503].map(failing),
  ];
  const answers: Answer[] = [];
  for (const script of scripts) {
    upstream.script(script);
    for (const [path, dialect] of [
      [CHAT, 'chat'],
      [MESSAGES, 'messages'],
      [COUNT, 'messages'],
    ] as const) {
      for (const model of ['scripted-chat', 'scripted-messages']) {
        const messages = [{ role: 'user', content: PROMPT }];
        for (const stream of path === COUNT ? [false] : [true, false])
          answers.push(await ask(gateway, path, { ...hello[dialect], model, messages, stream }));
      }
    }
    answers.push(await ask(gateway, IMAGES, { ...hello.image, prompt: PROMPT }));
    answers.push(await ask(gateway, CHAT, { model: 'nobody', messages: PROMPT }));
  }
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 502]));
  return answers;
}

test('dependencies are few and pinned, and only the runtime has an install script', () => {
  const root = join(import.meta.dir, '..');
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const wanted = Object.values(at(read('package.json'), 'dependencies') ?? {});
  expect(wanted.length).toBeLessThanOrEqual(14);
  for (const version of wanted) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  const locked = Object.entries(at(read('package-lock.json'), 'packages') ?? {});
  const scripted = locked
    .filter(([, entry]) => at(entry, 'hasInstallScript') === true && at(entry, 'dev') !== true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(scripted.filter((name) => name !== 'bun' && name !== 'fsevents')).toEqual([]);
  // The repository's own two packages are skipped, because they do not come from a registry.
  const own = ([path, entry]: (typeof locked)[number]) =>
    path === '' || path === 'console' || at(entry, 'resolved') === 'console';
  for (const [path, entry] of locked.filter((it) => !own(it))) {
    expect([path, typeof at(entry, 'integrity') === 'string']).toEqual([path, true]);
  }
});
