/**
 * A mock upstream in its own process: `bun bench/mock/mock-upstream.ts PORT`. It answers chat
 * completions and Messages over raw TCP with prepared answers, so that it never limits a
 * measurement. It supports what gateways send: HTTP/1.1 with keep-alive and a content-length. The
 * model's name selects its behavior (`behavior.ts`). `GET /open-streams` returns the number of open
 * idle and flooding streams.
 */
import type { Socket } from 'bun';
import { systemClock, type Timer } from '../../src/clock.ts';
import { type Behavior, FLOOD_BYTES, modelName, parseModelName } from '../behavior.ts';
import { Outbox } from '../load/outbox.ts';
import {
  type Dialect,
  failure,
  floodPiece,
  jsonResponse,
  openStream,
  refusal,
  streamPieces,
} from './mock-bytes.ts';
import { StampedWave } from './stamped-wave.ts';

/** The maximum size of request headers. The headers that gateways send are far smaller. */
const MAX_HEAD_BYTES = 64 * 1024;
/**
 * The model's name is within this many bytes of the body's start, because the load generator puts
 * the name first.
 */
const MODEL_WITHIN_BYTES = 2048;
const HEAD_END = Buffer.from('\r\n\r\n');

const JSON_ANSWERS = { chat: jsonResponse('chat'), messages: jsonResponse('messages') };
const OPEN_STREAMS = { chat: openStream('chat'), messages: openStream('messages') };
const FLOODS = { chat: floodPiece('chat'), messages: floodPiece('messages') };
const pieces = new Map<string, readonly Buffer[]>();
const atOnce = new Map<string, Buffer>();
const FAILURE = failure();
/** The number of requests so far, by model, for models that fail periodically. */
const asked = new Map<string, number>();
/**
 * The waves of stamped streams (`stamped-wave.ts`) that have not started, by model and protocol.
 */
const waves = new Map<string, StampedWave>();

let openStreams = 0;

class Connection {
  readonly #outbox: Outbox;
  /** The bytes of request headers that are still incomplete. */
  #head: Buffer = Buffer.alloc(0);
  #request: { line: string; bodyStart: Buffer; bodyLeft: number } | null = null;
  #timer: Timer | null = null;
  #open = false;
  #leaveWave: (() => void) | null = null;
  #flood: { readonly piece: Buffer; left: number } | null = null;

  constructor(socket: Socket<Connection | null>) {
    this.#outbox = new Outbox((bytes) => socket.write(bytes));
  }

  read(chunk: Buffer): void {
    if (this.#request === null) this.#readHead(chunk);
    else this.#readBody(chunk);
  }

  drained(): void {
    this.#outbox.flush();
    this.#pourFlood();
  }

  closed(): void {
    this.#timer?.cancel();
    if (this.#open) openStreams--;
    this.#open = false;
    this.#leaveWave?.();
    this.#leaveWave = null;
  }

  #readHead(chunk: Buffer): void {
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      if (bytes.length > MAX_HEAD_BYTES) throw new Error('a request head that does not end');
      this.#head = Buffer.from(bytes);
      return;
    }
    this.#head = Buffer.alloc(0);
    const head = bytes.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const line = head.slice(0, head.indexOf('\r\n'));
    if (length === undefined && line.startsWith('POST')) {
      this.#outbox.send(refusal('411 Length Required', 'the mock wants a content-length'));
      return;
    }
    this.#request = { line, bodyStart: Buffer.alloc(0), bodyLeft: Number(length ?? 0) };
    this.#readBody(bytes.subarray(end + HEAD_END.length));
  }

  #readBody(chunk: Buffer): void {
    const request = this.#request;
    if (request === null) return;
    if (request.bodyStart.length < MODEL_WITHIN_BYTES) {
      const wanted = chunk.subarray(0, MODEL_WITHIN_BYTES);
      request.bodyStart = Buffer.concat([request.bodyStart, wanted]);
    }
    request.bodyLeft -= chunk.length;
    if (request.bodyLeft > 0) return;
    this.#request = null;
    this.#answer(request.line, request.bodyStart);
  }

  #answer(line: string, bodyStart: Buffer): void {
    if (line.startsWith('GET /open-streams ')) {
      this.#outbox.send(refusal('200 OK', String(openStreams)));
      return;
    }
    const dialect = dialectOf(line);
    const model = /"model"\s*:\s*"([^"]+)"/.exec(bodyStart.toString('latin1'))?.[1];
    if (dialect === null || model === undefined) {
      this.#outbox.send(refusal('404 Not Found', `the mock does not know ${line}`));
      return;
    }
    const behavior = parseModelName(model);
    switch (behavior.kind) {
      case 'json':
        this.#outbox.send(JSON_ANSWERS[dialect]);
        return;
      case 'flaky': {
        const count = (asked.get(model) ?? 0) + 1;
        asked.set(model, count);
        const fails = count % behavior.failEvery === 0;
        this.#outbox.send(fails ? FAILURE : JSON_ANSWERS[dialect]);
        return;
      }
      case 'stamped':
        this.#joinWave(dialect, behavior);
        return;
      case 'sse':
        this.#stream(dialect, behavior.events, behavior.everyMs);
        return;
      case 'idle':
        this.#leaveOpen(dialect);
        return;
      case 'flood':
        this.#leaveOpen(dialect);
        this.#flood = { piece: FLOODS[dialect], left: FLOOD_BYTES };
        this.#pourFlood();
        return;
    }
  }

  #stream(dialect: Dialect, events: number, everyMs: number): void {
    const key = `${dialect} ${events}`;
    const cut = cached(pieces, key, () => streamPieces(dialect, events));
    if (everyMs === 0) {
      this.#outbox.send(cached(atOnce, key, () => Buffer.concat(cut)));
      return;
    }
    let next = 0;
    const sendOne = (): void => {
      const piece = cut[next++];
      if (piece !== undefined) this.#outbox.send(piece);
      if (next >= cut.length) this.#timer?.cancel();
    };
    sendOne();
    this.#timer = systemClock.every(everyMs, sendOne);
  }

  #joinWave(dialect: Dialect, behavior: Extract<Behavior, { kind: 'stamped' }>): void {
    const key = `${dialect} ${modelName(behavior)}`;
    const wave = cached(
      waves,
      key,
      () => new StampedWave(dialect, behavior, () => waves.delete(key)),
    );
    this.#leaveWave = wave.join((bytes) => this.#outbox.send(bytes));
  }

  #leaveOpen(dialect: Dialect): void {
    openStreams++;
    this.#open = true;
    this.#outbox.send(OPEN_STREAMS[dialect]);
  }

  #pourFlood(): void {
    const flood = this.#flood;
    while (flood !== null && flood.left > 0 && this.#outbox.empty) {
      flood.left -= flood.piece.length;
      this.#outbox.send(flood.piece);
    }
  }
}

function dialectOf(line: string): Dialect | null {
  if (line.startsWith('POST /v1/chat/completions')) return 'chat';
  if (line.startsWith('POST /v1/messages')) return 'messages';
  return null;
}

function cached<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

Bun.listen<Connection | null>({
  hostname: '127.0.0.1',
  port: Number(Bun.argv[2]),
  data: null,
  socket: {
    open: (socket) => {
      socket.setNoDelay(true);
      socket.data = new Connection(socket);
    },
    data: (socket, chunk) => socket.data?.read(chunk),
    drain: (socket) => socket.data?.drained(),
    close: (socket) => socket.data?.closed(),
    error: (socket) => socket.data?.closed(),
  },
});
