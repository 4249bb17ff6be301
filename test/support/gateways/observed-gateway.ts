/** For tests: a gateway whose log lines, metrics and spans are recorded. */

import { eventually } from '../eventually.ts';
import { type Family, metricsText, readMetrics } from '../metrics-text.ts';
import { type CollectedSpan, type Collector, startCollector } from '../upstreams/collector.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../upstreams/scripted-upstream.ts';
import type { Json } from '../wire.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';

/**
 * The texts of a prompt, an answer and a header. None of them may appear in a log, a metric or a
 * span.
 */
export const PROMPT = 'canary-prompt-3b7f';
export const ANSWER = 'canary-answer-91cd';
export const HEADER = 'canary-header-58e0';
export const SERVICE = 'gate-of-the-tests';

const messages = [{ role: 'user', content: PROMPT }];
export const chat = { model: 'scripted-chat', messages };
export const message = { model: 'scripted-messages', max_tokens: 256, messages };

/** The configuration of a model whose channel `economical` fails over to its default channel. */
const TWO_CHANNELS = `
  two-channels:
    kind: chat
    maker: gen
    context_window: 100000
    max_output: 10000
    default_channel: direct
    channels:
      direct:
        price: { input: "1.00", output: "2.00" }
        routes: [{ upstream: scripted-openai, model: second-model }]
      economical:
        price: { input: "1.00", output: "2.00" }
        routes: [{ upstream: scripted-openai, model: first-model }]
`;

export type ObservedGateway = {
  readonly gateway: GatewayProcess;
  readonly upstream: ScriptedUpstream;
  readonly collector: Collector;
  /** Returns the log lines of all requests so far. */
  readonly lines: () => readonly Json[];
  /** Returns the log line of the request that this response answers. */
  readonly lineOf: (answer: { readonly headers: Headers }) => Promise<Json>;
  /** Returns the spans of the request to which this log line belongs. */
  readonly spansOf: (line: Json) => Promise<readonly CollectedSpan[]>;
  readonly metrics: () => Promise<ReadonlyMap<string, Family>>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export async function startObserved(): Promise<ObservedGateway> {
  const upstream = await startScriptedUpstream();
  const collector = startCollector();
  const gateway = await startGateway({
    config: upstream
      .config()
      .replace('\nmodels:\n', `\nmetrics: { listen: "127.0.0.1:0" }\nmodels:\n${TWO_CHANNELS}`),
    env: {
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-token=${HEADER}`,
      OTEL_SERVICE_NAME: SERVICE,
    },
  });
  const lines = (): readonly Json[] =>
    gateway
      .stdout()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  return {
    gateway,
    upstream,
    collector,
    lines,
    lineOf: async ({ headers }) => {
      const id = headers.get('x-request-id');
      const found = await eventually(
        `the line of ${id}`,
        () => lines().filter((line) => line['request_id'] === id),
        (own) => own.length > 0,
      );
      return found[0] ?? {};
    },
    spansOf: (line) =>
      eventually(
        'its spans',
        () => collector.spans.filter((span) => span.traceId === line['trace_id']),
        (spans) =>
          spans.some(({ attributes }) => attributes['modelgate.request_id'] === line['request_id']),
      ),
    metrics: async () => readMetrics(await metricsText(gateway)),
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      upstream.stop();
      collector.stop();
    },
  };
}
