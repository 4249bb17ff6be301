/**
 * Spans, and their JSON in the OpenTelemetry protocol (OTLP 1.x over HTTP). The encoding is a page of
 * rules that do not change any more; the packages that have it weigh 28 MB and take a third of a second
 * to load.
 */

/** A plain number is an integer; one with a fraction says so, since backends keep the two apart. */
export type AttributeValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly double: number };
/** Null: not told. */
export type Attributes = Readonly<Record<string, AttributeValue | null>>;

/** Times are milliseconds since 1970. */
export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: 'server' | 'client';
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly atMs: number }[];
  /** Whether it failed; what did not is left unset, as the conventions want. */
  readonly isError: boolean;
};

/** Who tells: the same for all spans of a process. */
export type Resource = {
  readonly serviceName: string;
  readonly version: string;
  /** Unlike that of any other process. */
  readonly instanceId: string;
};

const SCOPE = 'modelgate';
const KINDS = { server: 2, client: 3 } as const;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;
/** The trace's flags as they would be passed on: it is kept, as it would not be told otherwise. */
const SAMPLED = 1;

/** The body of a `POST /v1/traces`. */
export function otlpBody(spans: readonly Span[], resource: Resource): string {
  const attributes = encodeAttributes({
    'service.name': resource.serviceName,
    'service.version': resource.version,
    'service.instance.id': resource.instanceId,
  });
  const scope = { name: SCOPE, version: resource.version };
  return JSON.stringify({
    resourceSpans: [
      { resource: { attributes }, scopeSpans: [{ scope, spans: spans.map(encodeSpan) }] },
    ],
  });
}

const encodeSpan = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
  flags: SAMPLED,
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanoText(span.startMs),
  endTimeUnixNano: nanoText(Math.max(span.startMs, span.endMs)),
  attributes: encodeAttributes(span.attributes),
  events: span.events.map(({ name, atMs }) => ({ timeUnixNano: nanoText(atMs), name })),
  status: { code: span.isError ? STATUS_ERROR : STATUS_UNSET },
});

const encodeAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: encodeValue(value) }],
  );

function encodeValue(value: AttributeValue) {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return { intValue: String(Math.round(value)) };
    default:
      return 'double' in value
        ? { doubleValue: value.double }
        : { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
  }
}

/** 64-bit integers are texts in JSON; a double has no room for nanoseconds since 1970. */
function nanoText(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)));
}
