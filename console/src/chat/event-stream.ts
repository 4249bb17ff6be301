/**
 * Parses server-sent events from chunks of bytes, which may end anywhere, even inside a line ending
 * or a character. The parser returns only `data`, since chat streams need no event names, ids or
 * comments.
 */

/** The maximum size of one event, equal to the gateway's default limit for upstreams. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;
const LINE_END = /\r\n|\n|\r/g;

export class EventStream {
  readonly #decoder = new TextDecoder();
  /** The received text after the last complete line. */
  #rest = '';
  /**
   * How many characters at the start of `#rest` were searched already and contain no line ending.
   */
  #searched = 0;
  #data: string[] = [];
  #size = 0;

  /**
   * Returns the data of the events that these bytes complete, in order.
   * @throws RangeError when an event exceeds the maximum size.
   */
  push(bytes: Uint8Array): readonly string[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }), false);
  }

  /**
   * Returns the data of the remaining events at the end of the stream, which may lack the last
   * blank line.
   */
  end(): readonly string[] {
    const last = this.#take(this.#decoder.decode(), true);
    return [...last, ...this.#close()];
  }

  #take(text: string, isEnd: boolean): readonly string[] {
    const events: string[] = [];
    const all = this.#rest + text;
    let start = 0;
    LINE_END.lastIndex = this.#searched;
    for (let end = LINE_END.exec(all); end !== null; end = LINE_END.exec(all)) {
      // Waits for more text, because a trailing carriage return may be the first half of a line
      // ending.
      if (!isEnd && end[0] === '\r' && end.index === all.length - 1) break;
      events.push(...this.#line(all.slice(start, end.index)));
      start = end.index + end[0].length;
    }
    if (isEnd && start < all.length) events.push(...this.#line(all.slice(start)));
    this.#rest = isEnd ? '' : all.slice(start);
    this.#searched = Math.max(0, this.#rest.length - 1);
    if (this.#size + this.#rest.length > MAX_EVENT_CHARACTERS) {
      throw new RangeError('The answer contains an event that is too long to show.');
    }
    return events;
  }

  #line(line: string): readonly string[] {
    if (line === '') return this.#close();
    if (line === 'data') this.#data.push('');
    if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
    this.#size += line.length;
    return [];
  }

  #close(): readonly string[] {
    const data = this.#data;
    this.#data = [];
    this.#size = 0;
    return data.length === 0 ? [] : [data.join('\n')];
  }
}
