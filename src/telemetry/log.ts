/**
 * The logs, one JSON line per event: the gateway's own events on standard error, requests on
 * standard output. They never contain prompts, answers or keys.
 */
import pino from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { LineWriter } from './line-writer.ts';
import { outputPipe } from './output-pipe.ts';
import type { FinishedRequest } from './request-journal.ts';
import { lineLevel, requestLine } from './request-line.ts';

export type Log = pino.Logger;
export type Level = Config['log']['level'];

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;
/** A stalled reader must not prevent the process from exiting. */
const FLUSH_LIMIT_MS = 2_000;
/** If the reader of standard error falls further behind, lines are lost. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** The gateway's own events. `close` resolves when all are written. */
export type OpenLog = { readonly log: Log; readonly close: () => Promise<void> };

/** The cause is for the operator, not for the caller. It was masked where it was made. */
export function describeCause(cause: unknown): string | null {
  if (cause === undefined || cause === null) return null;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}

export function openLog(level: Level, clock: Pick<Clock, 'sleep'>): OpenLog {
  const destination = pino.destination({
    dest: outputPipe(STANDARD_ERROR),
    sync: false,
    minLength: 0,
    maxLength: MAX_WAITING_BYTES,
  });
  const close = async (): Promise<void> => {
    // A write in progress when the process exits is lost.
    const written = new Promise((resolve) => destination.once('close', resolve));
    destination.end();
    await Promise.race([written, clock.sleep(FLUSH_LIMIT_MS)]);
    // Otherwise the rest is written synchronously at exit, which blocks while nobody reads.
    destination.destroy();
  };
  return { log: pino({ level, base: null }, destination), close };
}

/** The numbers of pino, so that both logs can be read the same way. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY };

/** One line per request. Without pino, which takes four times as long for so many fields. */
export class RequestLines {
  readonly #least: number;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #writer: LineWriter;

  /** @param level requests below it are not logged. */
  constructor(
    level: Level,
    clock: Clock,
    writer = new LineWriter(outputPipe(STANDARD_OUTPUT), clock),
  ) {
    this.#least = LEVELS[level];
    this.#clock = clock;
    this.#writer = writer;
  }

  get dropped(): number {
    return this.#writer.dropped;
  }

  /** @param isModel whether the catalogue has the model. */
  write(finished: FinishedRequest, isModel: (id: string) => boolean): void {
    const level = LEVELS[lineLevel(finished)];
    if (finished.isProbe || level < this.#least) return;
    const line = requestLine(finished, isModel);
    this.#writer.write(
      JSON.stringify({ level, time: this.#clock.nowMs(), ...line, msg: 'request' }),
    );
  }

  async close(): Promise<void> {
    await this.#writer.flush(FLUSH_LIMIT_MS);
  }
}
