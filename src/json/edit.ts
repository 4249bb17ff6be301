/** Reads and replaces top-level members of a scanned object. All other bytes stay the same. */
import type { ScannedObject } from './scan.ts';

const COMMA = ','.charCodeAt(0);
const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
/** The most bytes of a UTF-16 code unit in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;
/** The most bytes of a unit of a key, which may become an escape. */
const MOST_BYTES_PER_KEY_UNIT = 6;
/** The bytes of a longer text are counted, since three per unit would be too much memory. */
const SHORT_UNITS = 256;

export function memberText({ bytes, members }: ScannedObject, key: string): string | null {
  const span = members.get(key);
  if (span === undefined) return null;
  const { buffer, byteOffset } = bytes;
  return Buffer.from(buffer, byteOffset + span.start, span.end - span.start).toString();
}

export const isGiven = (body: ScannedObject, key: string): boolean => {
  const span = body.members.get(key);
  // No JSON value but `null` begins with an n.
  return span !== undefined && body.bytes[span.start] !== 0x6e;
};

/** The new value of each edited member, as JSON; null removes the member. */
export type MemberEdits = ReadonlyMap<string, string | Uint8Array | null>;

/** Replaces or adds members. All others keep their bytes and order. */
export function replaceMembers(object: ScannedObject, edits: MemberEdits): Uint8Array<ArrayBuffer> {
  const { bytes, members } = object;
  const out = new ObjectWriter(bytes, mostBytes(bytes, edits));
  for (const [key, { keyStart, start, end }] of members) {
    const edit = edits.get(key);
    if (edit === null) continue;
    out.copyMember(keyStart, edit === undefined ? end : start);
    if (edit !== undefined) out.write(edit);
  }
  for (const [key, edit] of edits) {
    if (edit !== null && !members.has(key)) out.addMember(key, edit);
  }
  return out.end();
}

class ObjectWriter {
  readonly #source: Uint8Array;
  readonly #out: Buffer<ArrayBuffer>;
  #length = 1;
  /** The bytes to copy next. Members that only a comma separates are copied together. */
  #runStart = 0;
  #runEnd = 0;

  constructor(source: Uint8Array, mostBytes: number) {
    this.#source = source;
    this.#out = Buffer.alloc(mostBytes);
    this.#out[0] = OPEN;
  }

  /** Copies the bytes of a member. */
  copyMember(start: number, end: number): void {
    if (this.#runStart === this.#runEnd || start !== this.#runEnd + 1) {
      this.#endRun();
      this.#comma();
      this.#runStart = start;
    }
    this.#runEnd = end;
  }

  addMember(key: string, value: string | Uint8Array): void {
    this.#endRun();
    this.#comma();
    this.write(`${JSON.stringify(key)}:`);
    this.write(value);
  }

  write(value: string | Uint8Array): void {
    this.#endRun();
    if (typeof value === 'string') this.#length += this.#out.write(value, this.#length);
    else this.#copy(value);
  }

  end(): Uint8Array<ArrayBuffer> {
    this.#endRun();
    this.#out[this.#length++] = CLOSE;
    return new Uint8Array(this.#out.buffer, 0, this.#length);
  }

  #comma(): void {
    if (this.#length > 1) this.#out[this.#length++] = COMMA;
  }

  #endRun(): void {
    if (this.#runStart < this.#runEnd)
      this.#copy(this.#source.subarray(this.#runStart, this.#runEnd));
    this.#runStart = this.#runEnd;
  }

  #copy(bytes: Uint8Array): void {
    this.#out.set(bytes, this.#length);
    this.#length += bytes.byteLength;
  }
}

/** Returns at least as many bytes as the edited object has. */
function mostBytes({ byteLength }: Uint8Array, edits: MemberEdits): number {
  let bytes = byteLength + 2;
  for (const [key, edit] of edits) {
    if (edit === null) continue;
    bytes += MOST_BYTES_PER_KEY_UNIT * key.length + 4;
    bytes += typeof edit === 'string' ? mostBytesOf(edit) : edit.byteLength;
  }
  return bytes;
}

const mostBytesOf = (text: string): number =>
  text.length <= SHORT_UNITS ? MOST_BYTES_PER_UNIT * text.length : Buffer.byteLength(text);
