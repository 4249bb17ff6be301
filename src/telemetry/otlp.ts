/**
 * Writes spans as OTLP 1.x JSON. The official packages are not used, because they take 28 MB and
 * load slowly.
 */

/**
 * The value of an attribute. A plain `number` is an integer. Doubles are wrapped, because backends
 * distinguish integers and doubles.
 */
export type AttributeValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly double: number };
/** Attributes by name. An attribute with the value null is omitted. */
export type Attributes = Readonly<Record<string, AttributeValue | null>>;

/** A span, with times in milliseconds since 1970. */
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
  /**
   * Whether the operation failed. By convention, OTLP leaves the status of a successful span unset.
   */
  readonly isError: boolean;
};

/** The resource in the OTLP sense: it describes the process that produced the spans. */
export type Resource = {
  readonly serviceName: string;
  readonly version: string;
  /** A unique id of this process, which distinguishes the nodes. */
  readonly instanceId: string;
};

const SCOPE = 'modelgate';
const KINDS = { server: 2, client: 3 } as const;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;
/** The trace flags of every exported span: only sampled spans are exported. */
const SAMPLED = 1;

/** Returns the JSON body of a `POST /v1/traces` request. */
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

/**
 * Converts milliseconds to nanoseconds. Returns them as text, because a double cannot represent
 * nanoseconds since 1970 exactly.
 */
function nanoText(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)));
}

/** The spans of a batch that the collector did not accept, although it answered with success. */
export type Rejection = { readonly spans: number; readonly reason: string };

const MAX_REASON_CHARS = 500;

/** Returns the `partialSuccess` of an answer (OTLP 1.5, "Partial Success"); null if it has none. */
export function rejectionIn(answer: string): Rejection | null {
  try {
    const { rejectedSpans, errorMessage } = Object(JSON.parse(answer)).partialSuccess ?? {};
    const spans = Number(rejectedSpans ?? 0);
    if (!Number.isSafeInteger(spans) || spans <= 0) return null;
    return { spans, reason: String(errorMessage ?? '').slice(0, MAX_REASON_CHARS) };
  } catch {
    return null;
  }
}
