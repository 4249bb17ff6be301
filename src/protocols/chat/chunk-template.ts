/**
 * Rewrites events without parsing them: an earlier, parsed event is the template for events that
 * differ from it only in a few strings and the sequence number. The edits do not depend on these
 * values, so the result is the same as with parsing.
 */
import type { ByteWriter } from '../../json/bytes.ts';
import { BACKSLASH, closingQuote, isAt } from '../../json/cursor.ts';
import type { TextFormat } from '../dialect.ts';

type Hole = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
};

/** An event that matches a template. It is valid until the next call of `recognize`. */
export type RecognizedChunk = {
  /** Whether the event can be sent unchanged. */
  readonly isUnchanged: boolean;
  /** The number of bytes of the model's output in the event. */
  readonly outputBytes: number;
  /** The event's `sequence_number`; null if it has none. */
  readonly number: number | null;
  /** Writes the edited event. Must be called only if `isUnchanged` is false. */
  writeTo(out: ByteWriter): void;
};

/** The data of an event, which is in `dataBytes` from `dataStart` to `dataEnd` (exclusive). */
export type EventData = {
  readonly dataBytes: Uint8Array;
  readonly dataStart: number;
  readonly dataEnd: number;
};

/**
 * For each protocol, a pattern that finds the values in which similar events differ: strings and
 * the `sequence_number`. Its match ends where the value begins. `obfuscation` is padding that
 * upstreams add.
 */
const HOLES = {
  chat: /"(content|reasoning_content|reasoning|refusal|arguments|input|obfuscation)"[ \t]*:[ \t]*"/g,
  messages: /"(text|thinking|partial_json)"[ \t]*:[ \t]*"/g,
  responses: /"(delta|obfuscation)"[ \t]*:[ \t]*"|"sequence_number"[ \t]*:[ \t]*(?=\d)/g,
} as const satisfies Readonly<Record<TextFormat, RegExp>>;
const PADDING = 'obfuscation';
const NUMBER = 'sequence_number';
/** A number of at most this many digits is exact in JavaScript. */
const MAX_DIGITS = 15;
/** Maximum values in which events may differ from a template. Other events are always parsed. */
const MAX_HOLES = 4;
/** After this many learned chunks without a match, only some of the chunks are learned. */
const MAX_FRUITLESS = 16;
/** After `MAX_FRUITLESS`, one in this many chunks is learned, until a template matches. */
const FRUITLESS_STRIDE = 32;
/** Maximum templates of a stream: enough for text, reasoning and tool arguments. */
const MAX_TEMPLATES = 4;

export class ChunkTemplates {
  readonly #pattern: RegExp;
  readonly #templates: Template[] = [];
  #next = 0;
  #fruitless = 0;

  constructor(protocol: TextFormat) {
    this.#pattern = HOLES[protocol];
  }

  /**
   * Removes all templates. Must be called when chunks like the learned ones must be rewritten in
   * another way from now on.
   */
  forget(): void {
    this.#templates.length = 0;
    this.#next = 0;
  }

  /** Returns the event if a template matches its data; null otherwise. */
  recognize(data: EventData): RecognizedChunk | null {
    for (const template of this.#templates) {
      if (!template.recognizes(data)) continue;
      this.#fruitless = 0;
      return template;
    }
    return null;
  }

  /**
   * Learns how a chunk was rewritten. Must be called only if every later chunk would be rewritten
   * in the same way when it differs from this chunk only in the model's output.
   * @param out the rewritten chunk; null if it was sent unchanged.
   */
  learn(data: Uint8Array, out: Uint8Array | null, outputBytes: number): void {
    this.#fruitless += 1;
    if (this.#fruitless > MAX_FRUITLESS && this.#fruitless % FRUITLESS_STRIDE !== 0) return;
    const template = templateOf(data, out, outputBytes, this.#pattern);
    if (template === null) return;
    this.#templates[this.#next] = template;
    this.#next = (this.#next + 1) % MAX_TEMPLATES;
  }
}

function templateOf(
  data: Uint8Array,
  out: Uint8Array | null,
  outputBytes: number,
  pattern: RegExp,
): Template | null {
  const holes = holesIn(data, pattern);
  if (holes === null || holes.length === 0 || holes.length > MAX_HOLES) return null;
  const bytes = holes.reduce((sum, hole) => sum + outputIn(data, hole), 0);
  // If the strings have more or fewer bytes than the model's output, one of them is not output. The
  // edits may depend on that string, so no template is made.
  if (bytes !== outputBytes) return null;
  const keys = holes.map(({ key }) => key);
  const literals = around(data, holes);
  if (out === null) return new Template(keys, literals, null);
  const outHoles = holesIn(out, pattern) ?? [];
  const kept = keys.filter((key) => key !== PADDING);
  const isSame =
    kept.length === outHoles.length && kept.every((key, at) => key === outHoles[at]?.key);
  return isSame ? new Template(keys, literals, around(out, outHoles)) : null;
}

/** Returns the fixed bytes around the holes. A hole is a value in which events may differ. */
function around(bytes: Uint8Array, holes: readonly Hole[]): Uint8Array[] {
  const starts = [0, ...holes.map(({ end }) => end)];
  const ends = [...holes.map(({ start }) => start), bytes.byteLength];
  return starts.map((start, at) => bytes.slice(start, ends[at]));
}

/** Finds an event's holes: the values that may differ. Returns null if a string has no end. */
function holesIn(bytes: Uint8Array, pattern: RegExp): Hole[] | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const holes: Hole[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const start = pattern.lastIndex;
    const key = found[1] ?? NUMBER;
    const end = holeEnd(bytes, start, bytes.byteLength, key);
    if (end < 0) return null;
    holes.push({ key, start, end });
    pattern.lastIndex = end + 1;
  }
  return holes;
}

const holeEnd = (bytes: Uint8Array, start: number, stop: number, key: string): number =>
  key === NUMBER ? numberEnd(bytes, start) : closingQuote(bytes, start, stop);

const ZERO = 0x30;
const NINE = 0x39;

/** Returns the position after an integer in JSON; -1 if it is invalid or too long to be exact. */
function numberEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  while ((bytes[end] ?? 0) >= ZERO && (bytes[end] ?? 0) <= NINE) end += 1;
  const isValid = end === start + 1 || (end > start && bytes[start] !== ZERO);
  return isValid && end - start <= MAX_DIGITS ? end : -1;
}

function numberIn(bytes: Uint8Array, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + (bytes[at] ?? ZERO) - ZERO;
  return number;
}

const isOutput = (key: string | undefined): boolean => key !== PADDING && key !== NUMBER;

const outputIn = (bytes: Uint8Array, { key, start, end }: Hole): number =>
  isOutput(key) ? decodedLength(bytes, start, end) : 0;

class Template implements RecognizedChunk {
  outputBytes = 0;
  number: number | null = null;
  readonly #keys: readonly string[];
  readonly #literals: readonly Uint8Array[];
  /** The fixed bytes around the values of a rewritten event; null if events are sent unchanged. */
  readonly #outLiterals: readonly Uint8Array[] | null;
  #bytes = NOTHING;
  /** The start and end positions of the values in the current event, alternating. */
  readonly #spans: number[] = [];

  constructor(
    keys: readonly string[],
    literals: readonly Uint8Array[],
    outLiterals: readonly Uint8Array[] | null,
  ) {
    this.#keys = keys;
    this.#literals = literals;
    this.#outLiterals = outLiterals;
  }

  get isUnchanged(): boolean {
    return this.#outLiterals === null;
  }

  /** Whether the template matches the event. If so, stores the positions of its values. */
  recognizes({ dataBytes, dataStart, dataEnd }: EventData): boolean {
    if (!this.#fits(dataBytes, dataStart, dataEnd)) return false;
    const spans = this.#spans;
    let outputBytes = 0;
    const keys = this.#keys;
    for (let each = 0; each < keys.length; each++) {
      const key = keys[each];
      const start = spans[2 * each] ?? 0;
      const end = spans[2 * each + 1] ?? 0;
      if (key === NUMBER) this.number = numberIn(dataBytes, start, end);
      else if (key !== PADDING) outputBytes += decodedLength(dataBytes, start, end);
    }
    this.outputBytes = outputBytes;
    this.#bytes = dataBytes;
    return !Number.isNaN(outputBytes);
  }

  writeTo(out: ByteWriter): void {
    const literals = this.#outLiterals ?? [];
    const keys = this.#keys;
    const spans = this.#spans;
    let literal = 0;
    out.write(literals[literal++] ?? NOTHING);
    for (let each = 0; each < keys.length; each++) {
      if (keys[each] === PADDING) continue;
      out.write(this.#bytes, spans[2 * each], spans[2 * each + 1]);
      out.write(literals[literal++] ?? NOTHING);
    }
  }

  #fits(bytes: Uint8Array, start: number, stop: number): boolean {
    const literals = this.#literals;
    const spans = this.#spans;
    let at = start;
    for (let each = 0; each < literals.length; each++) {
      const literal = literals[each];
      if (literal === undefined || !isAt(bytes, at, literal)) return false;
      at += literal.byteLength;
      if (each === literals.length - 1) break;
      const end = holeEnd(bytes, at, stop, this.#keys[each] ?? '');
      if (end < 0) return false;
      spans[2 * each] = at;
      spans[2 * each + 1] = end;
      at = end;
    }
    return at === stop;
  }
}

const NOTHING: Uint8Array = new Uint8Array(0);
const decoder = new TextDecoder();

/** Returns the number of bytes of a string without escapes; NaN if it is not valid JSON. */
function decodedLength(data: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (data[at] === BACKSLASH) return unescapedLength(data.subarray(start - 1, end + 1));
  }
  return end - start;
}

function unescapedLength(quoted: Uint8Array): number {
  try {
    const text: unknown = JSON.parse(decoder.decode(quoted));
    return Buffer.byteLength(String(text));
  } catch {
    // The string is not valid JSON. The caller parses the chunk instead, and the parser reports the
    // fault.
    return Number.NaN;
  }
}
