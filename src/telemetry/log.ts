/** JSON logs without prompts, answers or API keys: events on stderr, requests on stdout. */
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';
import { perColumn, USAGE_ROWS } from '../money/usage.ts';
import { LineWriter, outputPipe } from './line-writer.ts';
import { type FinishedRequest, shownChannel } from './request-journal.ts';

export type Level = Config['log']['level'];
type Severity = Exclude<Level, 'silent'>;
/** Logs an event. An error in the field `err` is logged with its causes and stack traces. */
type WriteEvent = {
  (message: string): void;
  (fields: object, message: string): void;
};
export type Log = Readonly<Record<Severity, WriteEvent>>;

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;
/** The time limit for writing lines at exit, because a stalled reader must not prevent the exit. */
const FLUSH_LIMIT_MS = 2_000;
/**
 * Maximum causes of an error that are logged. The limit is needed because causes can form a cycle.
 */
const MAX_CAUSES = 8;

/** `close` resolves when all lines are written, or after a timeout. */
export type OpenLog = { readonly log: Log; readonly close: () => Promise<void> };

/**
 * Describes an error's cause for the operator, never for callers. The cause must already be free of
 * secrets.
 */
export function describeCause(cause: unknown): string | null {
  if (cause === undefined || cause === null) return null;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}

/** The numeric values of the levels, the same as in the library pino. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY };

/** Opens the log of the gateway's own events. Events are rare, so each is written at once. */
export function openLog(
  level: Level,
  clock: Clock,
  writer = new LineWriter(outputPipe(STANDARD_ERROR), clock, { batchMs: 0 }),
): OpenLog {
  const at = (severity: Severity): WriteEvent => {
    const number = LEVELS[severity];
    if (number < LEVELS[level]) return () => undefined;
    return (event: object | string, message?: string) => {
      const fields: { err?: unknown } = typeof event === 'string' ? {} : { ...event };
      if (fields.err !== undefined) fields.err = describeError(fields.err);
      const line = { level: number, time: clock.nowMs(), ...fields, msg: message ?? event };
      writer.write(JSON.stringify(line));
    };
  };
  return {
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    close: () => writer.flush(FLUSH_LIMIT_MS),
  };
}

/** Returns the log fields of a thrown value. Message and stack also contain its causes. */
function describeError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const chain: Error[] = [];
  for (let at: unknown = thrown; at instanceof Error && chain.length < MAX_CAUSES; at = at.cause)
    chain.push(at);
  return {
    type: thrown.name,
    ...('code' in thrown ? { code: thrown.code } : {}),
    message: chain.map(({ message }) => message).join(': '),
    stack: chain.map(({ stack }) => stack).join('\ncaused by: '),
  };
}

/** Writes one log line per request, with the same levels as events. */
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

  /**
   * Writes the log line of a request if the line's level is logged.
   * @param isModel whether a model id is known.
   */
  write(finished: FinishedRequest, isModel: (id: string) => boolean): void {
    const level = LEVELS[lineLevel(finished)];
    if (finished.isProbe || level < this.#least) return;
    const line: RequestLine = { level, time: this.#clock.nowMs() };
    requestLine(finished, isModel, line);
    line['msg'] = 'request';
    this.#writer.write(JSON.stringify(line));
  }

  async close(): Promise<void> {
    await this.#writer.flush(FLUSH_LIMIT_MS);
  }
}

type RequestLine = Record<string, string | number | boolean | null>;
export type LineLevel = 'info' | 'warn' | 'error';

/** Maximum length of a finish reason in a log line, because the upstream chooses the text. */
const MAX_REASON_CHARS = 64;

/**
 * Sets the fields of the log line `line` and returns it. The fields are flat and always in the same
 * order. Lines of requests without an endpoint have only the first fields.
 */
export function requestLine(
  finished: FinishedRequest,
  isModel: (id: string) => boolean,
  line: RequestLine = {},
): RequestLine {
  const { trace, caller, asked, settled } = finished;
  // Fields are set one by one on the given object, because copying it would cost more than writing
  // the line.
  line['request_id'] = finished.requestId;
  line['trace_id'] = trace.traceId;
  line['method'] = finished.method;
  line['route'] = finished.route;
  line['status'] = finished.status;
  line['outcome'] = finished.end;
  line['error_code'] = finished.errorCode ?? settled?.receipt.errorCode ?? null;
  line['account'] = caller?.accountId ?? null;
  line['key'] = caller?.keyId ?? null;
  line['duration_ms'] = Math.round(finished.durationMs);
  if (finished.endpoint === null) return line;
  const receipt = settled?.receipt ?? null;
  // An unknown model name is logged as null, because callers can send any text.
  const known = asked !== null && isModel(asked.model) ? asked.model : null;
  line['endpoint'] = finished.endpoint;
  line['stream'] = receipt?.streamed ?? asked?.stream ?? null;
  line['model'] = receipt?.model ?? known;
  line['channel'] = receipt?.channel ?? null;
  line['channel_requested'] = shownChannel(asked?.channel ?? null);
  line['upstream'] = receipt?.upstream || null;
  line['upstream_model'] = receipt?.upstreamModel || null;
  line['attempts'] = receipt === null ? null : attemptsText(receipt.attempts);
  line['finish_reason'] = receipt?.finishReason?.slice(0, MAX_REASON_CHARS) ?? null;
  for (const { bucket, column } of USAGE_ROWS)
    line[TOKEN_FIELD_OF[column]] = receipt?.usage[bucket] ?? null;
  line['images'] = receipt?.images?.count ?? null;
  line['cost'] = settled?.cost.exact ?? null;
  line['currency'] = settled?.cost.currency ?? null;
  line['estimated'] = receipt?.estimated ?? null;
  line['measure'] = receipt?.measure ?? null;
  line['first_byte_ms'] = receipt?.firstByteMs ?? null;
  return line;
}

const TOKEN_FIELD_OF = perColumn(({ column }) => `${column}_tokens`);

/** Returns `error` if the operator must act, `warn` for other failures, otherwise `info`. */
export function lineLevel({ status, end, errorCode }: FinishedRequest): LineLevel {
  // A restart is intended, so its 503 is only a warning.
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
