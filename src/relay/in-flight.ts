/** Every request that has money held, so that one timer serves them all and a shutdown can wait for them. */
import type { Clock, Timer } from '../clock.ts';

export type Running = {
  /** Called about once a second with the monotonic clock: keep-alives and deadlines. */
  readonly tick: (nowMs: number) => void;
  /** Ends the request now, with the truth told to the caller and the books settled. */
  readonly terminate: () => void;
};

const TICK_MS = 1_000;
const DRAIN_POLL_MS = 20;

export class InFlight {
  readonly #clock: Clock;
  readonly #running = new Set<Running>();
  readonly #timer: Timer;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = clock.every(TICK_MS, () => this.#tick());
  }

  get count(): number {
    return this.#running.size;
  }

  add(running: Running): void {
    this.#running.add(running);
  }

  remove(running: Running): void {
    this.#running.delete(running);
  }

  /** Waits until nothing runs, at most `graceMs`; then ends what is left and waits for its settlement. */
  async drain(graceMs: number, settleMs: number): Promise<number> {
    await this.#untilEmpty(graceMs);
    const cut = this.#running.size;
    for (const running of [...this.#running]) running.terminate();
    await this.#untilEmpty(settleMs);
    this.#timer.cancel();
    return cut;
  }

  async #untilEmpty(limitMs: number): Promise<void> {
    const deadlineMs = this.#clock.monotonicMs() + limitMs;
    while (this.#running.size > 0 && this.#clock.monotonicMs() < deadlineMs) {
      await this.#clock.sleep(DRAIN_POLL_MS);
    }
  }

  #tick(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const running of this.#running) running.tick(nowMs);
  }
}
