import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { systemClock } from '../../clock.ts';
import { SMALL_FILE, settingsOf } from '../../config/file.fixture.ts';
import { edgeOf } from '../edge/edge.fixture.ts';
import type { Edge } from '../edge/edge.ts';
import type { Route } from '../edge/route.ts';
import { ConsoleAssets } from './console-assets.ts';
import { consoleRoutes } from './console-routes.ts';

const THEME = "document.documentElement.dataset.theme = 'dark';";
const SCRIPT = 'export const answer = 42;\n'.repeat(100);
const pageOf = (entry: string): string =>
  `<!doctype html><meta property="csp-nonce" nonce="%CSP_NONCE%"><script>${THEME}</script><script type="module" src="/console/assets/${entry}"></script>`;

const folder = mkdtempSync(join(tmpdir(), 'modelgate-console-'));
const dist = join(folder, 'dist');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a build: one file in all three encodings, one uncompressed, and a dotfile. */
function build(entry = 'index-Ab12.js', content = SCRIPT): void {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(join(dist, 'assets'), { recursive: true });
  writeFileSync(join(dist, 'assets', entry), content);
  writeFileSync(join(dist, 'assets', `${entry}.br`), brotliCompressSync(content));
  writeFileSync(join(dist, 'assets', `${entry}.gz`), gzipSync(content));
  writeFileSync(join(dist, 'favicon.svg'), '<svg/>');
  writeFileSync(join(dist, '.made-from'), 'a note');
  writeFileSync(join(folder, 'secret.txt'), 'what nobody must read');
  writeFileSync(join(dist, 'index.html'), pageOf(entry));
}

/** An API route below `/console` that only accepts POST. */
const redeem: Route = {
  method: 'POST',
  path: '/console/api/redeem',
  auth: 'public',
  dialect: 'openai',
  doc: { summary: 'Redeem', tag: 'account' },
  handle: () => Promise.resolve(Response.json({ redeemed: true })),
};

let edge: Edge;
beforeEach(() => {
  build();
  edge = edgeOf([
    ...consoleRoutes({
      assets: new ConsoleAssets(dist),
      clock: systemClock,
      pages: () => ({
        catalogue: null,
        isStatusPublic: true,
        isIndexable: true,
        publicUrl: 'https://gateway.test',
        brand: settingsOf(SMALL_FILE).brand,
      }),
    }),
    redeem,
  ]);
});

const send = async (path: string, init: RequestInit = {}): Promise<Response> =>
  await edge.fetch(new Request(`http://gateway${path}`, init));

const policyOf = (response: Response): ReadonlyMap<string, string> =>
  new Map(
    (response.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')] as const;
    }),
  );

describe('a page', () => {
  test('is the same for every URL outside of files and the API', async () => {
    for (const path of [
      '/console',
      '/console/',
      '/console/keys/key_1?tab=usage',
      '/console/models/v4.1',
    ]) {
      const response = await send(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await response.text()).toContain('/console/assets/index-Ab12.js');
    }
  });

  test('of the administration is reached from the prefix that its pages share', async () => {
    for (const path of ['/console/admin', '/console/admin/']) {
      const { status, headers } = await send(path);
      expect([status, headers.get('location')]).toEqual([302, '/console/admin/home']);
    }
  });

  test('allows its own scripts and styles only', async () => {
    const response = await send('/console');
    const policy = policyOf(response);
    const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1] ?? '';
    const hash = createHash('sha256').update(THEME).digest('base64');
    expect(nonce).toHaveLength(24);
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': "'none'",
      'script-src': `'self' 'sha256-${hash}'`,
      'style-src': `'self' 'nonce-${nonce}'`,
      'img-src': "'self' data: blob: https://gateway.test",
      'font-src': "'self'",
      'connect-src': "'self'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
    });
  });

  test('has a fresh nonce and is not cached', async () => {
    const [one, other] = [await send('/console'), await send('/console')];
    expect(await one.text()).not.toBe(await other.text());
    expect(one.headers.get('cache-control')).toBe('private, no-cache');
    expect(one.headers.get('etag')).toBeNull();
  });

  test('sends no referrer and is isolated from other sites', async () => {
    const { headers } = await send('/console', { headers: { origin: 'https://other.test' } });
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a file', () => {
  const asset = '/console/assets/index-Ab12.js';

  test('is served in the smallest accepted encoding', async () => {
    const forms = [
      ['gzip, deflate, br, zstd', 'br'],
      ['GZIP', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['*', 'br'],
      ['br;q=0.000, *;q=0', null],
      ['identity', null],
      ['', null],
    ] as const;
    for (const [accepted, encoding] of forms) {
      const response = await send(asset, { headers: { 'accept-encoding': accepted } });
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = { br: brotliDecompressSync, gzip: gunzipSync, null: (b: Buffer) => b }[
        `${encoding}`
      ](bytes);
      expect([accepted, response.headers.get('content-encoding')]).toEqual([accepted, encoding]);
      expect(text.toString()).toBe(SCRIPT);
      expect(response.headers.get('content-length')).toBe(String(bytes.byteLength));
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(response.headers.get('vary')).toBe('accept-encoding');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('is immutable if its name has a hash, else revalidated', async () => {
    const hashed = await send(asset);
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const plain = await send('/console/favicon.svg');
    expect(plain.headers.get('cache-control')).toBe('no-cache');
    expect(plain.headers.get('content-type')).toBe('image/svg+xml');
    const etag = plain.headers.get('etag') ?? '';
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const again = await send('/console/favicon.svg', { headers: { 'if-none-match': known } });
      expect([known, again.status, await again.text()]).toEqual([known, 304, '']);
    }
    const changed = await send('/console/favicon.svg', { headers: { 'if-none-match': '"other"' } });
    expect(changed.status).toBe(200);
  });

  test('answers HEAD like GET without the body', async () => {
    const response = await send(asset, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(
      String(brotliCompressSync(SCRIPT).byteLength),
    );
    expect(await response.text()).toBe('');
  });

  test('that is missing gets a 404, not a page', async () => {
    for (const path of ['/console/assets/index-Old1.js', '/console/assets/']) {
      const response = await send(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect((await response.json()).error.message).toContain('reload the page');
    }
  });

  test('outside the build is unreachable by any spelling of the URL', async () => {
    const climbs = ['..', '%2e%2e', '%2E%2E%2F..', '..%2f..', '..%5c..', '....//', '%252e%252e'];
    for (const climb of climbs) {
      for (const path of [`/console/${climb}/secret.txt`, `/console/assets/${climb}/secret.txt`]) {
        expect(await (await send(path)).text()).not.toContain('what nobody must read');
      }
    }
    for (const own of ['.made-from', 'index.html', 'assets/index-Ab12.js.br']) {
      const response = await send(`/console/${own}`);
      // A request for a missing file returns 404 below assets/, and the console's page elsewhere.
      const type = response.headers.get('content-type');
      expect([own, type]).toEqual([
        own,
        own.startsWith('assets/') ? 'application/json' : 'text/html; charset=utf-8',
      ]);
    }
  });
});

describe('beside the API', () => {
  test("an unknown API path gets the API's 404", async () => {
    for (const path of ['/console/api', '/console/api/nothing']) {
      const response = await send(path);
      expect([path, response.status, (await response.json()).error.code]).toEqual([
        path,
        404,
        'unknown_url',
      ]);
    }
  });

  test('a wrong method on an API route gets a 405, although pages accept GET', async () => {
    expect((await send('/console/api/redeem', { method: 'POST' })).status).toBe(200);
    const response = await send('/console/api/redeem');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  });
});

describe('a build', () => {
  test('that is missing is reported, and served once it is made', async () => {
    rmSync(dist, { recursive: true });
    const response = await send('/console/keys');
    expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store']);
    expect(await response.text()).toContain('npm run build');
    build();
    expect((await send('/console/keys')).status).toBe(200);
  });

  test('replaces the previous one without a restart', async () => {
    await send('/console');
    build('index-Cd34.js', 'another');
    expect(await (await send('/console')).text()).toContain('index-Cd34.js');
    expect(await (await send('/console/assets/index-Cd34.js')).text()).toBe('another');
    expect((await send('/console/assets/index-Ab12.js')).status).toBe(404);
  });
});
