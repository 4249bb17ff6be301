/** For tests: a proxy in front of the gateway that drops answers before they reach the caller. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type CuttingProxy = {
  readonly url: string;
  /**
   * Loses the next `count` answers. Reads each answer completely from the gateway, and then closes
   * the caller's connection instead of forwarding the answer.
   */
  readonly loseAnswers: (count: number) => void;
  /**
   * Forwards the next request, but not its answer. When `whenSent` resolves, closes the connections
   * to the gateway and to the caller.
   */
  readonly cutNextRequest: (whenSent: Promise<unknown>) => void;
  readonly stop: () => void;
};

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  let toLose = 0;
  let cutting: Promise<unknown> | null = null;
  const server = createServer(async (request, response) => {
    const abort = new AbortController();
    const headers = Object.entries(request.headers)
      .filter(([name]) => name !== 'host' && name !== 'connection')
      .map(([name, value]): [string, string] => [name, String(value)]);
    const asked = fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      body: request.method === 'POST' ? await buffer(request) : null,
      signal: abort.signal,
    });
    if (cutting !== null) {
      const when = cutting;
      cutting = null;
      asked.catch(() => 'the cut is what it is for');
      await when;
      abort.abort();
      request.socket.destroy();
      return;
    }
    const answer = await asked;
    const body = new Uint8Array(await answer.arrayBuffer());
    if (toLose > 0) {
      toLose -= 1;
      request.socket.destroy();
      return;
    }
    answer.headers.delete('transfer-encoding');
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    loseAnswers: (count) => {
      toLose = count;
    },
    cutNextRequest: (whenSent) => {
      cutting = whenSent;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
