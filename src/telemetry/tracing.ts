/** Exports traces to an OpenTelemetry collector, if one is configured. */
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { type Clock, newId } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { TraceSampling } from '../protocols/trace-context.ts';
import type { Log } from './log.ts';
import type { FinishedRequest } from './request-journal.ts';
import { requestSpans } from './request-spans.ts';
import { SpanExporter } from './span-exporter.ts';

export type TracingDeps = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
};

type Tracing = {
  readonly sampling: TraceSampling;
  /** Exports a finished request if its trace is sampled. */
  readonly record: (finished: FinishedRequest) => void;
  readonly dropped: () => number;
  readonly close: () => Promise<void>;
};

const TRACES_PATH = '/v1/traces';
/**
 * The number of hex digits at the end of a trace id that decide whether the trace is sampled. They
 * have 52 bits, which a double represents exactly.
 */
const DRAWN_DIGITS = 13;

export function openTracing(
  { config, clock, log, version }: TracingDeps,
  live: LiveCatalogue,
): Tracing {
  const { endpoint, headers, sample, service_name: serviceName } = config.tracing;
  if (endpoint === null)
    return { sampling: 'off', record: () => {}, dropped: () => 0, close: async () => {} };
  const instanceId = config.node_name ?? newId(clock, 'node');
  const exporter = new SpanExporter({
    clock,
    url: `${endpoint}${TRACES_PATH}`,
    headers,
    resource: { serviceName, version, instanceId },
    fetch: (to, init) => fetch(to, init),
    onChange: (failure, dropped) => {
      if (failure === null) log.info({ dropped }, 'trace export works again');
      else
        log.warn(
          { failure, dropped },
          'trace export is failing; spans that may be sent again are queued up to a limit',
        );
    },
  });
  const providerOf = (upstream: string): string => providerName(live, upstream);
  return {
    sampling: { keepsNew: (traceId) => drawOf(traceId) < sample },
    record: (finished) => {
      if (finished.trace.recorded && !finished.isProbe)
        exporter.add(requestSpans(finished, providerOf));
    },
    dropped: () => exporter.dropped,
    close: () => exporter.close(),
  };
}

/**
 * Maps a trace id to a number in [0, 1), which decides sampling. It depends only on the trace id,
 * so that all nodes sample the same traces.
 */
const drawOf = (traceId: string): number =>
  Number.parseInt(traceId.slice(-DRAWN_DIGITS), 16) / 16 ** DRAWN_DIGITS;

/** Returns the provider's OpenTelemetry name, or else the name of the protocol. */
function providerName({ config }: LiveCatalogue, upstream: string): string {
  const settings = config.upstreams[upstream];
  if (settings === undefined || settings.protocol === 'builtin') return 'modelgate';
  switch (settings.make) {
    case 'deepseek':
      return 'deepseek';
    case 'xai':
      return 'x_ai';
    case 'moonshot':
      return 'moonshot_ai';
    default:
      return settings.protocol;
  }
}
