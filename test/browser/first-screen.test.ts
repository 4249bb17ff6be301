/** Tests how much the browser loads before the console appears, for each kind of screen. */
import { beforeAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Contents, readContents } from '../../console/build.ts';
import { buildConsole } from './support/console-gateway.ts';
import { OPENING_MS } from './support/installation.ts';

/**
 * The maximum compressed size of the page with its scripts and style sheets. A slow phone
 * connection loads this amount in two seconds.
 */
const BUDGET_BYTES = 240_000;
/**
 * The maximum number of bytes that each screen may load, counted as sent: page, scripts, style
 * sheet, texts and font, but not the API's responses. Chrome's "Fast 3G" loads 180 kB per second.
 */
const SCREEN_BUDGETS = {
  'sign-in': 250_000,
  models: 300_000,
  requests: 310_000,
  '': 310_000,
  keys: 340_000,
  playground: 330_000,
} as const;
/** Matches code that only some screens need, and that must therefore load on demand. */
const LATER = {
  charts: /console\/src\/charts\//,
  highlighting: /node_modules\/(?:shiki|@shikijs)\//,
  markdown: /node_modules\/(?:react-markdown|remark-[a-z]+|micromark|mdast-[a-z-]+)\//,
  playground: /console\/src\/screens\/playground\/(?!routes\.ts|playground-search\.ts)/,
} as const;

const LIBRARY_STYLES = join(import.meta.dir, '../../node_modules/@mantine/core/styles.css');
/** Finds Mantine's class names in code, such as m_8bffd616. */
const classesIn = (code: string) => new Set(code.match(/\bm_[\da-f]{5,8}\b/g));
const DIST = join(import.meta.dir, '../../console/dist');
let page: string;
let contents: Contents;

beforeAll(async () => {
  await buildConsole();
  page = readFileSync(join(DIST, 'index.html'), 'utf8');
  contents = await readContents();
}, OPENING_MS);

const gzipped = (path: string): number => gzipSync(readFileSync(join(DIST, path))).byteLength;

/** Returns the files that the page names in its HTML: scripts, style sheets and preloads. */
const named = (): readonly string[] =>
  [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);

/** Returns the files that the page names, and all their direct and indirect static imports. */
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

type Early = {
  readonly texts: Readonly<Record<string, string>>;
  readonly pages: readonly (readonly [string, string, readonly string[]])[];
};

/** Returns the files that the inline script of the page requests, by screen and by language. */
function early(): Early {
  const [, files = ''] = /const FILES = (\{.*\});/.exec(page) ?? [];
  return JSON.parse(files);
}

/**
 * Returns the files of a screen on a first visit in English, without fonts for accented letters.
 */
function filesOfScreen(path: string): readonly string[] {
  const { texts, pages } = early();
  const shown = pages.find(([pattern]) => new RegExp(pattern).test(path));
  if (shown === undefined) throw new Error(`no page has the path ${path}`);
  const [, area, scripts] = shown;
  const assets = readdirSync(join(DIST, 'assets')).map((name) => `assets/${name}`);
  const font = assets.find((name) => name.includes('/basic-') && name.endsWith('.woff2'));
  const words = ['shared', area].map((name) => texts[`en/${name}`]);
  const all = [...firstFiles(), ...scripts, ...words, font];
  if (all.includes(undefined)) throw new Error(`the build lacks a file of /${path}: ${all}`);
  return [...new Set(all.filter((file) => file !== undefined))];
}

/**
 * Returns the compressed size of a file, as it is sent. The page itself is compressed for each
 * response.
 */
function sent(path: string): number {
  if (path === 'index.html') return gzipped(path);
  const file = join(DIST, path);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

test.each(Object.entries(SCREEN_BUDGETS))('the screen /%s fits its budget', (path, budget) => {
  const files = ['index.html', ...filesOfScreen(path)];
  const total = files.reduce((sum, file) => sum + sent(file), 0);
  console.log(`/${path}, as sent: ${total} bytes`);
  expect(total).toBeLessThanOrEqual(budget);
  // The budget must be close to the current size. Otherwise the test would not detect added code.
  expect(total).toBeGreaterThan(budget * 0.85);
});

test('screens without a session load neither the menu nor tables', () => {
  const modules = filesOfScreen('sign-in').flatMap((path) => contents[path]?.modules ?? []);
  expect(modules.some((module) => module.includes('src/screens/sign-in/'))).toBe(true);
  const others = /src\/(?:shell\/(?:app-shell|menu|palette)|components\/tables|charts|code)\b/;
  expect(modules.filter((module) => others.test(module))).toEqual([]);
});

test('the style sheet has the library styles of every component in a script', () => {
  const library = classesIn(readFileSync(LIBRARY_STYLES, 'utf8'));
  const assets = readdirSync(join(DIST, 'assets')).map((name) => `assets/${name}`);
  const text = (kind: string): string =>
    assets
      .filter((path) => path.endsWith(kind))
      .map((path) => readFileSync(join(DIST, path), 'utf8'))
      .join('\n');
  const styled = classesIn(text('.css'));
  const used = [...classesIn(text('.js'))].filter((name) => library.has(name));
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((name) => !styled.has(name))).toEqual([]);
});

test('code for single screens loads on demand', () => {
  const modules = firstFiles().flatMap((path) => contents[path]?.modules ?? []);
  expect(modules.some((module) => module.includes('node_modules/react-dom/'))).toBe(true);
  for (const [what, pattern] of Object.entries(LATER)) {
    expect([what, modules.filter((module) => pattern.test(module))]).toEqual([what, []]);
  }
});
