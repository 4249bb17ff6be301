/** Runs the gateway as a process: listens, reloads on SIGHUP, drains on SIGTERM and SIGINT. */
import type { Clock } from '../clock.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { requireOutgoingRequests } from '../config/runtime.ts';
import type { Peer } from '../http/edge/edge.ts';
import { type Log, openLog, RequestLines } from '../telemetry/log.ts';
import { banner } from './banner.ts';
import { openGateway } from './gateway.ts';

export type ServeOptions = {
  readonly configPath: string | null;
  readonly clock: Clock;
  readonly version: string;
  readonly print: (text: string) => void;
};

/**
 * Past anything that is sent, so that our own limits answer, in JSON and with a line in the log: each body
 * is counted while it is read, and one that nobody reads is not kept.
 */
const MAX_REQUEST_BYTES = 2 ** 40;
const MAX_IDLE_SECONDS = 255;
/** Once all is settled, what is left in socket buffers gets this long to leave. */
const FLUSH_GRACE_MS = 500;

/** Resolves with the exit code once the gateway has been told to stop and everything is settled. */
export async function serve(options: ServeOptions): Promise<number> {
  const { clock, configPath } = options;
  requireOutgoingRequests();
  const config = loadConfig({ path: configPath });
  const { log, close: closeLog } = openLog(config.log.level, clock);
  const requestLines = new RequestLines(config.log.requests ? config.log.level : 'silent', clock);
  // The port is taken before the books are opened, as image addresses are made from it.
  let handle = (_request: Request, _peer: Peer): Response | Promise<Response> =>
    new Response(
      '{"error":{"message":"starting","type":"service_unavailable_error","param":null,"code":"shutting_down"}}',
      {
        status: 503,
        headers: { 'content-type': 'application/json', 'retry-after': '1' },
      },
    );
  const server = listen(config, (request, peer) => handle(request, peer));
  try {
    const url = config.public_url ?? localUrl(config, server.port ?? config.listen.port);
    const gateway = await openGateway({
      config,
      loadConfig: () => loadConfig({ path: configPath }),
      clock,
      log,
      requestLines,
      version: options.version,
      publicUrl: url,
    });
    handle = (request, peer) => gateway.edge.fetch(request, peer);
    options.print(
      banner(url, gateway.live.current, gateway.firstStart, gateway.setupLink?.url ?? null),
    );
    const watcher = gateway.live.watch();
    for (const fault of ['unhandledRejection', 'uncaughtException'] as const) {
      // A fault in one request must not end the streams of all others; it is ours to find in the log.
      process.on(fault, (thrown: unknown) =>
        log.error({ err: thrown }, `a fault was left: ${fault}`),
      );
    }
    process.on('SIGHUP', () => void gateway.live.reload());
    await stopSignal(log);
    watcher.stop();
    // Stops accepting; what runs goes on until it is drained.
    const stopped = server.stop(false);
    await gateway.close();
    // The last bytes of a slow reader may still be on their way; idle connections are not waited for.
    await Promise.race([stopped, clock.sleep(FLUSH_GRACE_MS)]);
    await server.stop(true);
    await requestLines.close();
    log.info('stopped');
    await closeLog();
    return 0;
  } catch (thrown) {
    await server.stop(true);
    await closeLog();
    throw thrown;
  }
}

function listen(
  config: Config,
  handle: (request: Request, peer: Peer) => Response | Promise<Response>,
) {
  const { host, port } = config.listen;
  try {
    return Bun.serve({
      hostname: host,
      port,
      idleTimeout: MAX_IDLE_SECONDS,
      maxRequestBodySize: MAX_REQUEST_BYTES,
      // Its error pages show source code.
      development: false,
      // Without development the runtime would share a port that another process listens on.
      reusePort: false,
      fetch(request, server) {
        // Silence is judged by the relay, which knows a slow model from a dead connection.
        if (request.method === 'POST') server.timeout(request, 0);
        return handle(request, () => server.requestIP(request)?.address ?? null);
      },
    });
  } catch (thrown) {
    throw new Error(
      `Cannot listen on ${host}:${port} (${thrown instanceof Error ? thrown.message : String(thrown)}). Stop what else listens there, or set PORT to another one.`,
      {
        cause: thrown,
      },
    );
  }
}

function localUrl({ listen: { host } }: Config, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function stopSignal(log: Log): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        log.info({ signal }, 'draining');
        resolve();
      });
    }
  });
}
