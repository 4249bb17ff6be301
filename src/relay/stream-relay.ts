/** Relays a stream as fast as the caller reads, sends a failure as its last event, settles once. */
import type { Card } from '../catalogue/catalogue.ts';
import { nextTurn } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import { joinBytes } from '../json/bytes.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import type { StreamDialect, StreamMoment, StreamPass } from '../protocols/dialect.ts';
import { reportedFailure } from '../routing/upstream-failure.ts';
import type { CallScope, InFlight, Running, RunningFor } from './in-flight.ts';
import { callerLeft, outcomeOf, TookTooLong } from './outcome.ts';
import type { Settled } from './purchase.ts';
import type { StreamSale } from './sale.ts';
import { brokenOff, FELL_SILENT, type OpenedStream, TURN_BYTES } from './upstream-answer.ts';

export type StreamRelayParts = {
  readonly scope: Pick<
    CallScope,
    | 'clock'
    | 'requestId'
    | 'startedAtMs'
    | 'caller'
    | 'limits'
    | 'elapsedMs'
    | 'signal'
    | 'abortUpstream'
    | 'reasonOf'
    | 'leave'
    | 'hasReadEnough'
  > & { readsOn: boolean };
  readonly inFlight: InFlight;
  readonly sale: Pick<StreamSale<Card>, 'allow' | 'keepCheckpoint' | 'settle'>;
  readonly dialect: StreamDialect;
  /** The model's name as the caller knows it. */
  readonly model: string;
  /**
   * Resolves with the upstream's stream once a route has answered. Other deadlines apply to the
   * search for that route.
   */
  readonly opening: Promise<OpenedStream>;
  /**
   * Whether the response is sent before the upstream's first event. If so, its body begins with a
   * keep-alive.
   */
  readonly isSilent: boolean;
  /** Called with a failure that is sent as the last event. */
  readonly onBrokenStream: (requestId: string, error: GatewayError) => void;
};

/**
 * The maximum wait for the end of an upstream's response after its answer is complete. The
 * connection can be reused only once the response has ended.
 */
const EOF_GRACE_MS = 1_000;
const NOTHING = new Uint8Array(0);

export class StreamRelay implements Running, UnderlyingDefaultSource<Uint8Array> {
  readonly caller: RunningFor;
  readonly #parts: StreamRelayParts;
  readonly #reader: AnswerReader;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** Whether a read is under way, so that no other may begin. */
  #pulling = false;
  /** Whether the stream is about to fail: its error event waits for the settlement. */
  #failing = false;
  #lastWriteMs: number;

  constructor(parts: StreamRelayParts) {
    this.#parts = parts;
    this.caller = parts.scope.caller;
    this.#reader = new AnswerReader(parts, this);
    this.#lastWriteMs = parts.scope.clock.monotonicMs();
    parts.inFlight.add(this);
  }

  /** Returns the response body. Once it is sent, every failure becomes its last event. */
  body(): ReadableStream<Uint8Array> {
    // The queue has room for the keep-alive and one more chunk, so the upstream is read even if the
    // caller does not read yet.
    return new ReadableStream(this, { highWaterMark: this.#parts.isSilent ? 2 : 1 });
  }

  /** Called by the body when it is made. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    // The runtime sends the response's headers only with the first byte of the body.
    if (this.#parts.isSilent) controller.enqueue(this.#keepAlive());
  }

  /** Called by the body when the caller closes it. */
  cancel(): void {
    // Clears the controller, because a timer or a settlement may still try to write, and writing to
    // a canceled body throws.
    this.#controller = null;
    this.abandon();
  }

  /**
   * Handles a disconnect of the caller. Either aborts the upstream or reads the answer to its end,
   * and then settles.
   */
  abandon(): void {
    this.#carryOn('caller_left', null);
  }

  terminate(why: GatewayError): void {
    const outcome = outcomeOf(why);
    const { gone, isOver } = this.#reader;
    if (gone !== null) void this.#reader.end(gone, null);
    else if (outcome !== 'revoked' || isOver) void this.#fail(outcome, why);
    else {
      this.#controller?.enqueue(this.#errorEvent(why));
      this.#carryOn(outcome, why);
    }
  }

  tick(nowMs: number): void {
    const { scope } = this.#parts;
    const { limits } = scope;
    const { gone, isOver, isWaiting } = this.#reader;
    if (isOver) return;
    this.#reader.keepCheckpoint();
    const isTooLong = scope.elapsedMs > limits.totalTimeoutMs;
    if (gone !== null && (isTooLong || scope.hasReadEnough(nowMs))) {
      void this.#reader.end(gone, null);
    } else if (isTooLong) {
      // If the relay does not wait for the upstream, it waits for the caller to take bytes. A
      // caller that is so slow counts as disconnected.
      void this.#fail(isWaiting ? 'upstream_timeout' : 'caller_left', new TookTooLong());
    } else if (this.#reader.hasFallenSilent(nowMs)) {
      void this.#fail('upstream_timeout', new GatewayError('upstream_timeout', FELL_SILENT));
    } else if (!isWaiting && nowMs - this.#lastWriteMs > limits.stallTimeoutMs) {
      // The caller no longer reads, so the stream just ends.
      this.#controller?.error(callerLeft());
      this.#controller = null;
      this.abandon();
    } else if (
      this.#controller !== null &&
      isWaiting &&
      nowMs - this.#lastWriteMs > limits.keepAliveMs
    ) {
      this.#lastWriteMs = nowMs;
      this.#controller.enqueue(this.#keepAlive());
    }
  }

  /**
   * Ends the request of a caller who disconnected or whose key was revoked. The request ends
   * immediately, or once the answer has been read to its end for the usage.
   */
  #carryOn(outcome: Gone, error: GatewayError | null): void {
    if (this.#reader.isOver || this.#reader.gone !== null) return;
    this.#reader.gone = outcome;
    this.#close();
    if (!this.#parts.scope.leave()) void this.#reader.end(outcome, error);
    else if (!this.#pulling) void this.#reader.readOn();
  }

  /** Called by the body when it has room for another chunk. */
  pull(): Promise<void> | undefined {
    if (this.#reader.gone === null) {
      this.#pulling = true;
      return this.#reader.next().then((piece) => this.#deliver(piece));
    }
    // The caller disconnected before the body existed.
    this.#close();
    return undefined;
  }

  #deliver(piece: Piece | null): void {
    this.#pulling = false;
    const controller = this.#controller;
    if (piece !== null && controller !== null) {
      if (piece.bytes.byteLength > 0) controller.enqueue(piece.bytes);
      // The stream has begun, so its failure is sent as its last event.
      if (piece.failure !== null) controller.enqueue(this.#errorEvent(piece.failure));
    }
    this.#lastWriteMs = this.#parts.scope.clock.monotonicMs();
    if (!this.#reader.isOver && this.#reader.gone !== null) void this.#reader.readOn();
    else if (this.#reader.isOver && !this.#failing) this.#close();
  }

  /** Ends a running stream with the protocol's error event. */
  async #fail(outcome: RequestOutcome, error: GatewayError): Promise<void> {
    if (this.#reader.isOver) return;
    this.#failing = true;
    await this.#reader.end(outcome, error);
    this.#failing = false;
    this.#controller?.enqueue(this.#errorEvent(error));
    this.#close();
  }

  #errorEvent(error: GatewayError): Uint8Array {
    const { scope, dialect, onBrokenStream } = this.#parts;
    onBrokenStream(scope.requestId, error);
    const ending = this.#reader.startedPass?.errorEvents?.(error);
    return ending ?? dialect.errorEvent(error, this.#moment);
  }

  #keepAlive(): Uint8Array {
    const pass = this.#reader.startedPass;
    return pass?.keepAlive?.() ?? this.#parts.dialect.keepAlive(this.#moment);
  }

  get #moment(): StreamMoment {
    const { scope, model } = this.#parts;
    const { requestId, startedAtMs } = scope;
    const createdSeconds = Math.floor(startedAtMs / 1000);
    return { requestId, createdSeconds, model, started: this.#reader.startedPass !== null };
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

/** The outcome of a stream that no caller reads any more. */
type Gone = 'caller_left' | 'revoked';

type Piece = {
  readonly bytes: Uint8Array;
  /** The failure that ended the stream after `bytes`; null if it did not fail. */
  readonly failure: GatewayError | null;
};

/**
 * Reads an answer, either for its caller or, once the caller has disconnected or its key was
 * revoked, for the usage. Settles once.
 */
class AnswerReader {
  /** The reason why the caller is gone; null while it is connected. */
  gone: Gone | null = null;
  isOver = false;
  isWaiting = false;
  readonly #parts: StreamRelayParts;
  readonly #relay: Running;
  #upstream: OpenedStream | null = null;
  #lastReadMs: number;
  /** The number of bytes that were read since other requests last had a turn. */
  #turnBytes = 0;

  /** @param relay no longer counts as in flight once the answer is settled. */
  constructor(parts: StreamRelayParts, relay: Running) {
    this.#parts = parts;
    this.#relay = relay;
    this.#lastReadMs = parts.scope.clock.monotonicMs();
  }

  /** The `StreamPass` of an answer that has begun; null before that. */
  get startedPass(): StreamPass | null {
    const pass = this.#upstream?.pass;
    return pass?.started === true ? pass : null;
  }

  /**
   * Whether the upstream has been silent for too long. False during the route search, to which
   * other deadlines apply.
   */
  hasFallenSilent(nowMs: number): boolean {
    if (this.#upstream === null || !this.isWaiting) return false;
    return nowMs - this.#lastReadMs > this.#parts.scope.limits.idleTimeoutMs;
  }

  /** Stores a checkpoint of the usage so far, which is charged if this process dies. */
  keepCheckpoint(): void {
    if (this.#upstream !== null) this.#parts.sale.keepCheckpoint(this.#upstream);
  }

  async readOn(): Promise<void> {
    while (!this.isOver) await this.next();
  }

  /** Returns the next bytes; null when the stream ended meanwhile. Settles after a failure. */
  async next(): Promise<Piece | null> {
    const { scope, sale, opening } = this.#parts;
    // The upstream's silence is measured only while the gateway waits for it.
    this.#lastReadMs = scope.clock.monotonicMs();
    for (;;) {
      let bytes: Uint8Array = NOTHING;
      try {
        this.isWaiting = true;
        const upstream = this.#upstream ?? (await opening);
        if (this.#turnBytes > TURN_BYTES) {
          this.#turnBytes = 0;
          await nextTurn();
        }
        // `openStream` has already read the first bytes, so the first call reads nothing.
        const read = this.#upstream === null ? null : await upstream.reader.read();
        if (this.isOver) return null;
        this.#upstream = upstream;
        this.isWaiting = false;
        this.#lastReadMs = scope.clock.monotonicMs();
        const { pass } = upstream;
        if (read?.done === true) throw cutShort();
        if (read !== null) this.#turnBytes += read.value.byteLength;
        bytes = read === null ? takeFirst(upstream) : pass.push(read.value);
        const { error, finishReason } = pass.facts;
        if (error !== null) throw reportedFailure(error);
        if (pass.ended) return await this.#complete(upstream, bytes);
        // Once the model has finished, only the usage is missing. Therefore the answer is read to
        // its end even if the caller disconnects. This takes little time.
        if (finishReason !== null) scope.readsOn = true;
        const asking = sale.allow(upstream);
        const refused = asking === null ? null : await asking;
        if (refused !== null) throw refused;
        if (bytes.byteLength > 0) return { bytes, failure: null };
      } catch (thrown) {
        if (this.isOver) return null;
        // `InFlight` aborts an answer if too many are read after their callers have disconnected.
        // In that case, the abort's reason is the failure.
        const known = scope.signal.aborted ? scope.reasonOf(thrown) : thrown;
        const failure = known instanceof GatewayError ? known : brokenOff(known);
        await this.end(this.#outcomeOf(failure), failure);
        return { bytes, failure };
      }
    }
  }

  /** Stops the upstream and settles, once. */
  async end(outcome: RequestOutcome, error: GatewayError | null): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    this.#parts.scope.abortUpstream(error ?? callerLeft());
    try {
      await this.#settle(outcome, error);
    } catch {
      // The purchase has reported the failed settlement; the caller gets the first error.
    } finally {
      this.#parts.inFlight.remove(this.#relay);
    }
  }

  /**
   * Returns the outcome that the receipt records. It is a failure of the upstream if there is one.
   * Otherwise it is `gone` if the caller is gone, or else the outcome of `failure`.
   */
  #outcomeOf(failure: GatewayError): RequestOutcome {
    const outcome = outcomeOf(failure);
    return outcome.startsWith('upstream_') ? outcome : (this.gone ?? outcome);
  }

  async #complete(upstream: OpenedStream, bytes: Uint8Array): Promise<Piece> {
    this.isOver = true;
    void readToEof(upstream, this.#parts.scope);
    try {
      const { cost } = await this.#settle(this.gone ?? 'completed', null);
      const closing = upstream.pass.finish(cost);
      const all = bytes.byteLength === 0 ? closing : joinBytes([bytes, closing]);
      return { bytes: all, failure: null };
    } catch (thrown) {
      return { bytes, failure: asGatewayError(thrown) };
    } finally {
      this.#parts.inFlight.remove(this.#relay);
    }
  }

  async #settle(outcome: RequestOutcome, error: GatewayError | null): Promise<Settled> {
    const upstream = this.#upstream;
    // Waits until the abort has ended the route search. Only then is it known which route to
    // charge.
    if (upstream === null) await this.#parts.opening.catch(() => undefined);
    return await this.#parts.sale.settle(outcome, error, upstream);
  }
}

function takeFirst(upstream: OpenedStream): Uint8Array {
  const { first } = upstream;
  upstream.first = NOTHING;
  return first;
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

/** Returns the error for a stream that lacks its end mark and so is truncated. */
const cutShort = (): GatewayError =>
  new GatewayError('upstream_truncated', 'The provider ended its answer early.');
