/** How much the browser loads before the console first appears. */
import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Contents, readContents } from '../../console/build.ts';
import { buildConsole } from './support/console-gateway.ts';
import { OPENING_MS } from './support/installation.ts';

/** The amount that a slow phone connection loads in two seconds. */
const BUDGET_BYTES = 300_000;
/** The code that only some screens need, and that must load on demand. */
const LATER = {
  charts: /console\/src\/charts\//,
  highlighting: /node_modules\/(?:shiki|@shikijs)\//,
  markdown: /node_modules\/(?:react-markdown|remark-[a-z]+|micromark|mdast-[a-z-]+)\//,
  playground: /console\/src\/screens\/playground\/(?!routes\.ts|playground-search\.ts)/,
} as const;

const DIST = join(import.meta.dir, '../../console/dist');
let page: string;
let contents: Contents;

beforeAll(async () => {
  await buildConsole();
  page = readFileSync(join(DIST, 'index.html'), 'utf8');
  contents = await readContents();
}, OPENING_MS);

const gzipped = (path: string): number => gzipSync(readFileSync(join(DIST, path))).byteLength;

/** The files that the page names: scripts, style sheets and preloads. */
const named = (): readonly string[] =>
  [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);

/** The files that the page names and their static imports, directly or indirectly. */
function firstFiles(): readonly string[] {
  const files = new Set(named());
  for (const file of files) for (const path of contents[file]?.imports ?? []) files.add(path);
  return [...files];
}

test('the page with its scripts and style sheets fits the budget', () => {
  const files = firstFiles();
  const sizes = Object.fromEntries(['index.html', ...files].map((path) => [path, gzipped(path)]));
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  console.log(`first screen, gzip: ${total} bytes`, sizes);
  expect(files.some((path) => path.endsWith('.js'))).toBe(true);
  expect(files.some((path) => path.endsWith('.css'))).toBe(true);
  expect(total).toBeLessThanOrEqual(BUDGET_BYTES);
});

test('code for single screens loads on demand', () => {
  const modules = firstFiles().flatMap((path) => contents[path]?.modules ?? []);
  expect(modules.some((module) => module.includes('node_modules/react-dom/'))).toBe(true);
  for (const [what, pattern] of Object.entries(LATER)) {
    expect([what, modules.filter((module) => pattern.test(module))]).toEqual([what, []]);
  }
});
