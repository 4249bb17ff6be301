/** Routes of the console's pages and files; the API routes that pages call are in other files. */
import type { Clock } from '../../clock.ts';
import { LOGO_PATH, logoPath } from '../../config/brand/brand.ts';
import type { Logo } from '../../config/brand/logo.ts';
import { GatewayError } from '../../errors.ts';
import { isKnown } from '../edge/response-headers.ts';
import { type Call, CONSOLE_PATH, type Route } from '../edge/route.ts';
import { unknownUrl } from '../edge/unknown-url.ts';
import { type Asset, type ConsoleAssets, type Page, variantFor } from './console-assets.ts';
import { crawlerRoutes, type PublicPages, pageHead } from './page-head.ts';

/** The prefix of the API. An unknown URL below it gets an API error, not a page. */
const API_PATH = `${CONSOLE_PATH}/api`;
const ASSETS_PATH = `${CONSOLE_PATH}/assets/`;
/** The prefix of the administration pages. People type it, but no page has this path. */
const ADMIN_PATH = `${CONSOLE_PATH}/admin`;
const LOGO = "Read the logo of the operator's brand";
const NONCE_BYTES = 16;
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The headers of every page and file of the console. */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  // A Referer header must not reveal a one-time link.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

const NOT_BUILT =
  'The console is not built. Run `npm run build` in the gateway folder and reload this page. The gateway need not be restarted, and its API works without the console.\n';

export type ConsoleDeps = {
  readonly assets: Pick<ConsoleAssets, 'current'>;
  readonly clock: Pick<Clock, 'randomBytes'>;
  /**
   * Returns the data of the public pages. All pages may load generated images from its `publicUrl`.
   */
  readonly pages: () => PublicPages;
};

export function consoleRoutes(deps: ConsoleDeps): readonly Route[] {
  const route = (path: string, summary: string): Route => ({
    method: 'GET',
    path,
    auth: 'public',
    dialect: 'both',
    doc: { summary, tag: 'console', mediaTypes: ['text/html'] },
    handle: (call) => answer(deps, call),
  });
  return [
    {
      ...route(LOGO_PATH, LOGO),
      doc: { summary: LOGO, tag: 'console', mediaTypes: LOGO_TYPES },
      handle: async ({ request, url }: Call) => logoAnswer(deps.pages().brand.logo, request, url),
    },
    route(CONSOLE_PATH, 'Show the console, for browsers'),
    route(`${CONSOLE_PATH}/*`, 'Read a page or a file of the console'),
    ...crawlerRoutes(deps.pages),
  ];
}

async function answer(deps: ConsoleDeps, { request, url: { pathname } }: Call): Promise<Response> {
  if (pathname === API_PATH || pathname.startsWith(`${API_PATH}/`)) {
    throw unknownUrl(request.method, pathname, deps.pages().publicUrl);
  }
  if (pathname === ADMIN_PATH || pathname === `${ADMIN_PATH}/`) {
    const headers = { ...SAFE_HEADERS, location: `${ADMIN_PATH}/home` };
    return new Response(null, { status: 302, headers });
  }
  const build = await deps.assets.current();
  if (build === null) return notBuilt();
  const asset = build.assets.get(pathname.slice(`${CONSOLE_PATH}/`.length));
  if (asset !== undefined) return await fileAnswer(request, asset);
  if (pathname.startsWith(ASSETS_PATH)) throw noSuchFile();
  return pageAnswer(build.page, pathname, deps);
}

/**
 * Answers with a page. Caches must not reuse it, because injected markup could use a nonce that is
 * served twice.
 */
function pageAnswer(page: Page, pathname: string, { clock, pages }: ConsoleDeps): Response {
  const shown = pages();
  const nonce = Buffer.from(clock.randomBytes(NONCE_BYTES)).toString('base64');
  const { brand } = shown;
  const frame = { name: brand.name, logo: logoPath(brand) };
  return new Response(page.html(nonce, pageHead(pathname, shown, nonce), frame), {
    headers: {
      ...SAFE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache',
      'content-security-policy': pagePolicy(page, nonce, shown.publicUrl),
    },
  });
}

/** Makes the content security policy. The component library's style elements need the nonce. */
function pagePolicy({ scriptHashes }: Page, nonce: string, publicUrl: string): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scriptHashes].join(' ')}`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob: ${new URL(publicUrl).origin}`,
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** Sends a file. @throws GatewayError `not_found` when a new build has just replaced the file. */
async function fileAnswer(request: Request, asset: Asset): Promise<Response> {
  const headers = new Headers({
    ...SAFE_HEADERS,
    etag: asset.etag,
    vary: 'accept-encoding',
    'cache-control': asset.isHashed ? IMMUTABLE : 'no-cache',
    // An SVG that is opened as a page must not run scripts.
    'content-security-policy': "default-src 'none'",
  });
  if (isKnown(request.headers.get('if-none-match'), asset.etag)) {
    return new Response(null, { status: 304, headers });
  }
  const { encoding, path } = variantFor(request.headers.get('accept-encoding'), asset);
  const file = Bun.file(path);
  if (!(await file.exists())) throw noSuchFile();
  headers.set('content-type', asset.mediaType);
  headers.set('content-length', String(file.size));
  if (encoding !== null) headers.set('content-encoding', encoding);
  return new Response(request.method === 'HEAD' ? null : file, { headers });
}

const LOGO_TYPES = ['image/svg+xml', 'image/png'] as const;

/** Sends the logo. @throws GatewayError `not_found` if the operator has none. */
function logoAnswer(logo: Logo | null, request: Request, url: URL): Response {
  if (logo === null) throw new GatewayError('not_found', 'This gateway has no logo of its own.');
  const etag = `"${logo.version}"`;
  const headers = new Headers({
    ...SAFE_HEADERS,
    // Mail programs and link previews load a logo from other origins.
    'cross-origin-resource-policy': 'cross-origin',
    etag,
    'cache-control': url.searchParams.get('v') === logo.version ? IMMUTABLE : 'no-cache',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  if (isKnown(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  headers.set('content-type', logo.mediaType);
  return new Response(Buffer.from(logo.base64, 'base64'), { headers });
}

const notBuilt = (): Response =>
  new Response(NOT_BUILT, {
    status: 503,
    headers: {
      ...SAFE_HEADERS,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    },
  });

const noSuchFile = (): GatewayError =>
  new GatewayError(
    'not_found',
    'The console has no such file. If the console was just updated, reload the page.',
  );
