/** JSON logs without prompts, answers or API keys: events on stderr, requests on stdout. */
import pino from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';
import { perTokenField } from '../money/usage.ts';
import { LineWriter, outputPipe } from './line-writer.ts';
import { type FinishedRequest, shownChannel } from './request-journal.ts';

export type Log = pino.Logger;
export type Level = Config['log']['level'];

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;
/** The time limit for writing lines at exit, because a stalled reader must not prevent the exit. */
const FLUSH_LIMIT_MS = 2_000;
/** The most text that waits for the reader of standard error. Lines beyond it are lost. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** `close` resolves when all lines are written, or after a timeout. */
export type OpenLog = { readonly log: Log; readonly close: () => Promise<void> };

/** Describes an error's cause for the operator, never for callers. Secrets are already masked. */
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
    // The process must wait, because an exit would lose the current write.
    const written = new Promise((resolve) => destination.once('close', resolve));
    destination.end();
    await Promise.race([written, clock.sleep(FLUSH_LIMIT_MS)]);
    // Discards the rest, which would be written synchronously at exit and block it.
    destination.destroy();
  };
  return { log: pino({ level, base: null }, destination), close };
}

/** The numeric levels of pino, so that both logs can be read in the same way. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY };

/** Writes one line per request, without pino, which takes four times as long. */
export class RequestLines {
  readonly #least: number;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #writer: LineWriter;

  /** @param level the lowest level that is logged. */
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

type RequestLine = Readonly<Record<string, string | number | boolean | null>>;
export type LineLevel = 'info' | 'warn' | 'error';

/** The longest finish reason in a line. The upstream chooses its text. */
const MAX_REASON_CHARS = 64;

/** Returns the same flat fields in the same order for every request. An unknown model is null. */
export function requestLine(
  finished: FinishedRequest,
  isModel: (id: string) => boolean,
): RequestLine {
  const { trace, caller, asked, settled } = finished;
  const line = {
    request_id: finished.requestId,
    trace_id: trace.traceId,
    method: finished.method,
    route: finished.route,
    status: finished.status,
    outcome: finished.end,
    error_code: finished.errorCode ?? settled?.receipt.errorCode ?? null,
    account: caller?.accountId ?? null,
    key: caller?.keyId ?? null,
    duration_ms: Math.round(finished.durationMs),
  };
  if (finished.endpoint === null) return line;
  const receipt = settled?.receipt ?? null;
  const known = asked !== null && isModel(asked.model) ? asked.model : null;
  return {
    ...line,
    endpoint: finished.endpoint,
    stream: receipt?.streamed ?? asked?.stream ?? null,
    model: receipt?.model ?? known,
    channel: receipt?.channel ?? null,
    channel_requested: shownChannel(asked?.channel ?? null),
    upstream: receipt?.upstream || null,
    upstream_model: receipt?.upstreamModel || null,
    attempts: receipt === null ? null : attemptsText(receipt.attempts),
    finish_reason: receipt?.finishReason?.slice(0, MAX_REASON_CHARS) ?? null,
    ...perTokenField(({ bucket }) => receipt?.usage[bucket] ?? null),
    images: receipt?.images?.count ?? null,
    cost: settled?.cost.exact ?? null,
    currency: settled?.cost.currency ?? null,
    estimated: receipt?.estimated ?? null,
    measure: receipt?.measure ?? null,
    first_byte_ms: receipt?.firstByteMs ?? null,
  };
}

/** Returns `error` if the operator must act, `warn` for problems of callers and upstreams. */
export function lineLevel({ status, end, errorCode }: FinishedRequest): LineLevel {
  // A restart is intended, so its 503 is not an error of the gateway.
  if (errorCode === 'shutting_down') return 'warn';
  if (status >= 500 || end === 'not_booked' || end === 'gateway_error') return 'error';
  if (end === 'caller_left') return 'info';
  if (status >= 400 || BROKEN.has(end)) return 'warn';
  return 'info';
}

/** Outcomes of streams that failed after the status 200 was sent. */
const BROKEN: ReadonlySet<FinishedRequest['end']> = new Set([
  'upstream_error',
  'upstream_truncated',
  'upstream_timeout',
  'shutdown',
  'revoked',
]);

/** Returns the attempts in order, each as `CHANNEL UPSTREAM/MODEL RESULT START+DURATIONms`. */
const attemptsText = (attempts: readonly AttemptRecord[]): string =>
  attempts
    .map(
      ({ channel, upstream, model, result, startMs, durationMs }) =>
        `${channel} ${upstream}/${model} ${result} ${startMs}+${durationMs}ms`,
    )
    .join(', ');
