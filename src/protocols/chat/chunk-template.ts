/**
 * Rewrites chunks without parsing them, if they differ from a parsed chunk only in a few strings.
 * Parsing would give the same bytes, because the content of these strings affects no decision.
 */
import { BytePool } from '../../json/bytes.ts';
import { BACKSLASH, closingQuote, isAt } from '../../json/cursor.ts';

type Hole = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
};

/** A chunk that matches a template. */
export type RecognizedChunk = {
  /** The event to send; null when the chunk can be sent unchanged. */
  readonly out: Uint8Array | null;
  /** Bytes of the model's output in the chunk. */
  readonly outputBytes: number;
};

/** Finds the strings that differ between chunks. `obfuscation` is padding that upstreams add. */
const HOLE =
  /"(content|reasoning_content|reasoning|refusal|arguments|input|obfuscation)"[ \t]*:[ \t]*"/g;
const PADDING = 'obfuscation';
/** Most differing strings in a template. A chunk with more of them is always parsed. */
const MAX_HOLES = 4;
/** Templates in a row without a match, after which learning is reduced. */
const MAX_FRUITLESS = 16;
/** With reduced learning, only one chunk in this many is learned. */
const FRUITLESS_STRIDE = 32;
/** Most templates remembered: text, reasoning and tool arguments, of a few choices. */
const MAX_TEMPLATES = 4;

/**
 * All streams share one pool of memory, so that a silent stream reserves none for its next chunks.
 * As long as a chunk is unsent, the whole block of about thirty chunks that contains it stays in
 * memory.
 */
const pool = new BytePool(8 * 1024);

export class ChunkTemplates {
  readonly #templates: Template[] = [];
  #next = 0;
  #fruitless = 0;

  /** Forgets all templates. Call this when the same chunk would now be rewritten differently. */
  forget(): void {
    this.#templates.length = 0;
    this.#next = 0;
  }

  /** Returns how to rewrite an event's data, if a template matches; otherwise null. */
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
  // A different size means that one of the strings is not the model's output, so there is no
  // template.
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

/** Returns the fixed bytes before, between and after the holes, the strings that may differ. */
function around(bytes: Uint8Array, holes: readonly Hole[]): Uint8Array[] {
  const starts = [0, ...holes.map(({ end }) => end)];
  const ends = [...holes.map(({ start }) => start), bytes.byteLength];
  return starts.map((start, at) => bytes.slice(start, ends[at]));
}

/** Finds the holes of a chunk; null when a string has no end. */
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
  /** The fixed bytes between the strings of the event to send; null if events pass unchanged. */
  readonly #outLiterals: readonly Uint8Array[] | null;
  readonly #outLiteralBytes: number;
  /** Start and end of each string in the current chunk, alternating. */
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
    const keys = this.#keys;
    for (let each = 0; each < keys.length; each++) {
      if (keys[each] === PADDING) continue;
      outputBytes += decodedLength(data, spans[2 * each] ?? 0, spans[2 * each + 1] ?? 0);
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

/** Returns where the copy of the piece ends. */
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
