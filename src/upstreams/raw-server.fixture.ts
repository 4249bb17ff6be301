/** Test servers on the loopback address that write arbitrary bytes. */
import { afterEach } from 'bun:test';
import { createServer, type Socket } from 'node:net';

export type RawServer = {
  /** The URL with a version prefix, as in an operator's configuration. */
  readonly url: string;
  /** The number of connections accepted so far. */
  readonly connections: () => number;
  /** The number of connections that are open now. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
};

/** Starts a server. @param serve called with each connection and its number, counted from 1. */
export async function listenRaw(
  serve: (socket: Socket, number: number) => void,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Some tests disconnect on purpose, which resets the connection.
    socket.on('error', () => socket.destroy());
    serve(socket, count);
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    url: `http://127.0.0.1:${port}/v1`,
    connections: () => count,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Returns `listenRaw` for the tests of one file. Each server is closed at the end of its test. */
export function rawServers(): typeof listenRaw {
  let servers: RawServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
    servers = [];
  });
  return async (serve) => {
    const server = await listenRaw(serve);
    servers.push(server);
    return server;
  };
}

/** Returns a connection handler that writes these bytes whenever it receives data. */
export const answering =
  (bytes: string | Uint8Array) =>
  (socket: Socket): void => {
    socket.on('data', () => socket.write(bytes));
  };

/**
 * Returns a connection handler that writes these bytes after each complete request, which must have
 * a length.
 */
export const answeringWhole =
  (bytes: string) =>
  (socket: Socket): void => {
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      text += piece;
      const headEnd = text.indexOf('\r\n\r\n') + 4;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
      if (headEnd < 4 || text.length < headEnd + length) return;
      text = '';
      socket.write(bytes);
    });
  };

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
