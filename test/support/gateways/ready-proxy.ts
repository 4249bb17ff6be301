/**
 * For tests: a load balancer in front of nodes. It forwards requests only to nodes whose `/readyz`
 * returns 200, over keep-alive connections, and never retries a request.
 */

export type ReadyProxy = {
  readonly url: string;
  /** Starts polling a node's `/readyz`. Resolves when the node is ready for the first time. */
  readonly add: (node: string) => Promise<void>;
  /** The number of requests that each node has received, by its URL. */
  readonly counts: ReadonlyMap<string, number>;
  readonly stop: () => Promise<void>;
};

const POLL_MS = 100;

export function startReadyProxy(): ReadyProxy {
  const ready = new Set<string>();
  const counts = new Map<string, number>();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let isStopped = false;
  let turn = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: async (request) => {
      const nodes = [...ready];
      turn += 1;
      const node = nodes[turn % nodes.length];
      if (node === undefined) return new Response('no node is ready', { status: 502 });
      counts.set(node, (counts.get(node) ?? 0) + 1);
      const { pathname, search } = new URL(request.url);
      return await fetch(`${node}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        body: await request.arrayBuffer(),
        signal: request.signal,
        decompress: false,
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    counts,
    add: async (node) => {
      const { promise: first, resolve } = Promise.withResolvers<void>();
      const follow = async (): Promise<void> => {
        while (!isStopped) {
          if (await isReady(node)) {
            ready.add(node);
            resolve();
          } else ready.delete(node);
          await Promise.race([Bun.sleep(POLL_MS), stopped]);
        }
      };
      void follow();
      await first;
    },
    stop: async () => {
      isStopped = true;
      stop();
      await server.stop(true);
    },
  };
}

const isReady = (node: string): Promise<boolean> =>
  fetch(`${node}/readyz`, { keepalive: false }).then(
    ({ status }) => status === 200,
    // A stopped node refuses the connection, so it is not ready.
    () => false,
  );
