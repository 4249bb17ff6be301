/** Tests an operator's brand in the answers to browsers, search engines and administrators. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brandWords } from '../config/brand/brand.ts';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { type Answer, Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, depsOn, newFolder, removeFolders } from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

setDefaultTimeout(180_000);

let gateway: Gateway;
let contract: Contract;
let revision = 1;
beforeAll(async () => {
  const folder = newFolder();
  const path = join(folder, 'modelgate.yaml');
  writeFileSync(path, `config: database\n${SMALL_FILE}`);
  const env = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  gateway = await openGateway(depsOn({ path, env }));
  contract = await contractOf(gateway);
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

const change = (brand: object | null): Promise<Answer> => changeAll({ brand });
async function changeAll(document: object): Promise<Answer> {
  const answer = await new Visit(gateway).send(
    'PATCH /admin/v1/config',
    { document },
    { authorization: `Bearer ${ADMIN_TOKEN}`, 'if-match': `"${revision}"` },
  );
  revision = answer.status === 200 ? answer.body.revision : revision;
  return answer;
}
const fetched = async (path: string, headers = {}): Promise<Response> =>
  await gateway.edge.fetch(new Request(`http://gateway${path}`, { headers }));
const page = async (path: string): Promise<string> => await (await fetched(path)).text();
async function get(route: string): Promise<Answer> {
  const answer = await new Visit(gateway).send(`GET ${route}`);
  expect(contract.disagreement(`GET ${route}`, answer)).toBeNull();
  return answer;
}

const SVG =
  '<svg viewBox="0 0 1 1" onload="alert(1)"><script>alert(1)</script><path d="M0 0"/></svg>';
const CLEAN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>';
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

test('without a brand, pages have the name and logo of the product', async () => {
  const html = await page('/console/models');
  expect(html).toContain('· Modelgate</title>');
  expect(html).not.toMatch(/application-name|logo\?v=|:root:root/);
  expect((await fetched('/console/logo')).status).toBe(404);
  const { brand } = (await get('/console/api/session')).body;
  expect(brand).toEqual({ support_url: null, pages: [], announcement: null });
});

test('a name, a logo and an accent are on the next page, without a restart', async () => {
  const made = await change({ name: 'Acme <AI>', logo: SVG, accent: '#0F766E' });
  expect(made.body).toMatchObject({ revision: 2, in_force: true, needs_restart: [] });
  const answer = await fetched('/console/models');
  const html = await answer.text();
  expect(html).toContain('AI models and prices · Acme &lt;AI&gt;</title>');
  expect(html).toContain('<meta name="application-name" content="Acme &lt;AI&gt;" />');
  expect(html).toContain('<meta property="og:site_name" content="Acme &lt;AI&gt;" />');
  expect(html).toMatch(
    /<header><img src="\/console\/logo\?v=[\w-]+"[^>]*>Acme &lt;AI&gt;<\/header>/,
  );
  expect(html.match(/rel="icon"/g)).toHaveLength(1);
  expect(await page('/llms.txt')).toStartWith('# Acme <AI>\n');
  expect(await page('/status/incidents.atom')).toContain('<name>Acme &lt;AI&gt;</name>');
  const [, nonce = ''] =
    /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
  expect(html).toContain(`<style nonce="${nonce}">:root:root`);
  expect(html.toLowerCase()).toContain('--mantine-color-brand-6:#0f766e');
});

test('the logo is harmless, cached by its content, and cannot run as a page', async () => {
  const [, path = ''] = /<img src="([^"]+)"/.exec(await page('/console')) ?? [];
  const logo = await fetched(path);
  expect(await logo.text()).toBe(CLEAN);
  expect(logo.headers.get('content-type')).toBe('image/svg+xml');
  expect(logo.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(logo.headers.get('x-content-type-options')).toBe('nosniff');
  expect(logo.headers.get('cache-control')).toContain('immutable');
  const etag = logo.headers.get('etag') ?? '';
  const again = await fetched('/console/logo', { 'if-none-match': etag });
  expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'no-cache']);
  await change({ logo: PNG });
  expect((await fetched('/console/logo')).headers.get('content-type')).toBe('image/png');
  expect(await page('/console/models')).toMatch(
    /property="og:image" content="[^"]+\/console\/logo/,
  );
  expect(brandWords(gateway.live.config.brand, 'https://a.example')).toMatchObject({
    name: 'Acme <AI>',
    logoUrl: expect.stringMatching(/^https:\/\/a\.example\/console\/logo\?v=/),
    termsUrl: null,
  });
});

test('a file that cannot be read or is not a picture is refused with the reason', async () => {
  for (const [brand, path, message] of [
    [
      { accent: '#ffcc00' },
      'brand.accent',
      'has a contrast of 1.5:1 with the white text on buttons',
    ],
    [{ accent: '#111111' }, 'brand.accent', 'with the background of cards in the dark theme'],
    [{ accent: 'red' }, 'brand.accent', 'write a color such as #3b5bdb'],
    [{ logo: '<svg><image href="x"/></svg>' }, 'brand.logo', 'has <image>'],
    [{ logo: 'data:image/png;base64,AAAA' }, 'brand.logo', 'is not a PNG'],
    [{ logo: `<svg>${'<g/>'.repeat(30_000)}</svg>` }, 'brand.logo', 'at most 90000 characters'],
    [{ support_url: 'javascript:alert(1)' }, 'brand.support_url', 'write an http or https'],
    [{ name: 'x'.repeat(41) }, 'brand.name', 'at most 40 characters'],
    [
      {
        announcement: {
          text: { en: 'a' },
          from: '2027-01-02T00:00:00Z',
          until: '2027-01-01T00:00:00Z',
        },
      },
      'brand.announcement.until',
      'must be after from',
    ],
  ] as const) {
    const { status, body } = await change(brand);
    expect([status, body.error?.param]).toEqual([400, path]);
    expect(body.error.message).toContain(message);
  }
  const dark = await change({ accent: '#111111', accent_dark: '#2563eb' });
  expect(dark.status).toBe(200);
});

test('terms and privacy are public pages, listed for search engines', async () => {
  expect((await fetched('/console/api/pages/terms')).status).toBe(404);
  const text = { en: '# Terms\n\nBe kind.', zh: '# 条款' };
  await change({ terms: text, support_url: 'mailto:help@acme.example' });
  expect((await get('/console/api/pages/terms')).body).toEqual({ text });
  expect((await fetched('/console/api/pages/toString')).status).toBe(404);
  const { brand } = (await get('/console/api/session')).body;
  expect(brand).toMatchObject({ support_url: 'mailto:help@acme.example', pages: ['terms'] });
  expect(await page('/console/terms')).toContain(
    '<title>Terms of service · Acme &lt;AI&gt;</title>',
  );
  expect(await page('/sitemap.xml')).toContain('/console/terms</loc>');
  expect(await page('/console/privacy')).toContain('noindex');
});

test('an announcement is shown between its times', async () => {
  const shown = async () => (await get('/console/api/session')).body.brand.announcement;
  const text = { en: 'Maintenance on Sunday' };
  await change({ announcement: { text, from: '2020-01-01T00:00:00Z', level: 'warning' } });
  expect(await shown()).toEqual({
    text: { en: 'Maintenance on Sunday', zh: null },
    level: 'warning',
    dismissible: true,
  });
  await change({ announcement: { until: '2021-01-01T00:00:00Z' } });
  expect(await shown()).toBeNull();
  await change({ announcement: { from: '2999-01-01T00:00:00Z', until: null } });
  expect(await shown()).toBeNull();
  await change(null);
  expect(await page('/console')).toContain('<title>Modelgate</title>');
});

test('sign-up opens and closes at once', async () => {
  const mode = async () => (await get('/console/api/session')).body.sign_up;
  expect(await mode()).toBe('closed');
  const opened = await changeAll({ console: { sign_up: 'open' } });
  expect(opened.body).toMatchObject({ in_force: true, needs_restart: [] });
  expect(await mode()).toBe('open');
  await changeAll({ console: null });
  expect(await mode()).toBe('closed');
});

test('the catalogue and the status become private and public again at once', async () => {
  const statuses = async () =>
    await Promise.all(
      ['/v1/models', '/v1/models/gen-x', '/status.json', '/status/history.json'].map(
        async (path) => (await fetched(path)).status,
      ),
    );
  const securityOf = async () => {
    const [plain, compressed] = await Promise.all(
      ['identity', 'gzip'].map(async (encoding) => {
        const headers = { 'accept-encoding': encoding };
        const answer = await fetched('/openapi.json', headers);
        const bytes = await answer.bytes();
        const text = encoding === 'gzip' ? Bun.gunzipSync(bytes) : bytes;
        return JSON.parse(Buffer.from(text).toString()).paths['/v1/models'].get.security.length;
      }),
    );
    expect(compressed).toBe(plain);
    return plain;
  };
  const isListed = async () => (await page('/sitemap.xml')).includes('/console/models</loc>');
  expect([await statuses(), await isListed()]).toEqual([[200, 200, 200, 200], true]);
  const open = await securityOf();
  const hidden = await changeAll({ status: { public: false } });
  expect(hidden.body).toMatchObject({ in_force: true, needs_restart: [] });
  expect(await statuses()).toEqual([200, 200, 401, 401]);
  await changeAll({ catalogue: { public: false } });
  expect([await statuses(), await isListed()]).toEqual([[401, 401, 401, 401], false]);
  expect(await securityOf()).toBeGreaterThan(open);
  await changeAll({ status: null, catalogue: null });
  expect([await statuses(), await isListed()]).toEqual([[200, 200, 200, 200], true]);
});
