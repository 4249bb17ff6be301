/**
 * A streamed answer on its way to the caller: reads the upstream only as fast as the caller reads us,
 * keeps a silent stream alive, and ends every stream with the truth, settled once.
 */
import type { Clock } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import type { AnswerFacts, CostFields, Dialect, StreamPass } from '../protocols/dialect.ts';
import { reportedCause } from '../routing/upstream-failure.ts';
import { callerLeft, outcomeOf } from './exchange.ts';
import type { InFlight, Running, RunningFor } from './in-flight.ts';
import { orLate } from './late-body.ts';

export type StreamLimits = {
  /** Silence towards the caller after which a keep-alive is sent. */
  readonly keepAliveMs: number;
  /** Silence of the upstream after which the stream is given up. */
  readonly idleTimeoutMs: number;
  /** Silence of the upstream before its first byte after which it is given up. */
  readonly firstByteTimeoutMs: number;
  /** How long a caller may leave bytes unread. */
  readonly stallTimeoutMs: number;
  /** The longest a stream may take in all. */
  readonly totalTimeoutMs: number;
  /** How long the 200 is held back for a first event, so that early failures become HTTP errors. */
  readonly firstEventHoldMs: number;
};

export type StreamEnd = {
  readonly outcome: RequestOutcome;
  readonly error: GatewayError | null;
  readonly facts: AnswerFacts;
};

export type StreamRelayOptions = {
  readonly clock: Clock;
  readonly inFlight: InFlight;
  readonly caller: RunningFor;
  readonly limits: StreamLimits;
  readonly dialect: Dialect;
  readonly requestId: string;
  readonly pass: StreamPass;
  readonly upstreamBody: ReadableStream<Uint8Array>;
  /** Aborts the upstream's exchange. */
  readonly abortUpstream: () => void;
  readonly onFirstByte: () => void;
  /** Told of a failure that the caller gets as the stream's last event. */
  readonly onBroken: (error: GatewayError) => void;
  /** Whether the money held still pays for this much output: null when it does, or why it cannot. */
  readonly allow: (outputBytes: number) => Promise<GatewayError | null> | null;
  /** Called exactly once, on every way out; its cost goes onto the last event. */
  readonly settle: (end: StreamEnd) => Promise<CostFields>;
};

/** After the end mark an upstream gets this long to close, so that its connection can be used again. */
const EOF_GRACE_MS = 1_000;
const NOTHING = new Uint8Array(0);

export class StreamRelay implements Running {
  readonly caller: RunningFor;
  readonly #options: StreamRelayOptions;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #firstOut: Uint8Array | null = null;
  #pendingFirst: Promise<Uint8Array | null> | null = null;
  #waitingForUpstream = false;
  #sawByte = false;
  #over = false;
  /** While the last event of a failed stream waits for its settlement, nobody else may close. */
  #failing = false;
  #endError: GatewayError | null = null;
  readonly #startedMs: number;
  #lastReadMs: number;
  #lastWriteMs: number;

  constructor(options: StreamRelayOptions) {
    this.#options = options;
    this.caller = options.caller;
    this.#reader = options.upstreamBody.getReader();
    this.#startedMs = options.clock.monotonicMs();
    this.#lastReadMs = this.#startedMs;
    this.#lastWriteMs = this.#startedMs;
    options.inFlight.add(this);
  }

  /**
   * Waits for the first event, within bounds, and gives the body to answer with.
   * @throws GatewayError when the upstream failed before anything was handed out: still an HTTP error.
   */
  async open(): Promise<ReadableStream<Uint8Array>> {
    const { clock, limits } = this.#options;
    this.#pendingFirst = this.#next();
    const first = await orLate(clock, this.#pendingFirst, limits.firstEventHoldMs);
    if (first !== 'late') {
      if (first === null) throw this.#endError ?? callerLeft();
      this.#pendingFirst = null;
      this.#firstOut = first;
    }
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: (controller) => this.#pull(controller),
      cancel: () => {
        // Writing to a cancelled body throws, and a timer or a settlement under way may still want to.
        this.#controller = null;
        this.abandon();
      },
    });
  }

  /** The caller went away: the upstream is stopped at once and what was delivered is settled. */
  abandon(): void {
    void this.#end('caller_left', null);
  }

  terminate(why: GatewayError): void {
    void this.#fail(outcomeOf(why), why);
  }

  tick(nowMs: number): void {
    const { limits, dialect, pass } = this.#options;
    if (this.#over) return;
    if (nowMs - this.#startedMs > limits.totalTimeoutMs) {
      void this.#fail(
        'upstream_timeout',
        timeout('The answer took longer than the gateway allows.'),
      );
    } else if (this.#waitingForUpstream && nowMs - this.#lastReadMs > this.#silenceLimitMs) {
      void this.#fail(
        'upstream_timeout',
        timeout('The upstream fell silent in the middle of its answer.'),
      );
    } else if (!this.#waitingForUpstream && nowMs - this.#lastWriteMs > limits.stallTimeoutMs) {
      this.#dropCaller();
    } else if (
      this.#controller !== null &&
      this.#waitingForUpstream &&
      nowMs - this.#lastWriteMs > limits.keepAliveMs
    ) {
      this.#lastWriteMs = nowMs;
      this.#controller.enqueue(dialect.keepAlive(pass.started));
    }
  }

  /** A model may think long before its first word, but not fall silent as long within its answer. */
  get #silenceLimitMs(): number {
    const { idleTimeoutMs, firstByteTimeoutMs } = this.#options.limits;
    return this.#sawByte ? idleTimeoutMs : Math.max(idleTimeoutMs, firstByteTimeoutMs);
  }

  /** A caller who reads nothing is not waited for, and keeps no connection: it learns that by its end. */
  #dropCaller(): void {
    this.#controller?.error(callerLeft());
    this.#controller = null;
    this.abandon();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    let out: Uint8Array | null;
    if (this.#firstOut !== null) {
      out = this.#firstOut;
      this.#firstOut = null;
    } else {
      try {
        out = await (this.#pendingFirst ?? this.#next());
      } catch (thrown) {
        // The stream has begun, so the failure goes out as its last event.
        out = this.#errorEvent(asGatewayError(thrown));
      }
      this.#pendingFirst = null;
    }
    if (out !== null && out.byteLength > 0 && this.#controller !== null) controller.enqueue(out);
    this.#lastWriteMs = this.#options.clock.monotonicMs();
    if (this.#over && !this.#failing) this.#close();
  }

  /**
   * The next bytes for the caller; null when the stream was ended from another side meanwhile.
   * @throws GatewayError when the upstream failed: already settled.
   */
  async #next(): Promise<Uint8Array | null> {
    const { pass, clock } = this.#options;
    for (;;) {
      let out: Uint8Array = NOTHING;
      try {
        this.#waitingForUpstream = true;
        const { value: chunk } = await this.#reader.read();
        if (this.#over) return null;
        this.#waitingForUpstream = false;
        this.#lastReadMs = clock.monotonicMs();
        if (chunk === undefined) return await this.#atEnd();
        if (!this.#sawByte) {
          this.#sawByte = true;
          this.#options.onFirstByte();
        }
        out = pass.push(chunk);
        const { facts } = pass;
        if (facts.error !== null) throw reported(facts);
        if (pass.ended) return await this.#complete(out);
        const asking = this.#options.allow(facts.outputBytes);
        const refused = asking === null ? null : await asking;
        if (refused !== null) throw refused;
        if (out.byteLength > 0) return out;
      } catch (thrown) {
        if (this.#over) return null;
        const error = thrown instanceof GatewayError ? thrown : broken(thrown);
        await this.#end(outcomeOf(error), error);
        if (out.byteLength === 0) throw error;
        return concat(out, this.#errorEvent(error));
      }
    }
  }

  /** The upstream closed. Without its end mark that is a truncation, never a success. */
  async #atEnd(): Promise<Uint8Array> {
    if (this.#options.pass.ended) return await this.#complete(NOTHING);
    throw new GatewayError('upstream_truncated', 'The upstream cut its answer short.');
  }

  async #complete(out: Uint8Array): Promise<Uint8Array> {
    const { pass, settle } = this.#options;
    this.#over = true;
    void this.#readToEof();
    let closing: Uint8Array;
    try {
      closing = pass.finish(await settle({ outcome: 'completed', error: null, facts: pass.facts }));
    } catch (thrown) {
      closing = this.#errorEvent(asGatewayError(thrown));
    } finally {
      this.#options.inFlight.remove(this);
    }
    return out.byteLength === 0 ? closing : concat(out, closing);
  }

  async #readToEof(): Promise<void> {
    const { clock, abortUpstream } = this.#options;
    const timer = clock.after(EOF_GRACE_MS, abortUpstream);
    try {
      while (!(await this.#reader.read()).done);
    } catch {
      // The answer was whole already; how its connection ends changes nothing.
      abortUpstream();
    } finally {
      timer.cancel();
    }
  }

  /** Ends a running stream with the dialect's error event. */
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
    this.#endError = error;
    this.#options.abortUpstream();
    try {
      await this.#options.settle({ outcome, error, facts: this.#options.pass.facts });
    } catch {
      // The purchase has reported its unsettled receipt; the caller is told of the first failure.
    } finally {
      this.#options.inFlight.remove(this);
    }
  }

  #errorEvent(error: GatewayError): Uint8Array {
    this.#options.onBroken(error);
    return this.#options.dialect.errorEvent(error, this.#options.requestId);
  }

  #close(): void {
    try {
      this.#controller?.close();
    } catch {
      // Closed by the caller already.
    }
    this.#controller = null;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.byteLength + second.byteLength);
  both.set(first);
  both.set(second, first.byteLength);
  return both;
}

const timeout = (message: string): GatewayError => new GatewayError('upstream_timeout', message);

function broken(thrown: unknown): GatewayError {
  return new GatewayError(
    'upstream_truncated',
    'The upstream broke off in the middle of its answer.',
    {
      cause: thrown,
    },
  );
}

function reported(facts: AnswerFacts): GatewayError {
  const overloaded = facts.error?.type === 'overloaded_error';
  return new GatewayError(
    overloaded ? 'upstream_overloaded' : 'upstream_failed',
    overloaded
      ? 'The provider behind this channel is overloaded. Try again shortly.'
      : 'The provider behind this channel failed in the middle of its answer.',
    { cause: reportedCause(facts.error?.message ?? 'unknown') },
  );
}
