/** For tests: a worker that polls `/healthz`, so that the work of the test does not delay it. */
import { parentPort } from 'node:worker_threads';

/** Time between two polls. */
const PAUSE_MS = 5;

let latenciesMs: number[] = [];

/**
 * Receives the gateway's URL once. Answers each later message `report` with the latencies since the
 * report before.
 */
parentPort?.on('message', (message: string) => {
  if (message !== 'report') {
    void poll(`${message}/healthz`);
    return;
  }
  parentPort?.postMessage(latenciesMs);
  latenciesMs = [];
});

async function poll(url: string): Promise<void> {
  for (;;) {
    const startMs = performance.now();
    await (await fetch(url)).text();
    latenciesMs.push(performance.now() - startMs);
    await Bun.sleep(PAUSE_MS);
  }
}
