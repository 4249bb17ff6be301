/** Relays a stream as fast as the caller reads, ends it with any failure, and settles once. */
import type { Card } from '../catalogue/catalogue.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import { joinBytes } from '../json/bytes.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import type { Dialect } from '../protocols/dialect.ts';
import { reportedFailure } from '../routing/upstream-failure.ts';
import type { CallScope, InFlight, Running, RunningFor } from './in-flight.ts';
import { callerLeft, outcomeOf, TookTooLong } from './outcome.ts';
import type { Settled } from './purchase.ts';
import type { StreamSale } from './sale.ts';
import { brokenOff, FELL_SILENT, type OpenedStream } from './upstream-answer.ts';

export type StreamRelayParts = {
  readonly scope: Pick<
    CallScope,
    'clock' | 'requestId' | 'caller' | 'limits' | 'elapsedMs' | 'abortUpstream'
  >;
  readonly inFlight: InFlight;
  readonly sale: Pick<StreamSale<Card>, 'allow' | 'settle'>;
  readonly dialect: Dialect;
  /** The upstream's stream. While a route is searched, the search has its own deadlines. */
  readonly opening: Promise<OpenedStream>;
  /** Called with a failure that is sent as the last event. */
  readonly onBrokenStream: (requestId: string, error: GatewayError) => void;
};

/** How long an upstream may take to close after its end, so that its connection is reused. */
const EOF_GRACE_MS = 1_000;
const NOTHING = new Uint8Array(0);

export class StreamRelay implements Running {
  readonly caller: RunningFor;
  readonly #parts: StreamRelayParts;
  #upstream: OpenedStream | null = null;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #waitingForUpstream = false;
  #over = false;
  /** Whether the stream is about to fail: its error event waits for the settlement. */
  #failing = false;
  #lastReadMs: number;
  #lastWriteMs: number;

  constructor(parts: StreamRelayParts) {
    this.#parts = parts;
    const { caller, clock } = parts.scope;
    this.caller = caller;
    this.#lastReadMs = clock.monotonicMs();
    this.#lastWriteMs = this.#lastReadMs;
    parts.inFlight.add(this);
  }

  /** Returns the response body. Once it is sent, every failure becomes its last event. */
  body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: (controller) => this.#pull(controller),
      cancel: () => {
        // Writing to a canceled body throws, and a timer or a settlement may still try to.
        this.#controller = null;
        this.abandon();
      },
    });
  }

  /** Handles a caller that disconnected: aborts the upstream and settles what was delivered. */
  abandon(): void {
    void this.#end('caller_left', null);
  }

  terminate(why: GatewayError): void {
    void this.#fail(outcomeOf(why), why);
  }

  tick(nowMs: number): void {
    const { scope, dialect } = this.#parts;
    const { limits } = scope;
    if (this.#over) return;
    if (scope.elapsedMs > limits.totalTimeoutMs) {
      void this.#fail('upstream_timeout', new TookTooLong());
    } else if (this.#hasFallenSilent(nowMs)) {
      void this.#fail('upstream_timeout', new GatewayError('upstream_timeout', FELL_SILENT));
    } else if (!this.#waitingForUpstream && nowMs - this.#lastWriteMs > limits.stallTimeoutMs) {
      // The caller no longer reads, so the stream just ends.
      this.#controller?.error(callerLeft());
      this.#controller = null;
      this.abandon();
    } else if (
      this.#controller !== null &&
      this.#waitingForUpstream &&
      nowMs - this.#lastWriteMs > limits.keepAliveMs
    ) {
      this.#lastWriteMs = nowMs;
      this.#controller.enqueue(dialect.keepAlive(this.#upstream?.pass.started ?? false));
    }
  }

  /** Whether the upstream is silent for too long. The search has its own deadlines. */
  #hasFallenSilent(nowMs: number): boolean {
    if (this.#upstream === null || !this.#waitingForUpstream) return false;
    return nowMs - this.#lastReadMs > this.#parts.scope.limits.idleTimeoutMs;
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    // The upstream's silence is measured only while the caller waits for it.
    this.#lastReadMs = this.#parts.scope.clock.monotonicMs();
    let out: Uint8Array | null;
    try {
      out = await this.#next();
    } catch (thrown) {
      // The stream has begun, so the failure is sent as its last event.
      out = this.#errorEvent(asGatewayError(thrown));
    }
    if (out !== null && out.byteLength > 0 && this.#controller !== null) controller.enqueue(out);
    this.#lastWriteMs = this.#parts.scope.clock.monotonicMs();
    if (this.#over && !this.#failing) this.#close();
  }

  /** Returns null when the stream ended meanwhile. @throws GatewayError after settling. */
  async #next(): Promise<Uint8Array | null> {
    for (;;) {
      let out: Uint8Array = NOTHING;
      try {
        this.#waitingForUpstream = true;
        const upstream = this.#upstream ?? (await this.#parts.opening);
        // The first bytes went through the pass when the stream was opened.
        const read = this.#upstream === null ? null : await upstream.reader.read();
        if (this.#over) return null;
        this.#upstream = upstream;
        this.#waitingForUpstream = false;
        this.#lastReadMs = this.#parts.scope.clock.monotonicMs();
        const { pass } = upstream;
        if (read?.done === true) throw cutShort();
        out = read === null ? upstream.first : pass.push(read.value);
        const { facts } = pass;
        if (facts.error !== null) throw reportedFailure(facts.error);
        if (pass.ended) return await this.#complete(upstream, out);
        const asking = this.#parts.sale.allow(upstream);
        const refused = asking === null ? null : await asking;
        if (refused !== null) throw refused;
        if (out.byteLength > 0) return out;
      } catch (thrown) {
        if (this.#over) return null;
        const error = thrown instanceof GatewayError ? thrown : brokenOff(thrown);
        await this.#end(outcomeOf(error), error);
        if (out.byteLength === 0) throw error;
        return joinBytes([out, this.#errorEvent(error)]);
      }
    }
  }

  async #complete(upstream: OpenedStream, out: Uint8Array): Promise<Uint8Array> {
    this.#over = true;
    void readToEof(upstream, this.#parts.scope);
    let closing: Uint8Array;
    try {
      const { cost } = await this.#settle('completed', null);
      closing = upstream.pass.finish(cost);
    } catch (thrown) {
      closing = this.#errorEvent(asGatewayError(thrown));
    } finally {
      this.#parts.inFlight.remove(this);
    }
    return out.byteLength === 0 ? closing : joinBytes([out, closing]);
  }

  /** Ends a running stream with the protocol's error event. */
  async #fail(outcome: RequestOutcome, error: GatewayError): Promise<void> {
    if (this.#over) return;
    this.#failing = true;
    await this.#end(outcome, error);
    this.#failing = false;
    this.#controller?.enqueue(this.#errorEvent(error));
    this.#close();
  }

  /** Stops the upstream and settles, once. */
  async #end(outcome: RequestOutcome, error: GatewayError | null): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    this.#parts.scope.abortUpstream(error ?? callerLeft());
    try {
      await this.#settle(outcome, error);
    } catch {
      // The purchase has reported the failed settlement; the caller gets the first error.
    } finally {
      this.#parts.inFlight.remove(this);
    }
  }

  async #settle(outcome: RequestOutcome, error: GatewayError | null): Promise<Settled> {
    const upstream = this.#upstream;
    // The abort has ended the search, so its route is known now.
    if (upstream === null) await this.#parts.opening.catch(() => undefined);
    return await this.#parts.sale.settle(outcome, error, upstream);
  }

  #errorEvent(error: GatewayError): Uint8Array {
    const { scope, dialect, onBrokenStream } = this.#parts;
    onBrokenStream(scope.requestId, error);
    return dialect.errorEvent(error, scope.requestId);
  }

  #close(): void {
    try {
      this.#controller?.close();
    } catch {
      // The caller has already closed the stream.
    }
    this.#controller = null;
  }
}

async function readToEof(
  { reader }: OpenedStream,
  scope: Pick<CallScope, 'clock' | 'abortUpstream'>,
): Promise<void> {
  const timer = scope.clock.after(EOF_GRACE_MS, () => scope.abortUpstream());
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete; how its connection ends does not matter.
    scope.abortUpstream();
  } finally {
    timer.cancel();
  }
}

/** Returns the error for a stream without its end mark: such a stream is truncated. */
const cutShort = (): GatewayError =>
  new GatewayError('upstream_truncated', 'The upstream ended its answer early.');
