/**
 * Parses the HTTP/1.1 responses of one connection from raw bytes. There is no stream layer in
 * between, so the time of the first body byte is the time at which the kernel delivered it.
 */

/** The maximum size of a response head. The headers of a gateway take only a few hundred bytes. */
const MAX_HEAD_BYTES = 32 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const BLANK_LINE = Buffer.from('\n\n');
const NEWLINE = 10;

export type ResponseEvents = {
  /** Called with the status line and headers, in lower case. */
  readonly onHead?: (head: string) => void;
  /** Called when the first bytes of the body arrive. */
  readonly onFirstBody: () => void;
  /**
   * Called with bytes of the body, without the framing of HTTP chunks. The buffer is valid only
   * during the call.
   */
  readonly onBody?: (bytes: Buffer) => void;
  /** Called when the answer is complete. `start` is the start of its body, for error messages. */
  readonly onEnd: (answer: {
    readonly status: number;
    readonly events: number;
    readonly start: string;
  }) => void;
};

type Framing =
  | { readonly kind: 'length'; left: number }
  /** `left` counts the remaining bytes of the chunk, including its closing CRLF. */
  | { readonly kind: 'chunked'; left: number; size: string };

/** The number of body bytes that are stored for the error message about an unexpected answer. */
const KEPT_BYTES = 300;

export class ResponseReader {
  readonly #events: ResponseEvents;
  #head: Buffer = Buffer.alloc(0);
  #framing: Framing | null = null;
  #status = 0;
  #bodyBegun = false;
  #blankLines = 0;
  #endsInNewline = false;
  #start = '';

  constructor(events: ResponseEvents) {
    this.#events = events;
  }

  /** @throws Error when this reader cannot parse the bytes as a response. */
  read(chunk: Buffer): void {
    const rest = this.#framing === null ? this.#readHead(chunk) : chunk;
    const framing = this.#framing;
    if (framing === null) return;
    if (framing.kind === 'length') this.#readLength(framing, rest);
    else this.#readChunked(framing, rest);
  }

  #readHead(chunk: Buffer): Buffer {
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      if (bytes.length > MAX_HEAD_BYTES) throw new Error('a response head that does not end');
      this.#head = Buffer.from(bytes);
      return bytes.subarray(bytes.length);
    }
    this.#head = Buffer.alloc(0);
    const head = bytes.toString('latin1', 0, end).toLowerCase();
    this.#status = Number(head.slice(9, 12));
    this.#events.onHead?.(head);
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
    if (head.includes('\r\ntransfer-encoding: chunked')) {
      this.#framing = { kind: 'chunked', left: 0, size: '' };
    } else if (length !== undefined) {
      this.#framing = { kind: 'length', left: Number(length) };
    } else {
      throw new Error(`a response with neither length nor chunks: ${head.slice(0, KEPT_BYTES)}`);
    }
    return bytes.subarray(end + HEAD_END.length);
  }

  #readLength(framing: Framing, bytes: Buffer): void {
    framing.left -= bytes.length;
    if (bytes.length > 0) this.#takeBody(bytes);
    if (framing.left <= 0) this.#finish();
  }

  #readChunked(framing: Framing & { kind: 'chunked' }, bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (framing.left > 0) {
        const end = Math.min(at + framing.left, bytes.length);
        // `left` includes the CRLF that closes the chunk, so its last two bytes are not part of the
        // body.
        const bodyEnd = Math.min(end, at + framing.left - 2);
        if (bodyEnd > at) this.#takeBody(bytes.subarray(at, bodyEnd));
        framing.left -= end - at;
        at = end;
        if (framing.left > 0) continue;
        if (framing.size === '0') {
          this.#finish();
          return;
        }
        framing.size = '';
        continue;
      }
      const byte = bytes[at++];
      if (byte !== NEWLINE) {
        if (byte !== 13) framing.size += String.fromCharCode(byte ?? 0);
        continue;
      }
      framing.left = Number.parseInt(framing.size, 16) + 2;
      if (Number.isNaN(framing.left)) throw new Error(`not a chunk size: ${framing.size}`);
    }
  }

  #takeBody(bytes: Buffer): void {
    if (!this.#bodyBegun) {
      this.#bodyBegun = true;
      this.#events.onFirstBody();
    }
    this.#events.onBody?.(bytes);
    const missing = KEPT_BYTES - this.#start.length;
    if (missing > 0) this.#start += bytes.toString('latin1', 0, missing);
    // Each event ends with a blank line, whose two newlines may arrive in different pieces.
    if (this.#endsInNewline && bytes[0] === NEWLINE) this.#blankLines++;
    for (let at = bytes.indexOf(BLANK_LINE); at >= 0; at = bytes.indexOf(BLANK_LINE, at + 2)) {
      this.#blankLines++;
    }
    this.#endsInNewline = bytes[bytes.length - 1] === NEWLINE;
  }

  #finish(): void {
    const answer = { status: this.#status, events: this.#blankLines, start: this.#start };
    this.#framing = null;
    this.#bodyBegun = false;
    this.#blankLines = 0;
    this.#endsInNewline = false;
    this.#start = '';
    this.#events.onEnd(answer);
  }
}
