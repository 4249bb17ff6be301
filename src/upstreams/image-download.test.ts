import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { GatewayError } from '../errors.ts';
import type { Resolve } from './checked-lookup.ts';
import { DOWNLOAD_MS, type DownloadOptions, downloadImage } from './image-download.ts';

const FILE = new Uint8Array(100_000).map((_, at) => at);
const seen: Headers[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    seen.push(new Headers(request.headers));
    const { pathname } = new URL(request.url);
    if (pathname === '/file') return new Response(FILE);
    if (pathname === '/moved') return Response.redirect('/file', 302);
    if (pathname === '/silent') return new Promise<Response>(() => {});
    if (pathname === '/endless') {
      const pull = (to: ReadableStreamDefaultController) => to.enqueue(new Uint8Array(65_536));
      return new Response(new ReadableStream({ pull }));
    }
    return new Response('no', { status: 404 });
  },
});
afterAll(() => server.stop(true));

const at = (path: string, host = '127.0.0.1') => `http://${host}:${server.port}${path}`;
/** Returns a resolver that resolves every name to these addresses. */
const names =
  (...addresses: readonly string[]): Resolve =>
  (_name, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
const options = (more: Partial<DownloadOptions> = {}): DownloadOptions => ({
  allowPrivate: true,
  maxBytes: 200_000,
  signal: new AbortController().signal,
  ...more,
});

/**
 * Downloads an image, expects a failure that no retry can fix, and returns the reason for the
 * operator.
 */
async function failure(url: string, more: Partial<DownloadOptions> = {}): Promise<string> {
  const thrown = await downloadImage(url, options(more)).catch((error: unknown) => error);
  if (!(thrown instanceof GatewayError)) throw new Error(`not refused: ${url}`);
  expect([thrown.code, thrown.retryable, thrown.message]).toEqual([
    ...['upstream_failed', false, "The provider's image could not be fetched."],
  ]);
  return thrown.cause instanceof Error ? thrown.cause.message : String(thrown.cause);
}

describe('an image by URL', () => {
  test('is fetched without credentials, at an address of its name', async () => {
    const resolve = names('127.0.0.1');
    const url = at('/file', 'pictures.example');
    expect(await downloadImage(url, options({ resolve }))).toEqual(FILE);
    expect(seen.at(-1)?.get('host')).toBe(`pictures.example:${server.port}`);
    expect(seen.at(-1)?.get('authorization')).toBeNull();
  });

  test.each([
    ['http://127.0.0.1/x', 'https'],
    ['https://127.0.0.1/x', 'private address'],
    ['https://169.254.169.254/latest', 'private address'],
    ['https://[::1]/x', 'private address'],
    ['https://metadata.internal/x', 'private address'],
    ['http://pictures.example/x', 'https'],
    ['ftp://pictures.example/x', 'https'],
    ['file:///etc/passwd', 'https'],
    ['https://user:pass@pictures.example/x', 'credentials'],
    ['not a url', 'invalid URL'],
  ])('%s is not called from a public upstream', async (url, why) => {
    const before = seen.length;
    expect(await failure(url, { allowPrivate: false })).toContain(why);
    expect(seen.length).toBe(before);
  });

  test('is not called when any address of its name is private', async () => {
    const before = seen.length;
    const resolve = names('93.184.216.34', '127.0.0.1');
    const url = `https://pictures.example:${server.port}/file`;
    expect(await failure(url, { allowPrivate: false, resolve })).toContain(
      'pictures.example (127.0.0.1), a private address',
    );
    expect(seen.length).toBe(before);
  });

  test('is not followed to another place, nor read from an error page', async () => {
    expect(await failure(at('/moved'))).toContain('answered 302');
    expect(await failure(at('/none'))).toContain('answered 404');
  });

  test('has at most the bytes of an answer', async () => {
    expect(await failure(at('/file'), { maxBytes: FILE.length - 1 })).toContain('more than 99999');
    expect(await failure(at('/endless'))).toContain('more than 200000 bytes');
    expect((await downloadImage(at('/file'), options({ maxBytes: FILE.length }))).length).toBe(
      FILE.length,
    );
  });

  test('arrives in time', async () => {
    const clock = manualClock();
    const before = seen.length;
    const why = failure(at('/silent'), { clock });
    while (seen.length === before) await Bun.sleep(1);
    clock.advance(DOWNLOAD_MS);
    expect(await why).toContain(`longer than ${DOWNLOAD_MS} ms`);
  });

  test('ends with its request', async () => {
    const caller = new AbortController();
    const fetching = downloadImage(at('/silent'), options({ signal: caller.signal }));
    caller.abort(new Error('gone'));
    await expect(fetching).rejects.toThrow('gone');
  });
});

describe('an image by URL, with a proxy', () => {
  const FOR_TESTS = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'no_proxy'] as const;
  const before = FOR_TESTS.map((name) => [name, process.env[name]] as const);
  /** The first line of each request that the proxy received. */
  const asked: string[] = [];
  const answers: Readonly<Record<string, string>> = {
    '/file': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\nconnection: close\r\n\r\nabc',
    '/moved': 'HTTP/1.1 302 Found\r\nlocation: /file\r\ncontent-length: 0\r\n\r\n',
  };
  const proxy = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data: (socket, bytes) => {
        const [line = ''] = bytes.toString().split('\r\n');
        asked.push(line);
        const path = /^GET http:..pictures.example(\S*)/.exec(line)?.[1] ?? '';
        socket.end(answers[path] ?? 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
      },
    },
  });
  afterAll(() => proxy.stop(true));
  beforeEach(() => {
    const url = `http://127.0.0.1:${proxy.port}`;
    Object.assign(process.env, { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '', no_proxy: '' });
    asked.length = 0;
  });
  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  test('is fetched by the proxy, which resolves the name', async () => {
    const url = 'http://pictures.example/file';
    expect(await downloadImage(url, options())).toEqual(new Uint8Array(Buffer.from('abc')));
    expect(asked).toEqual(['GET http://pictures.example/file HTTP/1.1']);
    expect(await failure(url, { maxBytes: 2 })).toContain('more than 2 bytes');
    expect(await failure('http://pictures.example/moved')).toContain('answered 302');
    expect(await failure('http://pictures.example/none')).toContain('answered 502');
    expect(asked.length).toBe(4);
  });

  test('is never fetched directly from a private address', async () => {
    const count = seen.length;
    const resolve = names('127.0.0.1');
    await failure('https://pictures.example/file', { allowPrivate: false, resolve });
    expect(asked).toEqual(['CONNECT pictures.example:443 HTTP/1.1']);
    process.env['NO_PROXY'] = 'pictures.example';
    for (const host of ['pictures.example', 'pictures.example.', 'cdn.pictures.example']) {
      const url = `https://${host}:${server.port}/file`;
      expect(await failure(url, { allowPrivate: false, resolve })).toContain('a private address');
    }
    expect([asked.length, seen.length]).toEqual([1, count]);
  });
});
