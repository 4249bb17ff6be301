/**
 * A stream is the same chunk again and again with another word in it. Once one of them was read whole,
 * its fellows are known by the bytes around the word: what was done to the one is done to them, without
 * parsing. That is exact, not a guess: only the inside of JSON strings may differ, and none of these
 * strings decides anything.
 */

type Hole = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
};

/** A chunk known by its template. */
export type Recognised = {
  /** What goes out; null when the chunk may go as it came. */
  readonly out: Uint8Array | null;
  /** Bytes of output the model wrote in it. */
  readonly writtenBytes: number;
};

/** The strings that differ from chunk to chunk. `obfuscation` is padding that upstreams add. */
const HOLE =
  /"(content|reasoning_content|reasoning|refusal|arguments|input|obfuscation)"[ \t]*:[ \t]*"/g;
const PADDING = 'obfuscation';
/** More strings than this in one chunk, and it is read whole each time. */
const MAX_HOLES = 4;
/** Kinds of chunk remembered at a time: text, reasoning and tool arguments, of a few choices. */
const MAX_TEMPLATES = 4;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export class ChunkTemplates {
  readonly #templates: Template[] = [];
  #next = 0;

  /** @param data one event's data. */
  recognise(data: Uint8Array): Recognised | null {
    for (const template of this.#templates) {
      const recognised = template.recognise(data);
      if (recognised !== null) return recognised;
    }
    return null;
  }

  /**
   * Remembers what was done to a chunk. Only for chunks whose treatment depends on nothing but the bytes
   * around the model's words, now and for the rest of the stream.
   *
   * @param out the whole event that was sent for it; null when it went as it came.
   * @param writtenBytes of output in it, as reading it whole found.
   */
  learn(data: Uint8Array, out: Uint8Array | null, writtenBytes: number): void {
    const template = templateOf(data, out, writtenBytes);
    if (template === null) return;
    this.#templates[this.#next] = template;
    this.#next = (this.#next + 1) % MAX_TEMPLATES;
  }
}

function templateOf(
  data: Uint8Array,
  out: Uint8Array | null,
  writtenBytes: number,
): Template | null {
  const holes = holesIn(data);
  if (holes === null || holes.length === 0 || holes.length > MAX_HOLES) return null;
  const written = holes.reduce((sum, hole) => sum + writtenIn(data, hole), 0);
  // Some of the strings are not what they seem.
  if (written !== writtenBytes) return null;
  const keys = holes.map(({ key }) => key);
  const literals = around(data, holes);
  if (out === null) return new Template(keys, literals, null);
  const outHoles = holesIn(out);
  const kept = keys.filter((key) => key !== PADDING);
  if (outHoles === null || outHoles.some(({ key }, at) => key !== kept[at])) return null;
  return new Template(keys, literals, outHoles.length === kept.length ? around(out, outHoles) : null);
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
    const end = stringEnd(bytes, start);
    if (end < 0) return null;
    holes.push({ key: found[1] ?? '', start, end });
    HOLE.lastIndex = end + 1;
  }
  return holes;
}

const writtenIn = (bytes: Uint8Array, { key, start, end }: Hole): number =>
  key === PADDING ? 0 : decodedLength(bytes, start, end);
