import type { Clock, Timer } from '../clock.ts';

/** What `promise` gives, or `'late'` when it has not come by then; it goes on all the same. */
export async function orLate<Value>(
  clock: Pick<Clock, 'after'>,
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
