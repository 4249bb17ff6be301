/** A proxy on the loopback address that can drop traffic. */
import { createConnection, createServer, type Socket } from 'node:net';

export type FaultProxy = {
  readonly port: number;
  /** Drops the next reply to a batch and closes its connection, after the server has committed. */
  readonly cutNextAnswer: () => void;
  /** Turns silent dropping of all traffic on or off. */
  readonly blackhole: (isOn: boolean) => void;
  /** `true` closes all connections and refuses new ones, until `false` admits them again. */
  readonly refuse: (isOn: boolean) => void;
  /** The number of replies that `cutNextAnswer` has dropped. */
  readonly cuts: () => number;
  readonly close: () => void;
};

export async function faultProxy(host: string, port: number): Promise<FaultProxy> {
  let isCutting = false;
  let isBlack = false;
  let isRefusing = false;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (isRefusing) return void client.destroy();
    const upstream = createConnection(port, host);
    /** Whether the client has sent a batch of commands. */
    let isAsked = false;
    /** Whether the client has sent a batch of planned charges. */
    let isCharging = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.on('data', (bytes) => {
      if (isBlack) return;
      // These texts occur only in batches.
      if (bytes.includes('["settle",') || bytes.includes('["hold",')) isAsked = true;
      if (bytes.includes('{"(')) isCharging = true;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isBlack) return;
      // The reply to applied charges contains no outcome, only the command tag `SELECT 1`.
      const isReply = bytes.includes(isCharging ? 'SELECT 1' : '"applied"');
      if (isCutting && (isAsked || isCharging) && isReply) {
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
    refuse: (isOn) => {
      isRefusing = isOn;
      if (isOn) for (const socket of sockets) socket.destroy();
    },
    cuts: () => cuts,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
