/** Counts the lost, repeated and reordered events of one stream, from their stamps. */

/**
 * The maximum difference between the clocks of two processes. Because of this difference, an event
 * may seem to arrive before it was written.
 */
const CLOCK_SLACK_US = 1_000;

export class StampTally {
  readonly #seen: Uint8Array;
  readonly #warmUp: number;
  #highest = -1;
  #distinct = 0;
  #doubled = 0;
  #outOfOrder = 0;
  /** The delays of the events after the warm-up, in microseconds. */
  readonly #delaysUs: number[] = [];

  /**
   * The delays of the first `warmUp` events are not recorded. Lost events are counted from the
   * first event on.
   */
  constructor(events: number, warmUp: number) {
    this.#seen = new Uint8Array(events);
    this.#warmUp = warmUp;
  }

  get count(): number {
    return this.#distinct + this.#doubled;
  }

  get lost(): number {
    return this.#seen.length - this.#distinct;
  }

  get doubled(): number {
    return this.#doubled;
  }

  /**
   * The number of events that arrived after an event with a higher number. Repeats are not counted.
   */
  get outOfOrder(): number {
    return this.#outOfOrder;
  }

  get delaysUs(): readonly number[] {
    return this.#delaysUs;
  }

  /**
   * Counts an event.
   * @throws Error if the stream has no event with this number, or if the stamp is in the future by
   *   more than `CLOCK_SLACK_US`.
   */
  add(number: number, delayUs: number): void {
    const seen = this.#seen[number];
    if (seen === undefined) throw new Error(`event ${number} of ${this.#seen.length}`);
    if (delayUs < -CLOCK_SLACK_US) {
      throw new Error(`an event came ${-delayUs} µs before it was written: the clock was set`);
    }
    if (seen === 1) {
      this.#doubled++;
      return;
    }
    this.#seen[number] = 1;
    this.#distinct++;
    if (number < this.#highest) this.#outOfOrder++;
    else this.#highest = number;
    if (number >= this.#warmUp) this.#delaysUs.push(delayUs);
  }
}
