/**
 * A stream is the same chunk again and again with another word in it. Once one of them was read whole,
 * its fellows are known by the bytes around the word: what was done to the one is done to them, without
 * parsing. That is exact, not a guess: only the inside of JSON strings may differ, and none of these
 * strings decides anything.
 */
import { concatBytes } from '../../json/bytes.ts';
import { BACKSLASH, closingQuote, isAt } from '../../json/cursor.ts';

type Hole = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
};

/** A chunk known by its template. */
export type RecognizedChunk = {
  /** What goes out; null when the chunk may go as it came. */
  readonly out: Uint8Array | null;
  /** Bytes of output the model wrote in it. */
  readonly outputBytes: number;
};

/** The strings that differ from chunk to chunk. `obfuscation` is padding that upstreams add. */
const HOLE =
  /"(content|reasoning_content|reasoning|refusal|arguments|input|obfuscation)"[ \t]*:[ \t]*"/g;
const PADDING = 'obfuscation';
/** More strings than this in one chunk, and it is read whole each time. */
const MAX_HOLES = 4;
/** After this many templates that knew no chunk, most chunks differ in more than words: not worth it. */
const MAX_FRUITLESS = 16;
/** Then only one in so many is still learnt from. */
const FRUITLESS_STRIDE = 32;
/** Kinds of chunk remembered at a time: text, reasoning and tool arguments, of a few choices. */
const MAX_TEMPLATES = 4;

export class ChunkTemplates {
  readonly #templates: Template[] = [];
  #next = 0;
  #fruitless = 0;

  /** What is treated otherwise from now on is read whole again. */
  forget(): void {
    this.#templates.length = 0;
    this.#next = 0;
  }

  /** @param data one event's data. */
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
   * Remembers what was done to a chunk. Only for chunks whose treatment depends on nothing but the bytes
   * around the model's words, now and for the rest of the stream.
   *
   * @param out the whole event that was sent for it; null when it went as it came.
   * @param outputBytes of output in it, as reading it whole found.
   */
  learn(data: Uint8Array, out: Uint8Array | null, outputBytes: number): void {
    this.#fruitless += 1;
    if (this.#fruitless > MAX_FRUITLESS && this.#fruitless % FRUITLESS_STRIDE !== 0) return;
    const template = templateOf(data, out, outputBytes);
    if (template === null) return;
    this.#templates[this.#next] = template;
    this.#next = (this.#next + 1) % MAX_TEMPLATES;
  }
}

function templateOf(
  data: Uint8Array,
  out: Uint8Array | null,
  outputBytes: number,
): Template | null {
  const holes = holesIn(data);
  if (holes === null || holes.length === 0 || holes.length > MAX_HOLES) return null;
  const bytes = holes.reduce((sum, hole) => sum + outputIn(data, hole), 0);
  // Some of the strings are not what they seem.
  if (bytes !== outputBytes) return null;
  const keys = holes.map(({ key }) => key);
  const literals = around(data, holes);
  if (out === null) return new Template(keys, literals, null);
  const outHoles = holesIn(out) ?? [];
  const kept = keys.filter((key) => key !== PADDING);
  const isSame =
    kept.length === outHoles.length && kept.every((key, at) => key === outHoles[at]?.key);
  return isSame ? new Template(keys, literals, around(out, outHoles)) : null;
}

/** The bytes before, between and after the holes: one more than there are holes. */
function around(bytes: Uint8Array, holes: readonly Hole[]): Uint8Array[] {
  const starts = [0, ...holes.map(({ end }) => end)];
  const ends = [...holes.map(({ start }) => start), bytes.byteLength];
  return starts.map((start, at) => bytes.slice(start, ends[at]));
}

/** Null when a string does not end. */
function holesIn(bytes: Uint8Array): Hole[] | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const holes: Hole[] = [];
  HOLE.lastIndex = 0;
  for (let found = HOLE.exec(text); found !== null; found = HOLE.exec(text)) {
    const start = HOLE.lastIndex;
    const end = closingQuote(bytes, start, bytes.byteLength);
    if (end < 0) return null;
    holes.push({ key: found[1] ?? '', start, end });
    HOLE.lastIndex = end + 1;
  }
  return holes;
}

const outputIn = (bytes: Uint8Array, { key, start, end }: Hole): number =>
  key === PADDING ? 0 : decodedLength(bytes, start, end);

class Template {
  readonly #keys: readonly string[];
  readonly #literals: readonly Uint8Array[];
  /** What stands around the strings that are kept, in the event sent; null when it goes as it came. */
  readonly #outLiterals: readonly Uint8Array[] | null;
  /** Where the strings of the chunk at hand begin and end, in turn. */
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

  recognize(data: Uint8Array): RecognizedChunk | null {
    if (!this.#fits(data)) return null;
    const spans = this.#spans;
    let outputBytes = 0;
    for (const [at, key] of this.#keys.entries()) {
      if (key === PADDING) continue;
      outputBytes += decodedLength(data, spans[2 * at] ?? 0, spans[2 * at + 1] ?? 0);
    }
    if (Number.isNaN(outputBytes)) return null;
    return {
      out: this.#outLiterals === null ? null : this.#fill(this.#outLiterals, data),
      outputBytes,
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
      const end = closingQuote(data, at, data.byteLength);
      if (end < 0) return false;
      spans[2 * each] = at;
      spans[2 * each + 1] = end;
      at = end;
    }
    return at === data.byteLength;
  }

  #fill(outLiterals: readonly Uint8Array[], data: Uint8Array): Uint8Array {
    const pieces: Uint8Array[] = [];
    let size = 0;
    const add = (piece: Uint8Array): void => {
      pieces.push(piece);
      size += piece.byteLength;
    };
    let literal = 0;
    const addLiteral = (): void => add(outLiterals[literal++] ?? NOTHING);
    addLiteral();
    for (const [at, key] of this.#keys.entries()) {
      if (key === PADDING) continue;
      add(data.subarray(this.#spans[2 * at], this.#spans[2 * at + 1]));
      addLiteral();
    }
    return concatBytes(pieces, size);
  }
}

const NOTHING = new Uint8Array(0);
const decoder = new TextDecoder();

/** Bytes of a string's text; NaN when it is not a string that JSON allows. */
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
    // Read whole, the chunk will be found out.
    return Number.NaN;
  }
}
