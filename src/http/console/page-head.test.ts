import { expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { changedFile, SMALL_FILE, settingsOf } from '../../config/file.fixture.ts';
import { edgeOf } from '../edge/edge.fixture.ts';
import { ConsoleAssets } from './console-assets.ts';
import { crawlerRoutes, type PublicPages, pageHead } from './page-head.ts';

const OPEN: PublicPages = {
  catalogue: loadCatalogue(settingsOf(SMALL_FILE), 0),
  isStatusPublic: true,
  publicUrl: 'https://gate.example',
  isIndexable: true,
  brand: settingsOf(SMALL_FILE).brand,
};
const described = (text: string): PublicPages => ({
  ...OPEN,
  catalogue: loadCatalogue(
    settingsOf(changedFile('maker: gen', `maker: gen\n    description: ${text}`)),
    0,
  ),
});

test('a model page has its own title, description with the price, and address', () => {
  const head = pageHead('/console/models/gen-x', described('Good at code.'), 'nonce');
  expect(head).toContain('<meta name="robots" content="index, follow" />');
  expect(head).toMatch(/<title>.+: price, limits and uptime · Modelgate<\/title>/);
  expect(head).toMatch(/name="description" content="Good at code\. \$[\d.]+ per 1M input tokens/);
  expect(head).toContain(
    '<link rel="canonical" href="https://gate.example/console/models/gen-x" />',
  );
  expect(head).toContain(
    '<meta property="og:url" content="https://gate.example/console/models/gen-x" />',
  );
});

test('markup in a description is text', () => {
  const head = pageHead(
    '/console/models/gen-x',
    described(`'"><script>alert(1)</script>'`),
    'nonce',
  );
  expect(head).toContain('&quot;&gt;&lt;script&gt;');
  expect(head).not.toContain('<script');
});

test.each([
  '/console',
  '/console/keys',
  '/console/models/none',
  '/console/models/%',
  '/console/sign-in',
])('search engines do not list %s', (path) => {
  expect(pageHead(path, OPEN, 'nonce')).toBe(
    '<meta name="robots" content="noindex" />\n    <title>Modelgate</title>',
  );
});

test('pages that strangers cannot see, or that must not be found, are not listed', () => {
  expect(pageHead('/console/models', { ...OPEN, catalogue: null }, 'nonce')).toContain('noindex');
  expect(pageHead('/console/status', { ...OPEN, isStatusPublic: false }, 'nonce')).toContain(
    'noindex',
  );
  const hidden = pageHead('/console/models', { ...OPEN, isIndexable: false }, 'nonce');
  expect(hidden).toContain('content="noindex"');
  expect(hidden).toContain('og:title');
});

test('robots.txt names the sitemap, which lists the public pages', async () => {
  const get = async (path: string, pages: PublicPages) =>
    await (
      await edgeOf(crawlerRoutes(() => pages)).fetch(new Request(`http://gate${path}`))
    ).text();
  expect(await get('/robots.txt', OPEN)).toContain('Sitemap: https://gate.example/sitemap.xml');
  const sitemap = await get('/sitemap.xml', OPEN);
  for (const path of ['models', 'models/gen-x', 'status', 'reference']) {
    expect(sitemap).toContain(`<loc>https://gate.example/console/${path}</loc>`);
  }
  const hidden = { ...OPEN, isIndexable: false };
  expect(await get('/robots.txt', hidden)).toBe('User-agent: *\nDisallow: /\n');
  expect(await get('/sitemap.xml', hidden)).not.toContain('<loc>');
});

test("the console's page is served with the tags of its address", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-head-'));
  copyFileSync(join(import.meta.dir, '../../../console/index.html'), join(folder, 'index.html'));
  const html = (await new ConsoleAssets(folder).current())?.page.html(
    'n',
    '<title>$& here</title>',
    { name: "Acme $& 'AI'", logo: '/console/logo?v=1' },
  );
  rmSync(folder, { recursive: true });
  expect(html).toContain('<title>$& here</title>');
  expect(html?.match(/<title>/g)).toHaveLength(1);
  expect(html).not.toContain('name="robots"');
  expect(html).toContain(
    '<img src="/console/logo?v=1" alt="" width="24" height="24" />Acme $&amp;',
  );
  expect(html).not.toContain('favicon.svg');
});
