/** Measures how late a periodic timer runs. A blocked event loop delays every stream at once. */
import type { Clock, Timer } from '../clock.ts';

/**
 * The timer's period. Delays shorter than this are not measured, but callers do not notice them. At
 * this period, the timer has no measurable cost.
 */
const PERIOD_MS = 10;
/**
 * How far back `read` reports delays. This is longer than any scrape interval, so scrapes miss no
 * delay.
 */
const WINDOW_MS = 60_000;
const SAMPLES = WINDOW_MS / PERIOD_MS;

/** Percentiles and maximum of the event loop's delay, in milliseconds. */
export type LoopDelay = { readonly p50: number; readonly p99: number; readonly max: number };

export class EventLoopDelay {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'every'>;
  readonly #delays = new Float64Array(SAMPLES);
  #count = 0;
  #lastMs: number;
  readonly #timer: Timer;

  constructor(clock: Pick<Clock, 'monotonicMs' | 'every'>) {
    this.#clock = clock;
    this.#lastMs = clock.monotonicMs();
    this.#timer = clock.every(PERIOD_MS, () => this.#sample());
  }

  /** Returns the delays of the last minute; all are zero before the first sample. */
  read(): LoopDelay {
    const sorted = this.#delays.slice(0, Math.min(this.#count, SAMPLES)).sort();
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { p50: at(0.5), p99: at(0.99), max: at(1) };
  }

  stop(): void {
    this.#timer.cancel();
  }

  #sample(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#delays[this.#count % SAMPLES] = Math.max(0, nowMs - this.#lastMs - PERIOD_MS);
    this.#count += 1;
    this.#lastMs = nowMs;
  }
}
