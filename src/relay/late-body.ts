/** Waiting for an upstream that takes its time, without making the caller wait for a sign of life. */
import type { Clock, Timer } from '../clock.ts';

/** What `promise` gives, or `'late'` when it has not come by then; it goes on all the same. */
export async function orLate<Value>(
  clock: Clock,
  promise: Promise<Value>,
  limitMs: number,
): Promise<Value | 'late'> {
  let timer: Timer | null = null;
  const late = new Promise<'late'>((resolve) => {
    timer = clock.after(limitMs, () => resolve('late'));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    (timer as Timer | null)?.cancel();
  }
}

/** A body whose bytes come from another that is still to come; it fails with what that one fails with. */
export function lateBody(coming: Promise<ReadableStream<Uint8Array>>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= (await coming).getReader();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
