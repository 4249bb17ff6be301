/** Converts a request's timeline to bars: one for each attempt and one for the answer. */
import type { RequestDetails } from '#bill/request-details.ts';

export type Bar = {
  /**
   * An `attempt` lasts until the upstream returns its status line, or until the attempt fails. An
   * `answer` lasts from the first byte to the end of the request.
   */
  readonly kind: 'attempt' | 'answer';
  readonly channel: string;
  /** The status or error code of an attempt; null for an answer. */
  readonly result: string | null;
  readonly isFailure: boolean;
  readonly startMs: number;
  readonly durationMs: number;
  /** The start as a fraction of the whole time, from 0 to 1. */
  readonly start: number;
  readonly width: number;
};

const OK = /^2\d\d$/;
/** The minimum width of a bar, so that very short times stay visible. */
const MIN_WIDTH = 0.004;

type TimedRequest = Pick<RequestDetails, 'attempts' | 'first_byte_ms' | 'duration_ms' | 'channel'>;

export function timelineOf(request: TimedRequest): readonly Bar[] {
  const { attempts, first_byte_ms: firstByteMs, duration_ms: totalMs, channel } = request;
  const endsMs = attempts.map(({ start_ms: start, duration_ms: duration }) => start + duration);
  const spanMs = Math.max(totalMs, firstByteMs ?? 0, ...endsMs, 1);
  const bar = (at: Omit<Bar, 'start' | 'width'>): Bar => {
    const start = Math.min(at.startMs / spanMs, 1 - MIN_WIDTH);
    const width = Math.min(Math.max(at.durationMs / spanMs, MIN_WIDTH), 1 - start);
    return { ...at, start, width };
  };
  const bars = attempts.map((attempt) =>
    bar({
      ...{ kind: 'attempt', channel: attempt.channel, result: attempt.result },
      isFailure: !OK.test(attempt.result),
      startMs: attempt.start_ms,
      durationMs: attempt.duration_ms,
    }),
  );
  if (firstByteMs === null) return bars;
  const answer = bar({
    ...{ kind: 'answer', channel, result: null, isFailure: false },
    startMs: firstByteMs,
    durationMs: Math.max(0, totalMs - firstByteMs),
  });
  return [...bars, answer];
}

/** Returns the output tokens per second after the first token of a stream; null when unknown. */
export function speedOf(
  request: Pick<RequestDetails, 'output_tokens' | 'first_byte_ms' | 'duration_ms' | 'streamed'>,
): number | null {
  const { output_tokens: tokens, first_byte_ms: firstByteMs, duration_ms: totalMs } = request;
  if (firstByteMs === null || tokens === 0 || !request.streamed) return null;
  const seconds = (totalMs - firstByteMs) / 1000;
  return seconds > 0 ? tokens / seconds : null;
}
