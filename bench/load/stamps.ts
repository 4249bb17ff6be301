/**
 * Stamps: a number and a time in the text of each measured event, so that the reader can identify
 * the event and compute its delay. In `@000042:1795274672031336@`, the number is 42 and the time is
 * in microseconds.
 */
import { systemClock } from '../../src/clock.ts';

const MARK = 0x40;
const COLON = 0x3a;
const ZERO = 0x30;
const NUMBER_DIGITS = 6;
const TIME_DIGITS = 16;
const STAMP_BYTES = NUMBER_DIGITS + TIME_DIGITS + 3;
const NOTHING = Buffer.alloc(0);

/** The placeholder of a stamp in an event that is prepared in advance. */
export const BLANK_STAMP = `@${'0'.repeat(NUMBER_DIGITS)}:${'0'.repeat(TIME_DIGITS)}@`;
export const MAX_STAMPS = 10 ** NUMBER_DIGITS;

/**
 * Returns microseconds on a clock that all processes of the machine share and that does not jump
 * during a run. Bun offers no machine-wide monotonic clock, so each process adds the monotonic time
 * since its start to the wall clock of its start. Two processes differ by a few microseconds, plus
 * any adjustment of the wall clock between their starts.
 */
export const sharedUs = (): number =>
  Math.round((performance.timeOrigin + systemClock.monotonicMs()) * 1000);

/**
 * Returns a copy of `template` with the number and the time written into its placeholder at offset
 * `at`.
 */
export function stamped(template: Buffer, at: number, number: number, writtenUs: number): Buffer {
  const bytes = Buffer.from(template);
  writeDigits(bytes, at + 1, NUMBER_DIGITS, number);
  writeDigits(bytes, at + 2 + NUMBER_DIGITS, TIME_DIGITS, writtenUs);
  return bytes;
}

/**
 * Finds the stamps of one stream, even if a stamp is split over several chunks. The streams contain
 * `@` only in stamps.
 */
export class StampReader {
  readonly #onStamp: (number: number, writtenUs: number) => void;
  /** The incomplete stamp at the end of the last chunk. */
  #begun: Buffer = NOTHING;

  constructor(onStamp: (number: number, writtenUs: number) => void) {
    this.#onStamp = onStamp;
  }

  /** @throws Error when an `@` does not start a stamp. */
  read(chunk: Buffer): void {
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    this.#begun = NOTHING;
    for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + STAMP_BYTES)) {
      const end = at + STAMP_BYTES;
      if (end > bytes.length) {
        this.#begun = Buffer.from(bytes.subarray(at));
        return;
      }
      const colon = at + 1 + NUMBER_DIGITS;
      if (bytes[colon] !== COLON || bytes[end - 1] !== MARK) throw notAStamp(bytes, at);
      const number = readDigits(bytes, at + 1, NUMBER_DIGITS);
      const writtenUs = readDigits(bytes, colon + 1, TIME_DIGITS);
      if (Number.isNaN(number + writtenUs)) throw notAStamp(bytes, at);
      this.#onStamp(number, writtenUs);
    }
  }
}

function writeDigits(bytes: Buffer, at: number, digits: number, value: number): void {
  let left = value;
  for (let place = at + digits - 1; place >= at; place--) {
    const rest = Math.floor(left / 10);
    bytes[place] = ZERO + (left - rest * 10);
    left = rest;
  }
}

/**
 * Reads a number of `digits` digits at offset `at`. Returns NaN when a character is not a digit.
 */
function readDigits(bytes: Buffer, at: number, digits: number): number {
  let value = 0;
  for (let place = at; place < at + digits; place++) {
    const digit = (bytes[place] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

const notAStamp = (bytes: Buffer, at: number): Error =>
  new Error(`not a stamp: ${JSON.stringify(bytes.toString('latin1', at, at + STAMP_BYTES))}`);
