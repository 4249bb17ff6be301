/** For tests: an OpenTelemetry trace collector on the loopback address that stores all spans. */
import { at, listAt } from '../wire.ts';

export type CollectedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: number;
  readonly startNano: bigint;
  readonly endNano: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly atNano: bigint }[];
  readonly status: number;
};

export type Collector = {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly requests: readonly {
    readonly path: string;
    readonly headers: Headers;
    readonly text: string;
  }[];
  readonly resource: () => Readonly<Record<string, unknown>>;
  readonly stop: () => void;
};

export function startCollector(): Collector {
  const spans: CollectedSpan[] = [];
  const requests: { path: string; headers: Headers; text: string }[] = [];
  let resource: Readonly<Record<string, unknown>> = {};
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const text = await request.text();
      requests.push({ path: new URL(request.url).pathname, headers: request.headers, text });
      const body: unknown = JSON.parse(text);
      for (const ofResource of listAt(body, 'resourceSpans')) {
        resource = attributesOf(listAt(ofResource, 'resource.attributes'));
        for (const scope of listAt(ofResource, 'scopeSpans'))
          spans.push(...listAt(scope, 'spans').map(spanOf));
      }
      return Response.json({ partialSuccess: {} });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    requests,
    resource: () => resource,
    stop: () => void server.stop(true),
  };
}

function spanOf(span: unknown): CollectedSpan {
  const text = (path: string): string => {
    const value = at(span, path);
    if (typeof value !== 'string') throw new Error(`no text at ${path}: ${JSON.stringify(span)}`);
    return value;
  };
  const parent = at(span, 'parentSpanId');
  return {
    traceId: text('traceId'),
    spanId: text('spanId'),
    parentSpanId: parent === undefined ? null : String(parent),
    name: text('name'),
    kind: Number(at(span, 'kind')),
    startNano: BigInt(text('startTimeUnixNano')),
    endNano: BigInt(text('endTimeUnixNano')),
    attributes: attributesOf(listAt(span, 'attributes')),
    events: listAt(span, 'events').map((event) => ({
      name: String(at(event, 'name')),
      atNano: BigInt(String(at(event, 'timeUnixNano'))),
    })),
    status: Number(at(span, 'status.code')),
  };
}

const attributesOf = (list: readonly unknown[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(list.map((each) => [at(each, 'key'), plainValue(at(each, 'value'))]));

/**
 * Decodes an attribute value of OTLP's JSON format: an object with one member, whose name is the
 * type.
 */
function plainValue(value: unknown): unknown {
  const [[type, held] = []] = Object.entries(Object(value));
  switch (type) {
    case 'stringValue':
    case 'boolValue':
    case 'doubleValue':
      return held;
    case 'intValue':
      return Number(held);
    case 'arrayValue':
      return listAt(held, 'values').map(plainValue);
    default:
      throw new Error(`no attribute value: ${JSON.stringify(value)}`);
  }
}
