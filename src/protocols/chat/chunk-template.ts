/**
 * Rewrites events without parsing them, if they differ from a parsed event only in a few strings
 * and the sequence number. No decision depends on these values, so the result is the same.
 */
import { BytePool } from '../../json/bytes.ts';
import { BACKSLASH, closingQuote, isAt } from '../../json/cursor.ts';
import type { TextFormat } from '../dialect.ts';

type Hole = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
};

/** An event that matches a template. */
export type RecognizedChunk = {
  /** The event to send; null when the event can be sent unchanged. */
  readonly out: Uint8Array | null;
  /** Bytes of the model's output in the event. */
  readonly outputBytes: number;
  /** The event's `sequence_number`; null if it has none. */
  readonly number: number | null;
};

/**
 * The patterns that find the values that differ between events: strings, and the `sequence_number`.
 * Each pattern ends where the value begins. `obfuscation` is padding that upstreams add.
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
/** Maximum differing values in a template. An event with more of them is always parsed. */
const MAX_HOLES = 4;
/** After this many templates in a row without a match, fewer chunks are learned. */
const MAX_FRUITLESS = 16;
/** After `MAX_FRUITLESS`, only one chunk in this many is learned. */
const FRUITLESS_STRIDE = 32;
/** Maximum templates of a stream: for text, reasoning and tool arguments, of a few choices. */
const MAX_TEMPLATES = 4;

/**
 * All streams share one pool of memory, so that a silent stream reserves none for its next chunks.
 * As long as a chunk is unsent, the whole block of about thirty chunks that contains it stays in
 * memory.
 */
const pool = new BytePool(8 * 1024);

export class ChunkTemplates {
  readonly #pattern: RegExp;
  readonly #templates: Template[] = [];
  #next = 0;
  #fruitless = 0;

  constructor(protocol: TextFormat) {
    this.#pattern = HOLES[protocol];
  }

  /** Forgets all templates. Call this when the same chunk would now be rewritten differently. */
  forget(): void {
    this.#templates.length = 0;
    this.#next = 0;
  }

  /** Returns the rewritten event if a template matches its data; otherwise null. */
  recognize(data: Uint8Array): RecognizedChunk | null {
    for (const template of this.#templates) {
      const recognized = template.recognize(data);
      if (recognized === null) continue;
      this.#fruitless = 0;
      return recognized;
    }
    return null;
  }

  /**
   * Remembers how a chunk was rewritten. Call this only if every later chunk of the stream that
   * differs just in the model's words would be rewritten in the same way.
   * @param out the chunk as rewritten; null when it was sent unchanged.
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
  // If the sizes differ, one of the strings is not model output, so there is no template.
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

/** Returns the fixed bytes before, between and after the holes, the values that may differ. */
function around(bytes: Uint8Array, holes: readonly Hole[]): Uint8Array[] {
  const starts = [0, ...holes.map(({ end }) => end)];
  const ends = [...holes.map(({ start }) => start), bytes.byteLength];
  return starts.map((start, at) => bytes.slice(start, ends[at]));
}

/** Finds an event's holes: the values that may differ. Null when a string has no end. */
function holesIn(bytes: Uint8Array, pattern: RegExp): Hole[] | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const holes: Hole[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const start = pattern.lastIndex;
    const key = found[1] ?? NUMBER;
    const end = holeEnd(bytes, start, key);
    if (end < 0) return null;
    holes.push({ key, start, end });
    pattern.lastIndex = end + 1;
  }
  return holes;
}

const holeEnd = (bytes: Uint8Array, start: number, key: string): number =>
  key === NUMBER ? numberEnd(bytes, start) : closingQuote(bytes, start, bytes.byteLength);

const ZERO = 0x30;
const NINE = 0x39;

/** Returns where a whole number in JSON ends; -1 when it is invalid or too long to be exact. */
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

class Template {
  readonly #keys: readonly string[];
  readonly #literals: readonly Uint8Array[];
  /** The fixed bytes between the values of the event to send; null if events pass unchanged. */
  readonly #outLiterals: readonly Uint8Array[] | null;
  readonly #outLiteralBytes: number;
  /** Start and end of each value in the current event, alternating. */
  readonly #spans: number[] = [];

  constructor(
    keys: readonly string[],
    literals: readonly Uint8Array[],
    outLiterals: readonly Uint8Array[] | null,
  ) {
    this.#keys = keys;
    this.#literals = literals;
    this.#outLiterals = outLiterals;
    this.#outLiteralBytes = (outLiterals ?? []).reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
  }

  recognize(data: Uint8Array): RecognizedChunk | null {
    if (!this.#fits(data)) return null;
    const spans = this.#spans;
    let outputBytes = 0;
    let number: number | null = null;
    const keys = this.#keys;
    for (let each = 0; each < keys.length; each++) {
      const key = keys[each];
      const start = spans[2 * each] ?? 0;
      const end = spans[2 * each + 1] ?? 0;
      if (key === NUMBER) number = numberIn(data, start, end);
      else if (key !== PADDING) outputBytes += decodedLength(data, start, end);
    }
    if (Number.isNaN(outputBytes)) return null;
    return {
      out: this.#outLiterals === null ? null : this.#fill(this.#outLiterals, data),
      outputBytes,
      number,
    };
  }

  #fits(data: Uint8Array): boolean {
    const literals = this.#literals;
    const spans = this.#spans;
    let at = 0;
    for (let each = 0; each < literals.length; each++) {
      const literal = literals[each];
      if (literal === undefined || !isAt(data, at, literal)) return false;
      at += literal.byteLength;
      if (each === literals.length - 1) break;
      const end = holeEnd(data, at, this.#keys[each] ?? '');
      if (end < 0) return false;
      spans[2 * each] = at;
      spans[2 * each + 1] = end;
      at = end;
    }
    return at === data.byteLength;
  }

  #fill(outLiterals: readonly Uint8Array[], data: Uint8Array): Uint8Array {
    const keys = this.#keys;
    const spans = this.#spans;
    let size = this.#outLiteralBytes;
    for (let each = 0; each < keys.length; each++) {
      if (keys[each] !== PADDING) size += (spans[2 * each + 1] ?? 0) - (spans[2 * each] ?? 0);
    }
    const out = pool.take(size);
    let literal = 0;
    let at = put(out, 0, outLiterals[literal++]);
    for (let each = 0; each < keys.length; each++) {
      if (keys[each] === PADDING) continue;
      at = copy(data, spans[2 * each] ?? 0, spans[2 * each + 1] ?? 0, out, at);
      at = put(out, at, outLiterals[literal++]);
    }
    return out;
  }
}

/** Copies the piece into `out` from `at` on. Returns where the copy ends. */
function put(out: Uint8Array, at: number, piece: Uint8Array | undefined): number {
  if (piece === undefined) return at;
  out.set(piece, at);
  return at + piece.byteLength;
}

/** Up to this many bytes, a loop costs less than a view and a native copy. */
const SHORT_BYTES = 32;

function copy(
  data: Uint8Array,
  start: number,
  end: number,
  out: Uint8Array,
  outStart: number,
): number {
  if (end - start > SHORT_BYTES) return put(out, outStart, data.subarray(start, end));
  let at = outStart;
  for (let from = start; from < end; from++) out[at++] = data[from] ?? 0;
  return at;
}

const decoder = new TextDecoder();

/** Returns the bytes of a string after its escapes are decoded; NaN when it is not valid JSON. */
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
    // The chunk will be parsed, and the parser reports the fault.
    return Number.NaN;
  }
}
