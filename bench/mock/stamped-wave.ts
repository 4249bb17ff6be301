/**
 * Streams of the mock upstream that start together. Each stream opens at once and waits until all
 * streams of the wave are open. Then each stream sends one event per interval. The sending times of
 * the streams are spread evenly over the interval.
 */
import { systemClock, type Timer } from '../../src/clock.ts';
import { type Behavior, FEWEST_EVENTS } from '../behavior.ts';
import { sharedUs, stamped } from '../load/stamps.ts';
import { type Dialect, stampedPiece, streamPieces } from './mock-bytes.ts';

type Send = (bytes: Buffer) => void;

const TICK_MS = 1;
/**
 * The index of the first closing piece in a stream of `FEWEST_EVENTS` pieces. The two pieces before
 * it are the opening and the only text event.
 */
const ENDINGS_FROM = 2;

export class StampedWave {
  readonly #plan: Extract<Behavior, { kind: 'stamped' }>;
  readonly #template: { readonly bytes: Buffer; readonly stampAt: number };
  readonly #opening: Buffer;
  readonly #endings: readonly Buffer[];
  readonly #onFull: () => void;
  #streams: Send[] = [];
  /** The timer that sends due events; null until all streams are open. */
  #timer: Timer | null = null;
  #startedMs = 0;
  /** The number of events sent or skipped so far, over all streams. */
  #turns = 0;
  readonly #left = new Set<Send>();

  /** @param onFull called when the wave starts and accepts no more streams. */
  constructor(dialect: Dialect, plan: Extract<Behavior, { kind: 'stamped' }>, onFull: () => void) {
    const pieces = streamPieces(dialect, FEWEST_EVENTS);
    this.#plan = plan;
    this.#template = stampedPiece(dialect);
    this.#opening = pieces[0] ?? Buffer.alloc(0);
    this.#endings = pieces.slice(ENDINGS_FROM);
    this.#onFull = onFull;
  }

  /**
   * Opens a stream and adds it to the wave.
   * @returns a function to call when the reader of the stream has left.
   */
  join(send: Send): () => void {
    this.#streams.push(send);
    send(this.#opening);
    if (this.#streams.length === this.#plan.streams) this.#begin();
    return () => this.#leave(send);
  }

  #begin(): void {
    this.#startedMs = systemClock.monotonicMs();
    this.#timer = systemClock.every(TICK_MS, () => this.#tick());
    this.#onFull();
  }

  #leave(send: Send): void {
    // A stream whose reader leaves before the start is replaced by the next stream that opens.
    // After the start, its events are skipped, so that the other streams keep their schedule.
    if (this.#timer === null) this.#streams = this.#streams.filter((other) => other !== send);
    else this.#left.add(send);
  }

  /** Sends every event that is due. An event that is sent late is stamped with the actual time. */
  #tick(): void {
    const { events, everyMs } = this.#plan;
    const count = this.#streams.length;
    const all = count * (events + this.#endings.length);
    const sinceMs = systemClock.monotonicMs() - this.#startedMs;
    const due = Math.min(all, Math.floor((sinceMs * count) / everyMs));
    while (this.#turns < due) {
      const send = this.#streams[this.#turns % count];
      const beat = Math.floor(this.#turns / count);
      this.#turns++;
      if (send !== undefined && !this.#left.has(send)) send(this.#piece(beat));
    }
    if (this.#turns >= all) this.#timer?.cancel();
  }

  #piece(beat: number): Buffer {
    const { bytes, stampAt } = this.#template;
    const ending = this.#endings[beat - this.#plan.events];
    return ending ?? stamped(bytes, stampAt, beat, sharedUs());
  }
}
