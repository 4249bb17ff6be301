/**
 * Reads server-sent events from chunks in bounded memory, with LF, CRLF or CR as line ending. Also
 * writes events.
 */
import { GatewayError } from '../errors.ts';
import { isAt } from '../json/cursor.ts';

type EventParts = {
  /** The `event:` field; null if absent. */
  readonly name: string | null;
  /**
   * Whether the event's bytes can be sent unchanged: they have LF line ends, one data line, and at
   * most one further line, the name.
   */
  readonly clean: boolean;
  /** The bytes that contain the event, from `start` to before `end`, including its blank line. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** The event's data: its `data:` lines joined by LF, never empty. */
  readonly dataBytes: Uint8Array;
  readonly dataStart: number;
  readonly dataEnd: number;
};

/**
 * One event. Creates views of its bytes (`subarray`) only on demand. Most events need none, because
 * they are forwarded as a range of the received bytes.
 */
export class SseEvent {
  readonly parts: EventParts;
  #raw: Uint8Array | null = null;

  constructor(parts: EventParts) {
    this.parts = parts;
  }

  get name(): string | null {
    return this.parts.name;
  }

  get clean(): boolean {
    return this.parts.clean;
  }

  /** The event's bytes, with its blank line. */
  get raw(): Uint8Array {
    const { bytes, start, end } = this.parts;
    this.#raw ??= bytes.subarray(start, end);
    return this.#raw;
  }

  get data(): Uint8Array {
    const { dataBytes, dataStart, dataEnd } = this.parts;
    return dataBytes.subarray(dataStart, dataEnd);
  }
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BOM = [0xef, 0xbb, 0xbf] as const;
const FIRST_BUFFER_BYTES = 4096;
const NOTHING = new Uint8Array(0);

const encoder = new TextEncoder();
const DATA = encoder.encode('data: ');
const EVENT = encoder.encode('event: ');

/** Encodes one event: a line `event: NAME` if there is a name, one data line and a blank line. */
export function encodeEvent(name: string | null, json: string): Uint8Array {
  return encoder.encode(name === null ? `data: ${json}\n\n` : `event: ${name}\ndata: ${json}\n\n`);
}

/** Returns a comment line, which keeps a silent stream alive. Parsers ignore it. */
export const comment = (text: string): Uint8Array => encoder.encode(`: ${text}\n\n`);

export class SseReader {
  readonly #maxEventBytes: number;
  /** Bytes of the unfinished event: `#buffer` up to `#length`. */
  #buffer = NOTHING;
  #length = 0;
  /** The position where the last, unfinished line of the unfinished event begins. */
  #line = 0;
  /** The position where the search for line ends stopped, so that no byte is searched twice. */
  #searched = 0;
  #hasCr = false;
  /** Whether an LF at the start of the next chunk is the second half of a CRLF. */
  #skipsLf = false;
  /**
   * The name of the latest event. The next event often has the same name, which is then not decoded
   * again.
   */
  #name: string | null = null;
  #atStart = true;

  constructor(limits: { readonly maxEventBytes: number }) {
    this.#maxEventBytes = limits.maxEventBytes;
  }

  /**
   * Returns the completed events. Their bytes may be part of `received`, so use them before it
   * changes.
   * @throws GatewayError `upstream_failed` when the unfinished event exceeds `maxEventBytes`.
   */
  push(received: Uint8Array): readonly SseEvent[] {
    const chunk = this.#skipsLf && received[0] === LF ? received.subarray(1) : received;
    if (received.byteLength > 0) this.#skipsLf = false;
    this.#hasCr ||= chunk.indexOf(CR) >= 0;
    const bytes = this.#length === 0 ? chunk : this.#append(chunk);
    return this.#take(this.#skipBom(bytes));
  }

  get pending(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #take(bytes: Uint8Array): SseEvent[] {
    const events: SseEvent[] = [];
    const hasCr = this.#hasCr;
    let start = 0;
    let line = this.#line;
    let search = this.#searched;
    for (;;) {
      const stop = lineEnd(bytes, search, hasCr);
      search = stop < 0 ? bytes.byteLength : stop;
      if (stop < 0) break;
      // A CR at the very end may be the first half of a CRLF. After a blank line, the event is
      // complete either way, and an LF that follows is skipped.
      const isLastCr = bytes[stop] === CR && stop + 1 === bytes.byteLength;
      if (isLastCr && stop !== line) break;
      this.#skipsLf = isLastCr;
      const next = bytes[stop] === CR && bytes[stop + 1] === LF ? stop + 2 : stop + 1;
      if (stop === line) {
        // A blank line directly after another ends no event.
        if (line > start)
          this.#name = addEvent(events, { bytes, start, end: next }, hasCr, this.#name);
        start = next;
      }
      line = next;
      search = next;
    }
    this.#searched = search - start;
    this.#keep(bytes.subarray(start), line - start);
    return events;
  }

  #keep(rest: Uint8Array, line: number): void {
    if (rest.byteLength > this.#maxEventBytes) {
      throw new GatewayError(
        'upstream_failed',
        `The provider sent an event of more than ${this.#maxEventBytes} bytes.`,
      );
    }
    if (rest.byteLength > 0 && rest.buffer !== this.#buffer.buffer) {
      this.#reserve(rest.byteLength);
      this.#buffer.set(rest);
    } else if (rest.byteLength > 0) {
      this.#buffer.copyWithin(0, rest.byteOffset, rest.byteOffset + rest.byteLength);
    }
    this.#length = rest.byteLength;
    this.#line = line;
  }

  #append(chunk: Uint8Array): Uint8Array {
    const length = this.#length + chunk.byteLength;
    this.#reserve(length);
    this.#buffer.set(chunk, this.#length);
    // The bytes of events are parts of the buffer, so the buffer is not reused once an event may
    // have been returned.
    const bytes = this.#buffer.subarray(0, length);
    if (hasBlankLine(chunk)) this.#buffer = NOTHING;
    return bytes;
  }

  #reserve(length: number): void {
    if (length <= this.#buffer.byteLength) return;
    const grown = new Uint8Array(Math.max(FIRST_BUFFER_BYTES, length, this.#buffer.byteLength * 2));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }

  #skipBom(bytes: Uint8Array): Uint8Array {
    if (!this.#atStart) return bytes;
    if (BOM.every((byte, at) => bytes[at] === byte)) {
      this.#atStart = false;
      return bytes.subarray(BOM.length);
    }
    // Fewer than three bytes may be the beginning of a byte order mark, so the next bytes are
    // checked too.
    this.#atStart =
      bytes.byteLength < BOM.length &&
      BOM.every((byte, at) => at >= bytes.byteLength || bytes[at] === byte);
    return bytes;
  }
}

/** Whether an event may end in the chunk, since any line ending may complete a blank line. */
const hasBlankLine = (chunk: Uint8Array): boolean =>
  chunk.indexOf(LF) >= 0 || chunk.indexOf(CR) >= 0;

function lineEnd(bytes: Uint8Array, from: number, hasCr: boolean): number {
  // About half of a stream's lines are blank, so a blank line is checked for first.
  if (bytes[from] === LF) return from;
  const lf = bytes.indexOf(LF, from);
  if (!hasCr) return lf;
  const cr = bytes.indexOf(CR, from);
  if (cr < 0) return lf;
  return lf < 0 ? cr : Math.min(lf, cr);
}

/**
 * An event as a range of the received bytes. The range includes the blank line that ends the event.
 */
type EventText = Pick<EventParts, 'bytes' | 'start' | 'end'>;

type Fields = { name: string | null; data: Uint8Array[]; clean: boolean };

/**
 * Adds an event to `events` if it has data, as the standard requires. Returns the event's name, or
 * `last` if no event was added.
 * @param last the name of an earlier event, which is reused if it is the same.
 */
function addEvent(
  events: SseEvent[],
  text: EventText,
  hasCr: boolean,
  last: string | null,
): string | null {
  const plain = hasCr ? null : (unnamedEvent(text) ?? namedEvent(text, last));
  if (plain !== null) {
    events.push(new SseEvent(plain));
    return plain.name;
  }
  const raw = text.bytes.subarray(text.start, text.end);
  const fields: Fields = { name: null, data: [], clean: !hasCr || raw.indexOf(CR) < 0 };
  let line = 0;
  while (line < raw.byteLength) {
    let stop = lineEnd(raw, line, hasCr);
    if (stop < 0) {
      stop = raw.byteLength;
      fields.clean = false;
    }
    if (stop > line) readField(fields, raw, line, stop);
    line = stop + 1;
  }
  const [first] = fields.data;
  if (first === undefined) return last;
  const data = fields.data.length === 1 ? first : joinLines(fields.data);
  if (data.byteLength === 0) return last;
  const clean = fields.clean && fields.data.length === 1;
  const { name } = fields;
  const dataEnd = data.byteLength;
  events.push(new SseEvent({ ...text, name, clean, dataBytes: data, dataStart: 0, dataEnd }));
  return fields.name;
}

/**
 * Reads an event with one data line and no name, as chat servers send it; null for any other event.
 */
function unnamedEvent({ bytes, start, end }: EventText): EventParts | null {
  const dataStart = start + DATA.byteLength;
  const dataEnd = end - 2;
  if (dataEnd <= dataStart || !isAt(bytes, start, DATA)) return null;
  if (bytes.indexOf(LF, dataStart) !== dataEnd) return null;
  return { name: null, clean: true, bytes, start, end, dataBytes: bytes, dataStart, dataEnd };
}

/**
 * Reads an event with only a name and one data line, as most named events are; null for any other
 * event.
 * @param last the name of an earlier event, which is reused if it is the same.
 */
function namedEvent({ bytes, start, end }: EventText, last: string | null): EventParts | null {
  if (!isAt(bytes, start, EVENT)) return null;
  const nameStart = start + EVENT.byteLength;
  const nameEnd = bytes.indexOf(LF, nameStart);
  const dataStart = nameEnd + 1 + DATA.byteLength;
  const dataEnd = end - 2;
  const isPlain =
    nameEnd > nameStart &&
    dataStart < dataEnd &&
    isAt(bytes, nameEnd + 1, DATA) &&
    bytes.indexOf(LF, dataStart) === dataEnd;
  if (!isPlain) return null;
  const isLast = last !== null && isText(bytes, nameStart, nameEnd, last);
  const name = isLast ? last : ascii(bytes, nameStart, nameEnd);
  return { name, clean: true, bytes, start, end, dataBytes: bytes, dataStart, dataEnd };
}

function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let at = 0; at < text.length; at++)
    if (bytes[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

function readField(fields: Fields, raw: Uint8Array, line: number, stop: number): void {
  const first = raw[line];
  if (first === 0x64 && startsWith(raw, line, stop, 'data')) {
    fields.data.push(raw.subarray(valueStart(raw, line + 4, stop), stop));
  } else if (first === 0x65 && startsWith(raw, line, stop, 'event')) {
    const name = ascii(raw, valueStart(raw, line + 5, stop), stop);
    fields.name = name === '' ? null : name;
    if (fields.name === null) fields.clean = false;
  } else {
    // A comment, `id`, `retry` or an unknown field, which is not forwarded.
    fields.clean = false;
  }
}

/** Whether the line has this field: its name, then a colon or the end of the line. */
function startsWith(raw: Uint8Array, line: number, stop: number, field: string): boolean {
  for (let at = 0; at < field.length; at++) {
    if (raw[line + at] !== field.charCodeAt(at)) return false;
  }
  return line + field.length === stop || raw[line + field.length] === COLON;
}

/** Returns where the value begins, after the colon and at most one space. */
function valueStart(raw: Uint8Array, colon: number, stop: number): number {
  const start = Math.min(stop, colon + 1);
  return start < stop && raw[start] === SPACE ? start + 1 : start;
}

const ascii = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');

function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(lines.reduce((sum, line) => sum + line.byteLength + 1, -1));
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (index > 0) joined[at++] = LF;
    joined.set(line, at);
    at += line.byteLength;
  }
  return joined;
}
