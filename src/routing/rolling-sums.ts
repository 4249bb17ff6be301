/** Counts of the recent past: a ring of slots, each of which forgets what it held when its time comes round. */

export type RollingOptions = {
  /** How many things are counted. */
  readonly width: number;
  readonly slots: number;
  readonly slotMs: number;
};

/** What lies between `slots - 1` and `slots` times `slotMs` in the past is gone; constant memory and time. */
export class RollingSums {
  readonly #slots: readonly Uint32Array[];
  readonly #totals: Float64Array;
  readonly #slotMs: number;
  /** Slots since the clock's zero, of the latest one that was looked at. */
  #head = 0;

  constructor({ width, slots, slotMs }: RollingOptions) {
    this.#slots = Array.from({ length: slots }, () => new Uint32Array(width));
    this.#totals = new Float64Array(width);
    this.#slotMs = slotMs;
  }

  /** @param nowMs monotonic. */
  add(what: number, nowMs: number): void {
    const slot = this.#turnTo(nowMs);
    slot[what] = (slot[what] ?? 0) + 1;
    this.#totals[what] = (this.#totals[what] ?? 0) + 1;
  }

  /** What the slots hold together, by what is counted. Valid until the next call. */
  totals(nowMs: number): Readonly<Float64Array> {
    this.#turnTo(nowMs);
    return this.#totals;
  }

  /** What each slot holds, the oldest first; the last one is still being filled. */
  history(nowMs: number): readonly (readonly number[])[] {
    this.#turnTo(nowMs);
    return this.#slots.map((_, age) => [...this.#slot(this.#head + age + 1)]);
  }

  clear(): void {
    for (const slot of this.#slots) slot.fill(0);
    this.#totals.fill(0);
  }

  #turnTo(nowMs: number): Uint32Array {
    const head = Math.floor(nowMs / this.#slotMs);
    const count = this.#slots.length;
    // After a long silence every slot is over, and none need be turned twice.
    for (let at = Math.max(this.#head + 1, head - count + 1); at <= head; at++) this.#empty(at);
    this.#head = Math.max(this.#head, head);
    return this.#slot(this.#head);
  }

  #empty(at: number): void {
    const slot = this.#slot(at);
    for (const [what, count] of slot.entries()) {
      if (count === 0) continue;
      this.#totals[what] = (this.#totals[what] ?? 0) - count;
      slot[what] = 0;
    }
  }

  #slot(at: number): Uint32Array {
    const slot = this.#slots[at % this.#slots.length];
    if (slot === undefined) throw new Error('a ring has at least one slot');
    return slot;
  }
}
