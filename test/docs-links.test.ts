/** Tests the links between the documentation pages of this repository, and from pages to files. */
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ERRORS } from '../src/errors.ts';
import { NO_QUIRKS } from '../src/protocols/quirks.ts';
import { quirksByName } from '../src/upstreams/known-servers.ts';

const ROOT = join(import.meta.dir, '..');
const PAGES = [
  ...new Bun.Glob('*.md').scanSync(ROOT),
  ...new Bun.Glob('{docs,console}/**/*.md').scanSync(ROOT),
].filter((page) => !page.includes('node_modules'));

/** Returns the anchor that GitHub and similar sites generate from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

test.each(PAGES)('every link of %s leads to a file or a heading', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, image]) => link ?? image ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));
  const broken = links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test('every path that ARCHITECTURE names exists', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const paths = [...text.matchAll(/(?<![\w/.-])([\w-]+\/[\w/-]+\.ts|[\w-]+\/)(?![\w*-])/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(30);
  const folders = ['', 'src', 'src/http', 'src/ledger', 'src/protocols'];
  const missing = paths.filter((path) =>
    folders.every((folder) => !existsSync(join(ROOT, folder, path))),
  );
  expect(missing).toEqual([]);
});

test('every test that CONTRIBUTING runs exists', () => {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const paths = [...text.matchAll(/`(?:bin\/bun|npm) test (?:--\w+ )*([\w./-]+)`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths).toHaveLength(3);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the list of known failures links a test for each rule but one', () => {
  const text = readFileSync(join(ROOT, 'docs/known-failures.md'), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| \d+ \|/.test(line));
  expect(rows).toHaveLength(30);
  expect(rows.filter((row) => !row.includes('.test.ts)'))).toHaveLength(1);
});

test('the table of errors lists every code with its status and whether to retry', () => {
  const text = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| (\d+) \| (yes|no) \| .{10,} \|$/gm)];
  const listed = rows.map(([, code, status, retry]) => `${code} ${status} ${retry}`);
  const known = Object.entries(ERRORS).map(
    ([code, { status, retryable }]) => `${code} ${status} ${retryable ? 'yes' : 'no'}`,
  );
  expect(listed.toSorted()).toEqual(known.toSorted());
});

test('the table of quirks lists every quirk', () => {
  const text = readFileSync(join(ROOT, 'docs/routes.md'), 'utf8');
  const table = text.slice(text.indexOf('| Quirk |'));
  const listed = [...table.matchAll(/^\| `(\w+)` \| .+ \| .+ \|$/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(Object.keys(quirksByName(NO_QUIRKS)).toSorted());
});
