/**
 * For tests: an upstream on a raw socket instead of an HTTP server. A script can send any bytes at
 * any time and end the connection in any way, so that it can violate every rule of HTTP.
 */
import { createServer, type Socket } from 'node:net';
import { scriptedConfig } from './scripted-upstream.ts';

export type HostileCall = {
  readonly path: string;
  readonly body: unknown;
  /** Sends raw bytes. Resolves when the gateway can receive more, or has disconnected. */
  readonly raw: (bytes: string | Uint8Array) => Promise<void>;
  /** Sends status line and headers. By default, the body is chunked and a `text/event-stream`. */
  readonly head: (status?: string, headers?: Readonly<Record<string, string>>) => Promise<void>;
  /** Sends one chunk of a chunked body. */
  readonly chunk: (bytes: string | Uint8Array) => Promise<void>;
  /** Ends a chunked body and keeps the connection open. */
  readonly endBody: () => Promise<void>;
  /** Closes the connection with a FIN. */
  readonly close: () => void;
  /** Closes the connection with an RST. */
  readonly reset: () => void;
  /** Resolves when the gateway has closed the connection. */
  readonly gone: Promise<void>;
  /** Returns the number of bytes that the gateway's socket has accepted so far. */
  readonly taken: () => number;
};

export type HostileScript = (call: HostileCall) => void | Promise<void>;

export type HostileUpstream = {
  readonly host: string;
  /** Sets the script that answers the following requests. */
  readonly script: (script: HostileScript) => void;
  readonly config: (edits?: Readonly<Record<string, string>>) => string;
  /** Returns the number of connections to the upstream that are open now. */
  readonly open: () => number;
  readonly stop: () => void;
};

export const EVENT_STREAM = { 'content-type': 'text/event-stream' } as const;
const CHUNKED = { 'transfer-encoding': 'chunked' } as const;

export async function startHostileUpstream(): Promise<HostileUpstream> {
  const sockets = new Set<Socket>();
  let script: HostileScript = ({ reset }) => reset();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    // Each request on a connection adds a listener, and Node.js would warn about more than ten.
    socket.setMaxListeners(0);
    socket.on('close', () => sockets.delete(socket));
    // The gateway resets a connection that it gives up, so errors are expected here and not
    // reported.
    socket.on('error', () => socket.destroy());
    onRequests(socket, (path, body) => script(callOn(socket, path, body)));
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const host = `127.0.0.1:${port}`;
  return {
    host,
    script: (next) => {
      script = next;
    },
    config: (edits) => scriptedConfig(host, edits),
    open: () => sockets.size,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/**
 * Parses consecutive requests. Each must have a content-length, as all requests of the gateway do.
 */
function onRequests(socket: Socket, serve: (path: string, body: unknown) => unknown): void {
  let seen = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    seen = Buffer.concat([seen, bytes]);
    for (;;) {
      const headEnd = seen.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = seen.subarray(0, headEnd).toString('latin1');
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const bodyEnd = headEnd + 4 + length;
      if (seen.length < bodyEnd) return;
      const body: unknown = JSON.parse(seen.subarray(headEnd + 4, bodyEnd).toString() || 'null');
      seen = seen.subarray(bodyEnd);
      serve(head.split(' ')[1] ?? '', body);
    }
  });
}

function callOn(socket: Socket, path: string, body: unknown): HostileCall {
  const gone = new Promise<void>((resolve) => {
    if (socket.destroyed) resolve();
    else socket.on('close', () => resolve());
  });
  const before = socket.bytesWritten;
  const raw = async (bytes: string | Uint8Array): Promise<void> => {
    if (socket.destroyed || socket.write(bytes)) return;
    await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), gone]);
  };
  return {
    path,
    body,
    raw,
    head: (status = '200 OK', headers = {}) => {
      const all = { ...EVENT_STREAM, ...CHUNKED, ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      return raw(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`);
    },
    chunk: (bytes) => {
      const buffer = Buffer.from(bytes);
      const size = `${buffer.length.toString(16)}\r\n`;
      return raw(Buffer.concat([Buffer.from(size), buffer, Buffer.from('\r\n')]));
    },
    endBody: () => raw('0\r\n\r\n'),
    close: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    gone,
    taken: () => socket.bytesWritten - before - socket.writableLength,
  };
}

export type Dialect = 'chat' | 'messages';

export const dialectOf = ({ path }: Pick<HostileCall, 'path'>): Dialect =>
  path.endsWith('/messages') ? 'messages' : 'chat';
