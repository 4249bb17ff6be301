/** A keep-alive connection that sends prepared requests and measures the times of the answers. */
import type { Socket } from 'bun';
import { systemClock } from '../../src/clock.ts';
import type { Ask, Target } from '../plan.ts';
import { Outbox } from './outbox.ts';
import { type ResponseEvents, ResponseReader } from './response-reader.ts';

/**
 * The times of one call in milliseconds. Both start when the request is written. `firstMs` ends
 * with the first byte of the answer's body, and `totalMs` with the end of the answer.
 */
export type CallTimes = { readonly firstMs: number; readonly totalMs: number };

export type PreparedAsk = { readonly bytes: Buffer; readonly expectEvents: number | null };

/** Callbacks that receive the parts of an answer as they arrive. */
export type AnswerListener = Partial<Omit<ResponseEvents, 'onEnd'>>;

type Waiting = {
  readonly ask: PreparedAsk;
  readonly startedMs: number;
  firstMs: number;
  readonly listener: AnswerListener;
  readonly resolve: (times: CallTimes) => void;
  readonly reject: (error: Error) => void;
};

/**
 * The prompt consists of words, quotes and line breaks, so that a parser meets escapes as in a real
 * prompt.
 */
const PROMPT_LINE = 'The quick brown fox asks a model: "what is it worth?"\n';

export function prepare(target: Target, ask: Ask): PreparedAsk {
  const lines = Math.ceil(ask.promptBytes / PROMPT_LINE.length);
  const body = JSON.stringify({
    model: ask.model,
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: PROMPT_LINE.repeat(lines).slice(0, ask.promptBytes) },
    ],
    // Chat accepts `max_tokens`, and Messages requires it.
    max_tokens: 1000,
    stream: ask.stream,
    ...(ask.stream ? { stream_options: { include_usage: true } } : {}),
  });
  const head = [
    `POST ${target.path} HTTP/1.1`,
    `host: 127.0.0.1:${target.port}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(target.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  return { bytes, expectEvents: ask.expectEvents };
}

export class Connection {
  readonly #socket: Socket<Connection | null>;
  readonly #outbox: Outbox;
  readonly #reader: ResponseReader;
  #waiting: Waiting | null = null;

  static async open(port: number): Promise<Connection> {
    const socket = await Bun.connect<Connection | null>({
      hostname: '127.0.0.1',
      port,
      data: null,
      socket: {
        data: (to, chunk) => to.data?.read(chunk),
        drain: (to) => to.data?.drained(),
        close: (to) => to.data?.failed(new Error('the subject closed the connection')),
        error: (to, error) => to.data?.failed(error),
      },
    });
    socket.setNoDelay(true);
    const connection = new Connection(socket);
    socket.data = connection;
    return connection;
  }

  private constructor(socket: Socket<Connection | null>) {
    this.#socket = socket;
    this.#outbox = new Outbox((bytes) => socket.write(bytes));
    this.#reader = new ResponseReader({
      onHead: (head) => this.#waiting?.listener.onHead?.(head),
      onFirstBody: () => this.#firstBody(),
      onBody: (bytes) => this.#waiting?.listener.onBody?.(bytes),
      onEnd: (answer) => this.#ended(answer),
    });
  }

  /**
   * Sends one request and resolves when its answer has ended.
   * @throws Error when the answer is not a 200 with the expected events, and any error of the
   * listener.
   */
  call(ask: PreparedAsk, listener: AnswerListener = {}): Promise<CallTimes> {
    return new Promise((resolve, reject) => {
      const startedMs = systemClock.monotonicMs();
      this.#waiting = { ask, startedMs, firstMs: 0, listener, resolve, reject };
      this.#outbox.send(ask.bytes);
    });
  }

  /** Stops reading, like a stalled caller. The kernel's buffers then fill up. */
  stopReading(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#waiting = null;
    this.#socket.terminate();
  }

  read(chunk: Buffer): void {
    try {
      this.#reader.read(chunk);
    } catch (thrown) {
      this.failed(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  drained(): void {
    this.#outbox.flush();
  }

  failed(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }

  #firstBody(): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    waiting.firstMs = systemClock.monotonicMs() - waiting.startedMs;
    waiting.listener.onFirstBody?.();
  }

  #ended(answer: { status: number; events: number; start: string }): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    const { expectEvents } = waiting.ask;
    const expected = expectEvents ?? answer.events;
    if (answer.status !== 200 || answer.events !== expected) {
      const seen = `status ${answer.status} and ${answer.events} events`;
      this.failed(new Error(`expected 200 and ${expected} events, got ${seen}: ${answer.start}`));
      return;
    }
    this.#waiting = null;
    const totalMs = systemClock.monotonicMs() - waiting.startedMs;
    waiting.resolve({ firstMs: waiting.firstMs, totalMs });
  }
}

export const openConnections = (port: number, count: number): Promise<readonly Connection[]> =>
  Promise.all(Array.from({ length: count }, () => Connection.open(port)));

/**
 * Runs a closed loop, which keeps every connection busy. It ends when `maxRequests` have been sent
 * or `forMs` have passed (null sets no time limit). Then waits for the last answers.
 */
export async function drive(
  connections: readonly Connection[],
  ask: PreparedAsk,
  forMs: number | null,
  maxRequests: number,
): Promise<readonly CallTimes[]> {
  const untilMs = systemClock.monotonicMs() + (forMs ?? Number.POSITIVE_INFINITY);
  const done: CallTimes[] = [];
  let begun = 0;
  const keepBusy = async (connection: Connection): Promise<void> => {
    while (begun < maxRequests && systemClock.monotonicMs() < untilMs) {
      begun++;
      done.push(await connection.call(ask));
    }
  };
  await Promise.all(connections.map(keepBusy));
  return done;
}
