/**
 * Compares the table of response headers with the code that sets them, and with the documents that
 * mention them.
 */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rateHeaders } from '../../accounts/limits/rate-headers.ts';
import { headerNames } from './response-headers.ts';

const ROOT = join(import.meta.dir, '../../..');
/** The folders of code that handles requests of callers. */
const ROOMS = ['accounts', 'http', 'relay'];
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'docs/**/*.md'];

/**
 * Names that the table omits: request headers, and headers of console pages, proxies and webhooks.
 */
const NOT_FOR_CALLERS = [
  'idempotency-key',
  'x-accel-buffering',
  'x-api-key',
  'x-claude-code-session-id',
  'x-content-type-options',
  'x-forwarded-for',
  'x-least-role',
  'x-modelgate-signature',
  'x-next',
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
