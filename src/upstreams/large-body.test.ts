/** Tests a body that is sent as a stream, and that no connection can take at once. */
import { expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { GatewayError } from '../errors.ts';
import { asking, failure, until, upstreamAt } from './asking.fixture.ts';
import { answeringWhole, OK, rawServers } from './raw-server.fixture.ts';
import { NotSent, type UpstreamRequest } from './upstream.ts';

const listen = rawServers();

const large = (request: Partial<UpstreamRequest> = {}): UpstreamRequest =>
  asking({ body: new Uint8Array(8 * 1024 * 1024).fill(120), stream: true, ...request });

test('leaves its connection open for the next request', async () => {
  const server = await listen(answeringWhole(OK));
  const upstream = upstreamAt(server.url);
  for (let i = 0; i < 3; i++) expect(await (await upstream.send(large())).text()).toBe('ok');
  expect(server.connections()).toBe(1);
});

test('gets the answer of a peer that reads only its beginning', async () => {
  const refusal = 'HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 3\r\n\r\nbig';
  const server = await listen((socket) =>
    socket.once('data', () => {
      socket.pause();
      socket.end(refusal);
    }),
  );
  const response = await upstreamAt(server.url).send(large());
  expect([response.status, await response.text()]).toEqual([413, 'big']);
});

test('is not sent again to a peer that closes while reading it', async () => {
  let asked = 0;
  const server = await listen((socket) =>
    socket.once('data', () => {
      asked += 1;
      socket.destroy();
    }),
  );
  const thrown = await failure(upstreamAt(server.url).send(large()));
  expect(thrown).not.toBeInstanceOf(NotSent);
  expect(thrown).toMatchObject({ code: 'upstream_failed' });
  expect(asked).toBe(1);
});

test('was never sent to a peer that refuses the connection', async () => {
  const server = await listen(() => {});
  await server.close();
  expect(await failure(upstreamAt(server.url).send(large()))).toBeInstanceOf(NotSent);
});

test('is no longer sent after its caller has disconnected', async () => {
  const reached = Promise.withResolvers<Socket>();
  let received = 0;
  const server = await listen((socket) => {
    socket.once('data', () => {
      socket.pause();
      reached.resolve(socket);
    });
    socket.on('data', (piece) => {
      received += piece.length;
    });
  });
  const leaving = new AbortController();
  const failed = failure(upstreamAt(server.url).send(large({ signal: leaving.signal })));
  const socket = await reached.promise;
  const reason = new GatewayError('caller_left', 'Gone.');
  leaving.abort(reason);
  expect(await failed).toBe(reason);
  socket.resume();
  await until(() => server.open() === 0);
  expect(received).toBeLessThan(large().body.byteLength);
});
