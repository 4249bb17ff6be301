import { afterAll, expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { CERTIFICATE, KEY } from './certificate.fixture.ts';
import type { Resolve } from './checked-lookup.ts';
import { NotPosted, type PublicPost, postPublic } from './public-post.ts';

const seen: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  tls: { key: KEY, cert: CERTIFICATE },
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    seen.push(`${request.headers.get('host')} ${await request.text()}`);
    if (pathname === '/endless') {
      const pull = (to: ReadableStreamDefaultController) => to.enqueue(new Uint8Array(65_536));
      return new Response(new ReadableStream({ pull }));
    }
    return new Response('ok', { status: 202 });
  },
});
afterAll(() => server.stop(true));

const names =
  (...addresses: readonly string[]): Resolve =>
  (_name, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

/** Posts to a URL. Returns the status, or the message of the failure. */
async function posted(url: string, more: Partial<PublicPost> = {}): Promise<number | string> {
  const post = {
    ...{ url, headers: { 'x-a': 'b' }, body: '{"a":1}', allowPrivate: true, clock: systemClock },
    ...{ signal: new AbortController().signal, resolve: names('127.0.0.1'), ca: CERTIFICATE },
  };
  return await postPublic({ ...post, ...more }).catch((thrown) => {
    if (!(thrown instanceof NotPosted)) throw thrown;
    return thrown.message;
  });
}
const at = (host: string, path = '/'): string => `https://${host}:${server.port}${path}`;

test('posts to the address that was checked, and verifies the certificate by name', async () => {
  const before = seen.length;
  expect(await posted(at('hooks.example'))).toBe(202);
  expect(seen.slice(before)).toEqual([`hooks.example:${server.port} {"a":1}`]);
  expect(await posted(at('other.example'))).toContain('The certificate of the receiver is not');
  const { signal } = new AbortController();
  const untrusted = await postPublic({
    ...{ url: at('hooks.example'), headers: {}, body: '', allowPrivate: true, signal },
    ...{ clock: systemClock, resolve: names('127.0.0.1') },
  }).catch((thrown: unknown) => String(thrown));
  expect(untrusted).toContain('The certificate of the receiver is not valid');
  expect(seen).toHaveLength(before + 1);
});

test.each([
  '127.0.0.1',
  '93.184.216.34 10.0.0.8',
  '169.254.169.254',
  '100.100.100.200',
  '::1',
  '::ffff:7f00:1',
  'fe80::1',
  'fd00:ec2::254',
  '64:ff9b::7f00:1',
])('connects to no private address: %s', async (addresses) => {
  const before = seen.length;
  const resolve = names(...addresses.split(' '));
  const words = await posted(at('hooks.example'), { allowPrivate: false, resolve });
  expect([words, seen.length]).toEqual(['The host does not have a public address.', before]);
});

test('reads nothing of an answer, and reports an unknown host', async () => {
  expect(await posted(at('hooks.example', '/endless'))).toBe(200);
  const unknown: Resolve = (_name, done) =>
    done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
  expect(await posted(at('gone.example'), { resolve: unknown })).toBe(
    'The host name cannot be resolved.',
  );
});

test('ends with its process', async () => {
  const process = new AbortController();
  const never: Resolve = () => undefined;
  const posting = posted(at('hooks.example'), { resolve: never, signal: process.signal });
  process.abort(new Error('stopping'));
  expect(await posting.catch((thrown: Error) => thrown.message)).toBe('stopping');
});
