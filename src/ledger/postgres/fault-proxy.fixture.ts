/** A proxy on loopback that can be told to lose what passes through it. */
import { createConnection, createServer, type Socket } from 'node:net';

export type FaultProxy = {
  readonly port: number;
  /** The next answer to a batch is dropped, and its connection with it: the server has committed by then. */
  readonly cutNextAnswer: () => void;
  /** From now on nothing passes, and nobody is told. */
  readonly blackhole: (isOn: boolean) => void;
  /** How many answers were dropped. */
  readonly cuts: () => number;
  readonly close: () => void;
};

export async function faultProxy(host: string, port: number): Promise<FaultProxy> {
  let isCutting = false;
  let isBlack = false;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(port, host);
    /** Set by a batch on its way in. */
    let isAsked = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.on('data', (bytes) => {
      if (isBlack) return;
      // A batch is told by its commands, which no other statement has.
      if (bytes.includes('["settle",') || bytes.includes('["hold",')) isAsked = true;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isBlack) return;
      if (isCutting && isAsked && bytes.includes('"applied"')) {
        isCutting = false;
        cuts += 1;
        client.destroy();
        upstream.destroy();
      } else client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    resolve(address !== null && typeof address === 'object' ? address.port : 0);
  });
  return {
    port: await promise,
    cutNextAnswer: () => {
      isCutting = true;
    },
    blackhole: (isOn) => {
      isBlack = isOn;
    },
    cuts: () => cuts,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
