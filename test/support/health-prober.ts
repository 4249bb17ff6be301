/**
 * For tests: a worker that polls `/healthz` in its own thread, so that the test's work does not
 * delay the polls.
 */
import { parentPort } from 'node:worker_threads';

/** The time between two polls. */
const PAUSE_MS = 5;

let latenciesMs: number[] = [];

/**
 * The first message is the gateway's URL and starts the polling. Each later message is `report`.
 * The worker answers it with the latencies in ms since its previous answer.
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
