import { afterAll, expect, test } from 'bun:test';
import { createSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';
import { once } from 'node:events';
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

/**
 * Starts a name server. Each name has the address 127.0.0.1, except `gone.example`, which is
 * unknown.
 */
async function startNameServer() {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const nameEnd = query.indexOf(0, 12) + 1;
    const isGone = query.includes('gone');
    const isIpv4 = query.readUInt16BE(nameEnd) === 1 && !isGone;
    const head = Buffer.from(query.subarray(0, nameEnd + 4));
    // The flags of an answer, the number of answers, and no further records.
    head.writeUInt16BE(isGone ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(Number(isIpv4), 6);
    head.writeUInt32BE(0, 8);
    const answer = isIpv4 ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1] : [];
    socket.send(Buffer.concat([head, Buffer.from(answer)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

test('resolves names on the event loop, not with the threads of the system resolver', async () => {
  const nameServer = await startNameServer();
  const usual = getServers();
  // Only the resolver on the event loop asks these servers.
  setServers([`127.0.0.1:${nameServer.address().port}`]);
  try {
    const { signal } = new AbortController();
    const post = { headers: {}, body: '{}', allowPrivate: true, clock: systemClock, signal };
    expect(await postPublic({ ...post, url: at('hooks.example'), ca: CERTIFICATE })).toBe(202);
    const unknown = { ...post, url: at('gone.example'), allowPrivate: false };
    await expect(postPublic(unknown)).rejects.toMatchObject({ code: 'unknown_host' });
  } finally {
    setServers(usual);
    nameServer.close();
  }
});

test('ends with its process', async () => {
  const process = new AbortController();
  const never: Resolve = () => undefined;
  const posting = posted(at('hooks.example'), { resolve: never, signal: process.signal });
  process.abort(new Error('stopping'));
  expect(await posting.catch((thrown: Error) => thrown.message)).toBe('stopping');
});
