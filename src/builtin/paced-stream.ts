/** An answer on its way out: events at the speed a model would speak, and no faster than they are read. */
import type { Clock } from '../clock.ts';

export type StreamEvent = {
  /** One whole server-sent event. */
  readonly text: string;
  /** How many tokens it brings: what it takes the model to say it. */
  readonly tokens: number;
};

/** Events waiting for the reader, a few network packets' worth: enough to keep it busy, no more. */
const READ_AHEAD_EVENTS = 32;
const encoder = new TextEncoder();

/**
 * The events as a byte stream, one event a chunk. At 0 tokens a second it is as fast as its reader and
 * sets no timer. The signal ends it at once, with the signal's reason; so does the reader by leaving.
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
