/** For tests: a proxy in front of nodes, of which it uses those whose `/readyz` answers 200. */

export type ReadyProxy = {
  readonly url: string;
  /** Uses a node from now on. Resolves when it is ready. */
  readonly add: (node: string) => Promise<void>;
  /** Sends no more requests to a node. Those that run go on. */
  readonly remove: (node: string) => void;
  /** The requests that each node has got. */
  readonly counts: ReadonlyMap<string, number>;
  readonly stop: () => Promise<void>;
};

const POLL_MS = 100;

export function startReadyProxy(): ReadyProxy {
  const ready = new Set<string>();
  const counts = new Map<string, number>();
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
        // A reused connection may be broken, and fetch would then send the request again.
        keepalive: false,
        decompress: false,
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    counts,
    add: async (node) => {
      for (;;) {
        const status = await fetch(`${node}/readyz`).then(
          (answer) => answer.status,
          () => 0,
        );
        if (status === 200) break;
        await Bun.sleep(POLL_MS);
      }
      ready.add(node);
    },
    remove: (node) => void ready.delete(node),
    stop: () => server.stop(true),
  };
}
