/**
 * Stamps: what each event of a measured stream carries in its text, so that its reader can tell which
 * one it is and how long it has been under way. `@000042:1795274672031336@`: number, and microseconds.
 */
import { systemClock } from '../../src/clock.ts';

const MARK = 0x40;
const COLON = 0x3a;
const ZERO = 0x30;
const NUMBER_DIGITS = 6;
const TIME_DIGITS = 16;
const STAMP_BYTES = NUMBER_DIGITS + TIME_DIGITS + 3;
const NOTHING = Buffer.alloc(0);

/** A stamp that says nothing yet: its place in bytes that are made beforehand. */
export const BLANK_STAMP = `@${'0'.repeat(NUMBER_DIGITS)}:${'0'.repeat(TIME_DIGITS)}@`;
export const MAX_STAMPS = 10 ** NUMBER_DIGITS;

/**
 * Microseconds on a clock that the processes of a machine share and that does not jump while one runs. A
 * process counts from its start, and says when that was; the ways of asking for the machine's monotonic
 * clock itself count from the start of the process too on this runtime. Two processes disagree by a few
 * microseconds, and by what the wall clock was set by between their starts.
 */
export const sharedUs = (): number =>
  Math.round((performance.timeOrigin + systemClock.monotonicMs()) * 1000);

/** `template` with this stamp where its blank one stands. */
export function stamped(template: Buffer, at: number, number: number, writtenUs: number): Buffer {
  const bytes = Buffer.from(template);
  writeDigits(bytes, at + 1, NUMBER_DIGITS, number);
  writeDigits(bytes, at + 2 + NUMBER_DIGITS, TIME_DIGITS, writtenUs);
  return bytes;
}

/** Finds the stamps of one stream, however its bytes are cut. The mark stands nowhere else in a stream. */
export class StampReader {
  readonly #onStamp: (number: number, writtenUs: number) => void;
  /** The beginning of a stamp whose end has not come. */
  #begun: Buffer = NOTHING;

  constructor(onStamp: (number: number, writtenUs: number) => void) {
    this.#onStamp = onStamp;
  }

  /** @throws Error when a mark begins something else. */
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

/** NaN when there is something else between them. */
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
