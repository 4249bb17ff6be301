/**
 * A stream of server-sent events at a configured number of tokens per second, with backpressure.
 */
import type { Clock } from '../clock.ts';

export type StreamEvent = {
  readonly text: string;
  /** The number of tokens in the event. It determines the delay before the event. */
  readonly tokens: number;
};

export type StreamEvents = Generator<StreamEvent, void, undefined>;

/**
 * The maximum number of events that are produced before the reader asks for them. They fill a few
 * network packets, so that a fast reader does not wait for each event.
 */
const READ_AHEAD_EVENTS = 32;
const encoder = new TextEncoder();

/**
 * Returns the events as a byte stream with one event per chunk. At 0 tokens per second, events have
 * no delay. If the signal is aborted, the stream fails at once with the signal's reason.
 */
export function pacedStream(
  events: Iterator<StreamEvent, void, undefined>,
  pace: { readonly clock: Clock; readonly tokensPerSecond: () => number },
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { clock } = pace;
  let dueAtMs = clock.monotonicMs();
  let wake: (() => void) | null = null;
  const leave = new AbortController();

  const stop = (): void => {
    events.return?.();
    leave.abort();
    wake?.();
  };
  const waitUntil = (atMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = clock.after(atMs - clock.monotonicMs(), resolve);
      wake = () => {
        timer.cancel();
        resolve();
      };
    });

  const pull = (
    controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
  ): void | Promise<void> => {
    const { value: event } = events.next();
    if (event === undefined) {
      leave.abort();
      controller.close();
      return;
    }
    const bytes = encoder.encode(event.text);
    const rate = pace.tokensPerSecond();
    if (rate > 0) dueAtMs += (event.tokens * 1000) / rate;
    if (rate <= 0 || dueAtMs <= clock.monotonicMs()) {
      controller.enqueue(bytes);
      return;
    }
    return waitUntil(dueAtMs).then(() => {
      wake = null;
      if (!leave.signal.aborted) controller.enqueue(bytes);
    });
  };

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (controller) => {
        const onAbort = (): void => {
          stop();
          controller.error(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true, signal: leave.signal });
      },
      pull,
      cancel: stop,
    },
    { highWaterMark: READ_AHEAD_EVENTS },
  );
}
