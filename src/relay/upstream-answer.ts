/**
 * Opens an upstream's answer, as far as it can still be given up for another one: an answer in one piece
 * to its end, a stream to its first event. What cannot be used is the route's failure, and the next route
 * is asked.
 */
import type { Clock, Timer } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { StreamPass, TextAnswer } from '../protocols/dialect.ts';
import { type FailureContext, reportedFailure } from '../routing/upstream-failure.ts';
import { readAnswerBytes } from './answer-bytes.ts';

export type OpenedStream = {
  readonly pass: StreamPass;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  /** What `pass` gave for the bytes read so far. */
  readonly first: Uint8Array;
};

export type OpenLimits = {
  readonly clock: Pick<Clock, 'after'>;
  readonly maxAnswerBytes: number;
  /** Until the first event of a stream. */
  readonly firstByteTimeoutMs: number;
  /** Silence within an answer in one piece. */
  readonly idleTimeoutMs: number;
  /** What must not be seen of the upstream in its own words, and how its model is called here. */
  readonly context: Pick<FailureContext, 'hidden' | 'model'>;
};

/**
 * @param read the bytes as an answer in the caller's dialect.
 * @throws GatewayError `upstream_failed`, `upstream_overloaded`, `upstream_truncated`, `upstream_timeout`.
 */
export async function openAnswer(
  response: Response,
  read: (bytes: Uint8Array<ArrayBuffer>) => TextAnswer,
  limits: OpenLimits,
): Promise<TextAnswer> {
  const answer = read(await readAnswerBytes(response, limits));
  if (answer.facts.error !== null) throw reportedFailure(answer.facts.error, limits.context);
  return answer;
}

/**
 * @param onFirstByte called when the first byte has come.
 * @throws GatewayError `upstream_failed`, `upstream_overloaded`, `upstream_truncated`, `upstream_timeout`:
 *   nothing of it has gone to the caller.
 */
export async function openStream(
  response: Response,
  pass: StreamPass,
  limits: OpenLimits,
  onFirstByte: () => void,
): Promise<OpenedStream> {
  const reader = eventStreamOf(response).getReader();
  const deadline = new Deadline(limits.clock, limits.firstByteTimeoutMs);
  try {
    for (;;) {
      const { value: chunk } = await deadline.orLate(reader.read());
      if (chunk === undefined) throw empty();
      onFirstByte();
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

export const brokenOff = (cause: unknown): GatewayError =>
  new GatewayError('upstream_truncated', 'The upstream broke off in the middle of its answer.', {
    cause,
  });

const empty = (): GatewayError =>
  new GatewayError('upstream_truncated', 'The upstream ended its answer before it had begun.');

/** @throws GatewayError `upstream_failed` when the answer is no event stream. */
function eventStreamOf({ body, headers }: Response): ReadableStream<Uint8Array> {
  const type = (headers.get('content-type') ?? '').toLowerCase();
  if (body !== null && type.startsWith('text/event-stream')) return body;
  throw new GatewayError(
    'upstream_failed',
    'The provider behind this channel did not answer with a stream.',
    { cause: new Error(`content-type ${type.slice(0, 80)}`) },
  );
}

/** One time limit over several waits. */
class Deadline {
  readonly #timer: Timer;
  readonly #late = Promise.withResolvers<never>();

  constructor(clock: Pick<Clock, 'after'>, limitMs: number) {
    // Whoever waits is told; when nobody waits any more it is no fault.
    this.#late.promise.catch(() => undefined);
    this.#timer = clock.after(limitMs, () =>
      this.#late.reject(
        new GatewayError('upstream_timeout', 'The upstream did not begin its answer in time.'),
      ),
    );
  }

  /** @throws GatewayError `upstream_timeout`. */
  orLate<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.#late.promise]);
  }

  end(): void {
    this.#timer.cancel();
  }
}
