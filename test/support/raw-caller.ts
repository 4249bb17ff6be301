/** For tests: a caller on a raw TCP socket, which sends and reads only when the test calls it. */
import { connect, type Socket } from 'node:net';
import type { GatewayProcess } from './gateways/gateway-process.ts';

export type RawCaller = {
  readonly write: (bytes: string | Uint8Array) => void;
  /** Reads until `isEnough` accepts the text so far, then stops reading. */
  readonly readUntil: (isEnough: (text: string) => boolean) => Promise<string>;
  /** Reads until the gateway closes the connection. */
  readonly readToEnd: () => Promise<string>;
  readonly leave: () => void;
};

/**
 * Connects and sends the headers of a JSON request. Reads nothing until the test calls a function.
 */
export async function openRawCaller(
  { url, key }: Pick<GatewayProcess, 'url' | 'key'>,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<RawCaller> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.pause();
  // The gateway may reset the connection of a refused request. The error is ignored, because the
  // test notices the end of the connection when it reads.
  socket.on('error', () => socket.destroy());
  const all = {
    host: hostname,
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let text = '';
  return {
    write: (bytes) => void socket.write(bytes),
    readUntil: async (isEnough) => {
      while (!isEnough(text)) {
        const piece = await new Promise<Buffer>((resolve, reject) => {
          socket.once('data', resolve).once('end', () => reject(new Error(`ended: ${text}`)));
          socket.resume();
        });
        socket.pause();
        socket.removeAllListeners('data').removeAllListeners('end');
        text += piece.toString();
      }
      return text;
    },
    readToEnd: async () => {
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('data', (piece: Buffer) => {
        text += piece.toString();
      });
      socket.resume();
      await closed;
      return text;
    },
    leave: () => void socket.destroy(),
  };
}
