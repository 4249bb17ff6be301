/**
 * Reads an answer, or a stream up to its first event. If this fails, another route can be tried.
 */
import type { Card, Model, TokenCard } from '../catalogue/catalogue.ts';
import { type Clock, nextTurn, type Timer } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { concatBytes } from '../json/bytes.ts';
import type { StreamPass, TextAnswer } from '../protocols/dialect.ts';
import type { AnswerContext } from '../protocols/translator.ts';
import { reportedName } from '../protocols/usage-object.ts';
import { type Destination, failureContext } from '../routing/route-plan.ts';
import { type FailureContext, reportedFailure } from '../routing/upstream-failure.ts';
import type { CallScope } from './in-flight.ts';

export type AnswerLimits = {
  readonly clock: Pick<Clock, 'after'>;
  readonly maxAnswerBytes: number;
  /** The maximum silence of the upstream within its answer. */
  readonly idleTimeoutMs: number;
  /**
   * Called with the size of each chunk. If it returns a promise, the next chunk is read when that
   * has resolved.
   */
  readonly pace?: (bytes: number) => Promise<void> | null;
};

/**
 * Answers up to this size are read with one call, which takes a quarter of the time that reading in
 * chunks takes.
 */
const WHOLE_READ_BYTES = 1024 * 1024;

/**
 * Reads a non-streaming answer. Resolves with its bytes.
 * @throws GatewayError `upstream_failed` (too large), `upstream_truncated`, `upstream_timeout`.
 */
export const readAnswerBytes = (
  response: Response,
  limits: AnswerLimits,
): Promise<Uint8Array<ArrayBuffer>> => readAnswer(response, limits, (bytes) => bytes);

/**
 * Reads a non-streaming answer. Resolves with the result of `read`, which gets the answer's bytes.
 * Rejects with the errors of `readAnswerBytes` and of `read`.
 */
export function readAnswer<Answer>(
  response: Response,
  limits: AnswerLimits,
  read: (bytes: Uint8Array<ArrayBuffer>) => Answer,
): Promise<Answer> {
  const { clock, maxAnswerBytes, idleTimeoutMs, pace } = limits;
  const declared = declaredLength(response.headers);
  if (declared !== null && declared > maxAnswerBytes)
    return Promise.reject(tooLarge(maxAnswerBytes));
  return declared !== null && declared <= WHOLE_READ_BYTES && pace === undefined
    ? readAtOnce(response, clock, idleTimeoutMs, read)
    : readChunks(response, limits).then(read);
}

async function readChunks(
  response: Response,
  { clock, maxAnswerBytes, idleTimeoutMs, pace }: AnswerLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const silence = new TimeLimit(clock, idleTimeoutMs, FELL_SILENT);
  try {
    return await collect(response, maxAnswerBytes, silence, pace);
  } catch (thrown) {
    throw thrown instanceof GatewayError ? thrown : brokenOff(thrown);
  } finally {
    silence.end();
  }
}

/** Reads a small answer with one call. It arrives quickly, so one timeout is enough. */
const readAtOnce = <Answer>(
  response: Response,
  clock: AnswerLimits['clock'],
  limitMs: number,
  read: (bytes: Uint8Array<ArrayBuffer>) => Answer,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const timer = clock.after(limitMs, () => reject(tooLate(FELL_SILENT)));
    response.bytes().then(
      (bytes) => {
        timer.cancel();
        try {
          resolve(read(bytes));
        } catch (thrown) {
          reject(thrown);
        }
      },
      (thrown: unknown) => {
        timer.cancel();
        reject(brokenOff(thrown));
      },
    );
  });

/** Returns the length of the answer; null when unknown, such as for a compressed answer. */
function declaredLength(headers: Headers): number | null {
  const length = headers.get('content-length') ?? '';
  // The length of a chunked answer is that of its chunks, whatever `content-length` says.
  const isPlain =
    (headers.get('content-encoding') ?? 'identity') === 'identity' &&
    !headers.has('transfer-encoding');
  return isPlain && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

async function collect(
  response: Response,
  maxBytes: number,
  silence: TimeLimit,
  pace: AnswerLimits['pace'],
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await silence.orTimeout(reader.read());
    if (done) break;
    silence.end();
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
    const waiting = pace?.(value.byteLength) ?? null;
    if (waiting !== null) await waiting;
    silence.restart();
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : concatBytes(chunks, size);
}

export type OpenLimits = AnswerLimits & {
  /** How long the first event of a stream may take. */
  readonly firstByteTimeoutMs: number;
  /**
   * The changes to the upstream's error messages for callers. `hidden`: the texts to mask. `model`:
   * the upstream's name for the model, and the callers' name that replaces it.
   */
  readonly context: Pick<FailureContext, 'hidden' | 'model'>;
};

export const answerContext = (
  { quirks }: Destination<TokenCard>,
  { requestId, startedAtMs }: CallScope,
): AnswerContext => ({ requestId, createdSeconds: Math.floor(startedAtMs / 1000), quirks });

export const answerLimits = ({ clock, limits }: CallScope): AnswerLimits => ({
  clock,
  maxAnswerBytes: limits.maxAnswerBytes,
  idleTimeoutMs: limits.idleTimeoutMs,
});

/**
 * Returns the limits for reading an answer. The first-byte deadline is the model's, or else the
 * upstream's, or else the gateway's.
 */
export function openLimits(
  to: Destination<Card>,
  { model }: { readonly model: Pick<Model, 'timeouts'> },
  scope: CallScope,
): OpenLimits {
  const firstByteTimeoutMs =
    model.timeouts.firstByteMs ?? to.upstream.firstByteTimeoutMs ?? scope.limits.firstByteTimeoutMs;
  return { ...answerLimits(scope), firstByteTimeoutMs, context: failureContext(to) };
}

/** Returns the service tier that the answer's headers report; null if they report none. */
export const tierIn = (
  { headers }: Response,
  { quirks }: Pick<Destination<TokenCard>, 'quirks'>,
): string | null => {
  const { tierHeader } = quirks;
  const tier = tierHeader === null ? null : reportedName(headers.get(tierHeader));
  // A repeated header names several tiers, so the tier is unknown. Then the most expensive possible
  // tier is charged.
  return tier?.includes(',') ? null : tier;
};

/** Returns the answer, unless it reports an error. @throws GatewayError for the reported error. */
export function usable(answer: TextAnswer, to: Destination): TextAnswer {
  const { error } = answer.facts;
  if (error !== null) throw reportedFailure(error, failureContext(to));
  return answer;
}

export type OpenedStream = {
  readonly pass: StreamPass;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  /**
   * The bytes for the caller that `pass` returned for everything that was read so far. Empty once
   * they were sent, because a stream may stay open for long.
   */
  first: Uint8Array;
};

/**
 * After this many bytes of a stream, other requests get a turn. Bytes that have already arrived are
 * read without one, so an upstream that floods its stream would keep the event loop.
 */
export const TURN_BYTES = 64 * 1024;

/** Reads a stream to its first event. @throws GatewayError if the stream is unusable. */
export async function openStream(
  response: Response,
  pass: StreamPass,
  limits: OpenLimits,
  onFirstByte: () => void,
): Promise<OpenedStream> {
  const reader = eventStreamOf(response).getReader();
  const deadline = new TimeLimit(limits.clock, limits.firstByteTimeoutMs, NOT_BEGUN);
  let turnBytes = 0;
  try {
    for (;;) {
      if (turnBytes > TURN_BYTES) {
        turnBytes = 0;
        await nextTurn();
      }
      const { value: chunk } = await deadline.orTimeout(reader.read());
      if (chunk === undefined) throw empty();
      onFirstByte();
      turnBytes += chunk.byteLength;
      const first = pass.push(chunk);
      const { error } = pass.facts;
      if (error !== null) throw reportedFailure(error, limits.context);
      if (first.byteLength > 0 || pass.ended) return { pass, reader, first };
    }
  } catch (thrown) {
    throw thrown instanceof GatewayError ? thrown : brokenOff(thrown);
  } finally {
    deadline.end();
  }
}

/** Returns the body. @throws GatewayError `upstream_failed` when it is not an event stream. */
function eventStreamOf(response: Response): ReadableStream<Uint8Array> {
  const { body, headers } = response;
  if (body !== null && isEventStream(response)) return body;
  const type = (headers.get('content-type') ?? '').toLowerCase();
  throw new GatewayError('upstream_failed', 'The provider did not return a stream.', {
    cause: new Error(`content-type ${type.slice(0, 80)}`),
  });
}

export const isEventStream = ({ headers }: Pick<Response, 'headers'>): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().startsWith('text/event-stream');

export const FELL_SILENT = 'The provider stopped sending during its answer.';
const NOT_BEGUN = 'The provider did not start its answer in time.';

export const brokenOff = (cause: unknown): GatewayError =>
  new GatewayError(
    'upstream_truncated',
    'The connection to the provider broke during the answer.',
    {
      cause,
    },
  );

const tooLate = (message: string): GatewayError => new GatewayError('upstream_timeout', message);

const empty = (): GatewayError =>
  new GatewayError('upstream_truncated', 'The provider returned an empty answer.');

/** Not retryable: the provider would bill the same answer again, which would be as large. */
const tooLarge = (maxBytes: number): GatewayError =>
  new GatewayError('upstream_failed', `The provider's answer is larger than ${maxBytes} bytes.`, {
    retryable: false,
  });

/** Whether an answer was not read because it was larger than allowed. */
export const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof GatewayError && thrown.code === 'upstream_failed' && !thrown.retryable;

/** Waits at most `limitMs` for `promise`. The promise itself is not canceled. */
export async function orTimeout<Value>(
  clock: Pick<Clock, 'after'>,
  promise: Promise<Value>,
  limitMs: number,
): Promise<Value | 'timeout'> {
  const timeout = Promise.withResolvers<'timeout'>();
  const timer = clock.after(limitMs, () => timeout.resolve('timeout'));
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    timer.cancel();
  }
}

/** A timeout that several waits share. `restart` starts it again. */
class TimeLimit {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #limitMs: number;
  readonly #message: string;
  readonly #over = Promise.withResolvers<never>();
  #timer: Timer;

  /** @param message the message of the `upstream_timeout` error. */
  constructor(clock: Pick<Clock, 'after'>, limitMs: number, message: string) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#message = message;
    // While nothing waits, the timeout must not become an unhandled rejection.
    this.#over.promise.catch(() => undefined);
    this.#timer = this.#start();
  }

  /** Waits for `promise`. @throws GatewayError `upstream_timeout` when the limit is over. */
  orTimeout<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.#over.promise]);
  }

  restart(): void {
    this.#timer.cancel();
    this.#timer = this.#start();
  }

  end(): void {
    this.#timer.cancel();
  }

  #start(): Timer {
    return this.#clock.after(this.#limitMs, () => this.#over.reject(tooLate(this.#message)));
  }
}
