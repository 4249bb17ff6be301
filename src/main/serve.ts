/** Runs the gateway as a process: listens, reloads on SIGHUP, drains on SIGTERM and SIGINT. */
import type { Clock } from '../clock.ts';
import type { ListenAddress } from '../config/address.ts';
import { type Config, configSteps, fileDocument, loadStart } from '../config/config.ts';
import { freeSchemas } from '../config/document/on-demand.ts';
import { SecretLookup } from '../config/document/secret-name.ts';
import { inSlices } from '../config/document/steps.ts';
import { misspelledVariables } from '../config/environment.ts';
import { requireOutgoingRequests } from '../config/runtime.ts';
import { type Edge, IDLE_SECONDS } from '../http/edge/edge.ts';
import { METRICS_PATH, metricsResponse } from '../http/edge/service-routes.ts';
import { type Log, openLog, RequestLines } from '../telemetry/log.ts';
import { banner } from './banner.ts';
import { dropExecutablePages } from './executable-pages.ts';
import { type Gateway, openGateway } from './gateway.ts';

export type ServeOptions = {
  readonly configPath: string | null;
  readonly clock: Clock;
  readonly version: string;
  readonly print: (text: string) => void;
};

/**
 * The HTTP server's own limit of a request body. It is so high that it is never reached, because
 * the gateway itself refuses large bodies, with a JSON error and a log line. The gateway counts the
 * bytes of a body while reading it, and the server does not buffer a body that is not read.
 */
const MAX_REQUEST_BYTES = 2 ** 40;
/** The idle timeout of a metrics connection, longer than the usual interval of scrapes. */
const METRICS_IDLE_SECONDS = 90;
/**
 * How long connections stay open after all requests are settled, to send what is still buffered.
 */
const FLUSH_GRACE_MS = 500;

/**
 * Runs the gateway until it is stopped. Resolves with the exit code when all requests are settled.
 */
export async function serve(options: ServeOptions): Promise<number> {
  const { clock, configPath } = options;
  const started = Promise.withResolvers<Gateway>();
  reloadOnSignal(started.promise);
  requireOutgoingRequests();
  const secrets = new SecretLookup();
  const file = { path: configPath, secrets: secrets.find };
  const config = loadStart(file);
  const { log, close: closeLog } = openLog(config.log.level, clock);
  for (const warning of misspelledVariables()) log.warn(warning);
  const requestLines = new RequestLines(config.log.requests ? config.log.level : 'silent', clock);
  let handle: Edge['fetch'] = answerWhileStarting;
  const start = () => listen(config, (...args) => handle(...args));
  // The server listens before the store is opened, because image URLs contain its port. If the
  // server shares its port, it listens only when the gateway is ready, because until then other
  // processes answer on that port.
  let server = config.share_port && config.listen.port !== 0 ? null : start();
  let metricsServer: MetricsServer | null = null;
  try {
    // Before the first start, whose key is printed only once: the port may be in use.
    metricsServer = listenForMetrics(config.metrics.listen, {
      text: async () => await (await started.promise).metrics.text(),
    });
    if (metricsServer !== null)
      log.info({ address: metricsServer.url.host }, 'metrics have a listener of their own');
    const url = config.public_url ?? localUrl(config, server?.port ?? config.listen.port);
    const gateway = await openGateway({
      config,
      loadConfig: () => inSlices(configSteps(file), clock),
      documents: {
        ofFile: () => fileDocument(file),
        steps: (stored) => configSteps(file, stored),
      },
      secrets,
      clock,
      log,
      requestLines,
      version: options.version,
      publicUrl: url,
    });
    freeStart();
    handle = gateway.edge.fetch;
    server ??= start();
    // Before the banner, because a supervisor may stop the gateway as soon as it sees the banner.
    const stopAsked = stopSignal(log);
    options.print(
      banner(url, gateway.live.current, gateway.firstStart, gateway.setupLink?.url ?? null),
    );
    void finishStart(config, log);
    const watcher = gateway.live.watch();
    // An unhandled error in one request must not end the streams of all others.
    process.on('unhandledRejection', (err: unknown) => log.error({ err }, 'unhandled rejection'));
    process.on('uncaughtException', (err: unknown) => log.error({ err }, 'uncaught exception'));
    started.resolve(gateway);
    await stopAsked.then(gateway.giveNotice);
    watcher.stop();
    // The server accepts no more connections. Running requests continue until they are drained.
    const stopped = server.stop(false);
    await gateway.close();
    // Slow callers get up to FLUSH_GRACE_MS to receive their last bytes. Then all connections are
    // closed, because idle ones would delay the exit.
    await Promise.race([stopped, clock.sleep(FLUSH_GRACE_MS)]);
    await server.stop(true);
    await metricsServer?.stop(true);
    await requestLines.close();
    log.info('stopped');
    await closeLog();
    return 0;
  } catch (thrown) {
    await server?.stop(true);
    await metricsServer?.stop(true);
    await closeLog();
    const { withRemedy } = await import('./doctor/at-start.ts');
    throw await withRemedy(thrown, config.data_dir);
  }
}

const answerWhileStarting = (): Response =>
  new Response(
    '{"error":{"message":"starting","type":"service_unavailable_error","param":null,"code":"shutting_down"}}',
    {
      status: 503,
      headers: { 'content-type': 'application/json', 'retry-after': '1' },
    },
  );

/** Frees schemas, memory and compiled code that only the start needed. */
function freeStart(): void {
  freeSchemas();
  Bun.shrink();
  Bun.unsafe.setJITPolicy(1);
}

/** Runs the parts of the start that can wait until the gateway answers requests. Never rejects. */
async function finishStart(config: Config, log: Log): Promise<void> {
  try {
    await warnOfFileSystems(config, log);
    await dropExecutablePages();
  } catch (err) {
    log.warn(
      { err },
      'could not check the file system, or could not free the memory that only the start needed',
    );
  }
}

/**
 * Warns if the file system of the data folder or of the backups is unsafe. The checks are imported
 * here, because the start itself does not need them.
 */
async function warnOfFileSystems(
  { database, data_dir, backups: { folder } }: Config,
  log: Log,
): Promise<void> {
  if (database !== 'sqlite' && folder === null) return;
  const { backupRisks, ledgerRisks } = await import('./doctor/at-start.ts');
  const risks = database === 'sqlite' ? await ledgerRisks(data_dir) : [];
  for (const risk of [...risks, ...(await backupRisks(folder, data_dir))]) log.warn(risk);
}

function listen(config: Config, handle: Edge['fetch']) {
  const { host, port } = config.listen;
  const isWhole = config.sources.get('listen')?.source === 'environment MODELGATE_LISTEN';
  return orCannotListen(config.listen, isWhole ? 'MODELGATE_LISTEN' : 'HOST and PORT', () =>
    Bun.serve({
      hostname: host,
      port,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: MAX_REQUEST_BYTES,
      // Prevents error pages that show source code.
      development: false,
      // By default, the runtime would share the port with other processes.
      reusePort: config.share_port,
      fetch: (request, server) => handle(request, server),
    }),
  );
}

type MetricsServer = NonNullable<ReturnType<typeof listenForMetrics>>;

/** Serves the metrics without a token on a separate address; null for no listener. */
export function listenForMetrics(
  address: ListenAddress | null,
  metrics: Parameters<typeof metricsResponse>[0],
) {
  if (address === null) return null;
  return orCannotListen(address, 'metrics.listen', () =>
    Bun.serve({
      hostname: address.host,
      port: address.port,
      idleTimeout: METRICS_IDLE_SECONDS,
      maxRequestBodySize: 0,
      development: false,
      reusePort: false,
      fetch: async ({ method, url }) =>
        method === 'GET' && URL.canParse(url) && new URL(url).pathname === METRICS_PATH
          ? await metricsResponse(metrics)
          : new Response(`Only GET ${METRICS_PATH} is served here.\n`, { status: 404 }),
    }),
  );
}

function orCannotListen<Server>(
  { host, port }: ListenAddress,
  setting: string,
  open: () => Server,
): Server {
  try {
    return open();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    const remedy = isTaken
      ? `Stop the other process, or name another address in ${setting}`
      : `Name an address of this machine, and a port that this user may use, in ${setting}`;
    throw new Error(`Cannot listen on ${host}:${port} (${why}). ${remedy}.`, { cause });
  }
}

function localUrl({ listen: { host } }: Config, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Handles SIGHUP from now on, because it would otherwise end the process. Reloads asked for during
 * the start wait until its end.
 */
function reloadOnSignal(started: Promise<Pick<Gateway, 'live'>>): void {
  process.on('SIGHUP', () => void started.then(({ live }) => live.reload()));
}

/**
 * Resolves at the first SIGTERM or SIGINT. A repeated signal has no effect: after Ctrl-C in `npm
 * start`, the gateway gets SIGINT from the terminal and again from npm.
 */
function stopSignal(log: Log): Promise<void> {
  return new Promise((resolve) => {
    let isDraining = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        log.info(
          { signal },
          isDraining ? 'still draining; SIGKILL ends the process at once' : 'draining',
        );
        isDraining = true;
        resolve();
      });
    }
  });
}
