/** Tests the result of a request whose connection fails. Real sockets simulate the failures. */
import { describe, expect, test } from 'bun:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { manualClock } from '../clock.fixture.ts';
import { type Clock, systemClock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { asking, failure, until, upstreamAt } from './asking.fixture.ts';
import { answering, OK, rawServers } from './raw-server.fixture.ts';
import { NotSent } from './upstream.ts';

const listen = rawServers();

const causeOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : '';

describe('requests that were certainly never sent', () => {
  test('a refused connection', async () => {
    const server = await listen(() => {});
    await server.close();
    const thrown = await failure(upstreamAt(server.url).send(asking()));
    expect(thrown).toBeInstanceOf(NotSent);
    expect(causeOf(thrown)).toBe('upstream "there": ECONNREFUSED');
  });

  test('an unknown host', async () => {
    const thrown = await failure(upstreamAt('http://no-such-host.invalid/v1').send(asking()));
    expect(thrown).toBeInstanceOf(NotSent);
  });

  test('a port without TLS', async () => {
    const server = await listen(answering('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const url = server.url.replace('http:', 'https:');
    expect(await failure(upstreamAt(url).send(asking()))).toBeInstanceOf(NotSent);
  });

  test('an image for an unreachable host, tested before anything is sent', async () => {
    const clock = manualClock();
    const server = await listen(answering(OK));
    const knocked = Promise.withResolvers<void>();
    const dial = (_host: string, _port: number, signal: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        signal.addEventListener('abort', () => resolve(false));
        knocked.resolve();
      });
    const upstream = upstreamAt(server.url, { clock, dial });
    const failed = failure(upstream.send(asking({ format: 'images', connectMs: 300 })));
    await knocked.promise;
    clock.advance(300);
    expect(await failed).toBeInstanceOf(NotSent);
    expect(server.connections()).toBe(0);
  });
});

describe('requests that may have taken effect fail and are not repeated', () => {
  test.each([
    ['closes at once', (socket: { destroy: () => void }) => socket.destroy()],
    ['closes after the request', answering('')],
  ])('a peer that %s', async (name, serve) => {
    let asked = 0;
    const server = await listen((socket) => {
      socket.on('data', () => {
        asked += 1;
        socket.destroy();
      });
      if (name === 'closes at once') serve(socket);
    });
    const thrown = await failure(upstreamAt(server.url).send(asking()));
    expect(thrown).not.toBeInstanceOf(NotSent);
    expect(thrown).toMatchObject({ code: 'upstream_failed' });
    expect(asked).toBeLessThanOrEqual(1);
  });

  test.each([
    ['no HTTP', 'garbage\r\n\r\n'],
    ['half a header', 'HTTP/1.1 200 OK\r\nconte'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx-big: ${'a'.repeat(8 * 1024 * 1024)}\r\n\r\n`],
    ['thousands of headers', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(10_000)}\r\n`],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'],
  ])('%s', async (_name, bytes) => {
    const server = await listen((socket) => socket.on('data', () => socket.end(bytes)));
    const thrown = await failure(upstreamAt(server.url).send(asking()));
    expect(thrown).not.toBeInstanceOf(NotSent);
    expect(thrown).toMatchObject({ code: 'upstream_failed' });
    expect(thrown instanceof GatewayError ? thrown.message : '').not.toContain('127.0.0.1');
  });

  test('no status in time', async () => {
    const clock = manualClock();
    const reached = Promise.withResolvers<void>();
    const server = await listen((socket) => socket.on('data', () => reached.resolve()));
    const failed = failure(upstreamAt(server.url, { clock }).send(asking({ firstByteMs: 400 })));
    await reached.promise;
    clock.advance(400);
    const thrown = await failed;
    expect(thrown).not.toBeInstanceOf(NotSent);
    expect(thrown).toMatchObject({
      code: 'upstream_timeout',
      cause: { message: 'upstream "there": no answer within 400 ms' },
    });
    await until(() => server.open() === 0);
  });
});

test('an image that is canceled while its host is tested is not sent', async () => {
  const server = await listen(() => undefined);
  const leaving = new AbortController();
  const upstream = upstreamAt(server.url, {
    clock: manualClock(),
    dial: async () => {
      leaving.abort();
      return true;
    },
  });
  const request = asking({ format: 'images', signal: leaving.signal });
  expect(await failure(upstream.send(request))).toBeInstanceOf(NotSent);
  expect(server.open()).toBe(0);
});

describe('the deadline for connecting', () => {
  const silent = async (isThere: boolean) => {
    const clock = manualClock();
    const reached = Promise.withResolvers<void>();
    const server = await listen((socket) => socket.on('data', () => reached.resolve()));
    const knocks: number[] = [];
    const upstream = upstreamAt(server.url, {
      clock,
      dial: async () => {
        knocks.push(clock.monotonicMs());
        return isThere;
      },
    });
    return { clock, upstream, knocks, reached: reached.promise };
  };

  test('gives up on an unreachable host long before the first-byte timeout', async () => {
    const { clock, upstream, knocks, reached } = await silent(false);
    const failed = failure(upstream.send(asking({ connectMs: 100 })));
    await reached;
    clock.advance(50);
    expect(await failed).toMatchObject({
      code: 'upstream_timeout',
      message: 'The provider could not be reached in time.',
      cause: { message: 'upstream "there": no connection within 100 ms' },
    });
    expect(knocks).toEqual([50]);
  });

  test('waits for a reachable host that takes its time', async () => {
    const { clock, upstream, knocks, reached } = await silent(true);
    const failed = failure(upstream.send(asking()));
    await reached;
    clock.advance(59_999);
    expect(await Promise.race([failed, Promise.resolve('waiting')])).toBe('waiting');
    expect(knocks).toEqual([500]);
    clock.advance(1);
    expect(await failed).toMatchObject({ code: 'upstream_timeout' });
  });

  test('makes no extra connection to an upstream that answers', async () => {
    const server = await listen(answering(OK));
    const dial = () => Promise.reject(new Error('no test connection is needed'));
    const upstream = upstreamAt(server.url, { dial });
    for (let i = 0; i < 3; i++) await (await upstream.send(asking())).text();
    expect(server.connections()).toBe(1);
  });
});

describe('reused connections', () => {
  test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'do not include one that the peer closed while idle (%s)',
    async (how) => {
      let closed = 0;
      let asked = 0;
      const server = await listen((socket) => {
        socket.on('data', () => {
          asked += 1;
          socket.write(OK, () => setImmediate(() => socket[how]()));
        });
        socket.on('close', () => {
          closed += 1;
        });
      });
      const upstream = upstreamAt(server.url);
      for (let i = 1; i <= 3; i++) {
        expect(await (await upstream.send(asking())).text()).toBe('ok');
        await until(() => closed === i);
        // The runtime's network thread must notice the closed connection too. A call to another
        // server takes long enough for that.
        const other = await listen(answering(OK));
        await (await upstreamAt(other.url).send(asking())).text();
      }
      expect(asked).toBe(3);
    },
  );

  test('fail the request when the peer closes on it', async () => {
    let asked = 0;
    const server = await listen((socket) => {
      let first = true;
      socket.on('data', () => {
        asked += 1;
        if (first) socket.write(OK);
        else socket.destroy();
        first = false;
      });
    });
    const upstream = upstreamAt(server.url);
    await (await upstream.send(asking())).text();
    const thrown = await failure(upstream.send(asking()));
    expect(thrown).not.toBeInstanceOf(NotSent);
    expect(asked).toBe(2);
  });
});

const brotliQuickly = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

describe('a compressed answer to a request for plain text', () => {
  const packed = (encoding: string, bytes: Uint8Array) =>
    listen((socket) =>
      socket.on('data', () => {
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
        );
        socket.write(bytes);
      }),
    );

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('%s is unpacked', async (encoding, pack) => {
    const server = await packed(encoding, pack(Buffer.from('{"a":1}')));
    const response = await upstreamAt(server.url).send(asking());
    expect(await response.json()).toEqual({ a: 1 });
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliQuickly],
  ] as const)('a %s bomb comes out in pieces, as fast as it is read', async (encoding, pack) => {
    const server = await packed(encoding, pack(Buffer.alloc(100 * 1024 * 1024)));
    const response = await upstreamAt(server.url).send(asking({ stream: true }));
    const reader = response.body?.getReader();
    let largest = 0;
    let size = 0;
    while (reader !== undefined && size < 8 * 1024 * 1024) {
      const { value, done } = await reader.read();
      if (done) break;
      size += value.byteLength;
      largest = Math.max(largest, value.byteLength);
    }
    await reader?.cancel();
    expect(largest).toBeLessThanOrEqual(1024 * 1024);
    expect(size).toBeLessThan(10 * 1024 * 1024);
  });

  test('fails when it is corrupt', async () => {
    const server = await packed('gzip', Buffer.from('not packed at all'));
    const response = await upstreamAt(server.url).send(asking());
    expect(await failure(response.arrayBuffer())).toBeInstanceOf(Error);
  });
});

describe('a caller who disconnects', () => {
  test('closes the connection before the status line as well as after it', async () => {
    const reached = Promise.withResolvers<void>();
    const server = await listen((socket) => socket.on('data', () => reached.resolve()));
    const leaving = new AbortController();
    const failed = failure(upstreamAt(server.url).send(asking({ signal: leaving.signal })));
    await reached.promise;
    leaving.abort();
    await failed;
    await until(() => server.open() === 0);
  });

  test('leaves no listener, timer or connection behind', async () => {
    const event = 'data: 1\n\n';
    const head =
      'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
    const server = await listen(answering(`${head}${event.length.toString(16)}\r\n${event}\r\n`));
    const timers = { begun: 0, over: 0 };
    const clock: Clock = {
      ...systemClock,
      after: (delayMs, run) => {
        timers.begun += 1;
        let isOver = false;
        const end = (): void => {
          if (!isOver) timers.over += 1;
          isOver = true;
        };
        // On a busy machine, the timer of a call may fire before it is canceled.
        const timer = systemClock.after(delayMs, () => {
          end();
          run();
        });
        return {
          cancel: () => {
            end();
            timer.cancel();
          },
        };
      },
    };
    const upstream = upstreamAt(server.url, { clock });
    const listeners = { added: 0, removed: 0 };
    for (let i = 0; i < 1000; i++) {
      const leaving = new AbortController();
      const { signal } = leaving;
      const { addEventListener, removeEventListener } = signal;
      signal.addEventListener = (...args: Parameters<typeof addEventListener>): void => {
        listeners.added += 1;
        addEventListener.apply(signal, args);
      };
      signal.removeEventListener = (...args: Parameters<typeof removeEventListener>): void => {
        listeners.removed += 1;
        removeEventListener.apply(signal, args);
      };
      const response = await upstream.send(asking({ stream: true, signal }));
      const reader = response.body?.getReader();
      await reader?.read();
      leaving.abort();
      await failure(reader?.read() ?? Promise.resolve());
    }
    await until(() => server.open() === 0);
    expect(listeners.added).toBe(listeners.removed);
    expect(timers.over).toBe(timers.begun);
  });
});
