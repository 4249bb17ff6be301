/**
 * Sends spans in batches. Requests never wait for the collector: when the queue is full, spans are
 * dropped.
 */
import type { Clock, Timer } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { otlpBody, type Rejection, type Resource, rejectionIn, type Span } from './otlp.ts';

/**
 * Maximum spans that wait for the collector. They take about 8 MB. A busy gateway records this many
 * in half a minute.
 */
export const MAX_QUEUED_SPANS = 8_192;
export const MAX_BATCH_SPANS = 512;
/** The maximum time that a span waits for its batch. */
export const BATCH_MS = 1_000;
export const TIMEOUT_MS = 10_000;
/** Delay before a failed export is retried. */
export const RETRY_MS = 5_000;
/** The time limit for sending at exit, since a stalled collector must not block the exit. */
export const FLUSH_LIMIT_MS = 2_000;
/** The statuses after which OTLP allows a retry; any other refusal is final. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** A longer answer of the collector is not read. */
const MAX_ANSWER_BYTES = 65_536;

export type SpanExporterDeps = {
  readonly clock: Clock;
  /** The complete URL, including `/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, Secret>>;
  readonly resource: Resource;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Called with the reason when exports start to fail or spans are rejected, and with null when all
   * spans are accepted again.
   */
  readonly onChange: (failure: string | null, dropped: number) => void;
};

type Sent =
  | { readonly kind: 'taken'; readonly rejection: Rejection | null }
  | { readonly kind: 'failed'; readonly failure: string; readonly retryable: boolean };

export class SpanExporter {
  readonly #deps: SpanExporterDeps;
  readonly #closing = new AbortController();
  #queue: Span[] = [];
  #timer: Timer | null = null;
  #sending: Promise<void> | null = null;
  #isFailing = false;
  #isReported = false;
  #dropped = 0;

  constructor(deps: SpanExporterDeps) {
    this.#deps = deps;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Queues the spans and returns at once. */
  add(spans: readonly Span[]): void {
    if (this.#queue.length + spans.length > MAX_QUEUED_SPANS) {
      this.#dropped += spans.length;
      return;
    }
    this.#queue.push(...spans);
    // While exports fail, only the retry timer sends a batch.
    if (this.#queue.length >= MAX_BATCH_SPANS && !this.#isFailing) void this.#send();
    else this.#sendAfter(BATCH_MS);
  }

  /**
   * Sends the remaining spans for at most `FLUSH_LIMIT_MS`. Counts those still unsent as dropped.
   */
  async close(): Promise<void> {
    const late = this.#deps.clock.sleep(FLUSH_LIMIT_MS).then(() => this.#closing.abort());
    do await Promise.race([this.#send(), late]);
    while (this.#queue.length > 0 && !this.#isFailing && !this.#closing.signal.aborted);
    this.#closing.abort();
    await this.#sending;
    this.#timer?.cancel();
    this.#dropped += this.#queue.length;
    this.#queue = [];
  }

  #sendAfter(delayMs: number): void {
    if (this.#sending === null)
      this.#timer ??= this.#deps.clock.after(delayMs, () => void this.#send());
  }

  /** Sends the next batch, unless one is already being sent. Never rejects. */
  #send(): Promise<void> {
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = null;
      if (this.#queue.length > 0 && !this.#closing.signal.aborted)
        this.#sendAfter(this.#isFailing ? RETRY_MS : 0);
    });
    return this.#sending;
  }

  async #sendBatch(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    const batch = this.#queue.splice(0, MAX_BATCH_SPANS);
    if (batch.length === 0) return;
    const sent = await this.#post(batch);
    this.#isFailing = sent.kind === 'failed';
    if (sent.kind === 'taken') {
      const { rejection } = sent;
      this.#dropped += Math.min(rejection?.spans ?? 0, batch.length);
      return this.#report(rejection && `it rejected ${rejection.spans} spans: ${rejection.reason}`);
    }
    const kept = sent.retryable ? batch.slice(0, MAX_QUEUED_SPANS - this.#queue.length) : [];
    this.#dropped += batch.length - kept.length;
    this.#queue.unshift(...kept);
    this.#report(sent.failure);
  }

  async #post(batch: readonly Span[]): Promise<Sent> {
    const { url, headers, resource, clock, fetch } = this.#deps;
    const timeout = new AbortController();
    const timer = clock.after(TIMEOUT_MS, () => timeout.abort());
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...Object.fromEntries(Object.entries(headers).map(([name, it]) => [name, it.reveal()])),
          'content-type': 'application/json',
        },
        body: otlpBody(batch, resource),
        redirect: 'manual',
        signal: AbortSignal.any([timeout.signal, this.#closing.signal]),
      });
      if (response.ok) return { kind: 'taken', rejection: rejectionIn(await textOf(response)) };
      await response.body?.cancel();
      const { status } = response;
      return { kind: 'failed', failure: `it answered ${status}`, retryable: RETRYABLE.has(status) };
    } catch (thrown) {
      const failure = timeout.signal.aborted ? 'it did not answer in time' : String(thrown);
      return { kind: 'failed', failure, retryable: true };
    } finally {
      timer.cancel();
    }
  }

  #report(failure: string | null): void {
    if ((failure !== null) === this.#isReported) return;
    this.#isReported = failure !== null;
    this.#deps.onChange(failure, this.#dropped);
  }
}

/**
 * Reads the answer of a collector that has accepted the batch. Returns an empty text if it is too
 * long or breaks off, since the batch must not be sent again.
 */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES) return '';
      chunks.push(chunk);
    }
  } catch {
    return '';
  }
  return Buffer.concat(chunks).toString();
}
