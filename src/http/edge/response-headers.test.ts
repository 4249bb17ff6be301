/**
 * Compares the table of response headers with the code that sets them, and with the documents that
 * mention them.
 */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rateHeaders } from '../../accounts/limits/rate-headers.ts';
import { unreadJournal } from '../../telemetry/request-journal.fixture.ts';
import { edgeOf } from './edge.fixture.ts';
import { headerNames } from './response-headers.ts';
import type { Call, Route } from './route.ts';

const ROOT = join(import.meta.dir, '../../..');
/** The folders of code that handles requests of callers. */
const ROOMS = ['accounts', 'http', 'relay'];
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'docs/**/*.md'];

/**
 * Names that the table omits: request headers, and headers of console pages, proxies and webhooks.
 */
const NOT_FOR_CALLERS = [
  'idempotency-key',
  'x-account',
  'x-accel-buffering',
  'x-api-key',
  'x-claude-code-session-id',
  'x-content-type-options',
  'x-forwarded-for',
  'x-goog-api-key',
  'x-least-role',
  'x-modelgate-signature',
  'x-next',
  'x-scope',
  'x-session-affinity',
  'x-session-id',
  'x-unattended',
];

const namesIn = (files: readonly string[], pattern: RegExp): string[] => {
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => name.toLowerCase()),
  );
  return [...new Set(found)].filter((name) => !NOT_FOR_CALLERS.includes(name)).toSorted();
};

const filesOf = (glob: string): string[] =>
  [...new Bun.Glob(glob).scanSync({ cwd: ROOT, absolute: true })].filter(
    (file) => !/\.test\.ts$|\.fixture\.ts$/.test(file),
  );

test('lists every header that an answer sets', () => {
  const files = ROOMS.flatMap((room) => filesOf(`src/${room}/**/*.ts`));
  const set = namesIn(files, /['`]((?:x|idempotency)-[a-z-]*[a-z]|retry-after|request-id)['`]/g);
  expect(set.length).toBeGreaterThan(10);
  expect(headerNames()).toEqual(expect.arrayContaining(set));
});

test('lists every header that the documents promise', () => {
  const promised = namesIn(DOCUMENTS.flatMap(filesOf), /`(x-[a-z-]*[a-z])\b/g);
  expect(promised).toContain('x-attempts');
  expect(headerNames()).toEqual(expect.arrayContaining(promised));
});

test('lists the rate-limit headers of both dialects', () => {
  const rate = { limit: 1, remaining: 1, resetMs: 1 };
  for (const dialect of ['openai', 'anthropic'] as const) {
    const names = Object.keys(rateHeaders({ requests: rate, tokens: rate }, dialect, 0));
    expect(names).toHaveLength(6);
    expect(headerNames()).toEqual(expect.arrayContaining(names));
  }
});

const route = (path: string, isMadeByHandler: boolean): Route => ({
  ...{ method: 'POST', path, auth: 'public', dialect: 'both', endpoint: 'chat' },
  doc: { tag: 'chat', summary: 'Test' },
  handle: async (call: Call) =>
    new Response('{}', isMadeByHandler ? { headers: call.headers('json') } : {}),
});

test('a handler may make its response with the headers that the edge adds to others', async () => {
  const paths = ['/v1/a', '/console/api/a'];
  const edge = edgeOf(paths.flatMap((path) => [route(path, true), route(`${path}b`, false)]));
  for (const path of paths) {
    for (const headers of [{}, { origin: 'https://other.example' }]) {
      const ask = async (url: string): Promise<Record<string, string>> => {
        const request = new Request(`http://gateway${url}`, { method: 'POST', headers });
        const response = await edge.fetch(request);
        const { 'x-request-id': id = '', ...others } = Object.fromEntries(response.headers);
        expect(id).toMatch(/^req_/);
        return { ...others, 'request-id': String(others['request-id'] === id) };
      };
      expect(await ask(path)).toEqual(await ask(`${path}b`));
    }
  }
});

test('answers an error before the handler, on routes with and without a parameter', async () => {
  const journal = unreadJournal();
  const failing = (...[request, matched]: Parameters<typeof journal.open>) => {
    if (matched !== null) throw new Error('a bug');
    return journal.open(request, null);
  };
  const routes = [route('/v1/a', true), route('/v1/:id/b', true)];
  const edge = edgeOf(routes, { journal: { open: failing } });
  for (const path of ['/v1/a', '/v1/x/b']) {
    const response = await edge.fetch(new Request(`http://gateway${path}`, { method: 'POST' }));
    expect([path, response.status]).toEqual([path, 500]);
    expect((await response.json()).error.code).toBe('internal_error');
  }
});
