/**
 * The history of channels, for the status page: their successes and failures by hour and by day. A
 * node counts requests in memory. Once a minute it adds its counts to the store's rows, which all
 * nodes share.
 */
import { type Clock, nextTurn, type Timer } from '../clock.ts';
import { ERRORS } from '../errors.ts';
import type { Receipt, RequestOutcome } from '../ledger/ledger.ts';
import {
  COUNTS,
  type Counted,
  countInto,
  type Figures,
  INCIDENT_SHARE,
  isIncident,
  MIN_SHOWN,
  NO_FIGURES,
  sumOf,
} from '../routing/channel-figures.ts';
import type { ChannelCounts } from '../routing/channel-health.ts';
import { integer, text } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { deleteBefore, HOUR_MS, HourlyCounts, SPANS, type Span, startOf } from './hourly-counts.ts';
import type { FinishedRequest } from './request-journal.ts';

const MINUTE_MS = 60_000;
/** The length of the published history, in days and in hours, including the current ones. */
export const SHOWN_DAYS = 90;
export const SHOWN_HOURS = 24;
/**
 * How long the counts of an hour without an incident are stored: one hour longer than they are
 * published.
 */
const KEPT_HOURS_MS = (SHOWN_HOURS + 1) * HOUR_MS;
/** Maximum rows that one statement reads: about 3 ms of the store's time, and of this process's. */
const STEP_ROWS = 250;
/** The number of channels that are summed before other requests may run. */
const CHANNELS_A_TURN = 25;
const TABLE = 'channel_figures';
const COLUMNS = { keys: ['model', 'channel'], counts: COUNTS, amounts: [] } as const;

type Row = {
  readonly span: Span;
  readonly startMs: number;
  readonly model: string;
  readonly channel: string;
  readonly figures: Figures;
};

/** An unbroken series of hours in which many requests of a channel failed. */
export type Incident = {
  readonly model: string;
  readonly channel: string;
  readonly fromMs: number;
  /** The end of the last hour of the incident. */
  readonly untilMs: number;
  /** Whether the incident's last hour is the current hour or the hour before it. */
  readonly isOngoing: boolean;
  /**
   * The number of successful requests divided by all requests in the incident's hours, from 0 to 1.
   */
  readonly successRatio: number;
};

/** The counts and incidents of all channels, as they were last read from the store. */
export type HistorySnapshot = {
  readonly of: (model: string, channel: string) => ChannelCounts;
  /** The incidents, latest first. */
  readonly incidents: readonly Incident[];
  /** The start of the oldest published hour and of the oldest published day. */
  readonly hoursFromMs: number;
  readonly daysFromMs: number;
};

export type ChannelHistoryDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs' | 'every'>;
  /** Returns the channel that would serve a request; null for an unknown model. */
  readonly channelOf: (model: string, requested: string | null) => string | null;
  /**
   * Called when a write or read fails. Counts that were not written are included in the next write.
   */
  readonly onFailure: (thrown: unknown) => void;
  /** Maximum rows that one statement reads. */
  readonly stepRows?: number;
};

export class ChannelHistory {
  readonly #deps: ChannelHistoryDeps;
  readonly #timer: Timer;
  readonly #counts: HourlyCounts;
  #snapshot: Promise<HistorySnapshot> | null = null;
  /**
   * Whether `current` was called since the snapshot was loaded. If not, the snapshot is not loaded
   * again.
   */
  #isWanted = false;

  constructor(deps: ChannelHistoryDeps) {
    this.#deps = deps;
    const { sql, clock, onFailure } = deps;
    const of = { table: TABLE, columns: COLUMNS, prune: pruneOf };
    this.#counts = new HourlyCounts({ sql, clock, ...of, onFailure });
    this.#timer = deps.clock.every(MINUTE_MS, () => void this.#turn());
  }

  /** Counts a request in memory. */
  finished(request: FinishedRequest): void {
    const { settled, startedAtMs } = request;
    if (settled === null) {
      this.#countFailed(request);
      return;
    }
    const { receipt } = settled;
    for (const other of otherChannels(receipt))
      this.#count(startedAtMs, receipt.model, other, FAILED);
    const counted = countedOf(receipt);
    if (counted !== null) this.#count(startedAtMs, receipt.model, receipt.channel, counted);
  }

  /**
   * Returns the counts of all nodes, at most about a minute old. Only the first call waits for the
   * store. While the store does not answer, the counts are older, or empty if none were ever read.
   */
  async current(): Promise<HistorySnapshot> {
    this.#isWanted = true;
    this.#snapshot ??= this.#load(null);
    return await this.#snapshot;
  }

  /** Writes the pending counts. Never rejects. Concurrent calls share one flush. */
  flush(): Promise<void> {
    return this.#counts.flush();
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#counts.close();
  }

  async #turn(): Promise<void> {
    await this.flush();
    if (!this.#isWanted || this.#snapshot === null) return;
    this.#isWanted = false;
    const before = await this.#snapshot;
    this.#snapshot = Promise.resolve(await this.#load(before));
  }

  #count(atMs: number, model: string, channel: string, counted: Counted): void {
    const hour = this.#counts.at(atMs, [model, channel]);
    if (hour !== null) countInto(hour.counts, counted);
  }

  /** Counts a request that failed without a receipt as a failure of its channel. */
  #countFailed({ asked, endpoint, end, startedAtMs }: FinishedRequest): void {
    const isSale = endpoint !== null && endpoint !== 'count_tokens';
    if (end !== 'failed' || asked === null || !isSale) return;
    const channel = this.#deps.channelOf(asked.model, asked.channel);
    if (channel !== null) this.#count(startedAtMs, asked.model, channel, FAILED);
  }

  /**
   * @param before the snapshot to return if the store does not answer; null to return an empty one.
   */
  async #load(before: HistorySnapshot | null): Promise<HistorySnapshot> {
    const nowMs = this.#deps.clock.nowMs();
    await this.flush();
    try {
      return await snapshotOf(await this.#channels(nowMs), nowMs);
    } catch (thrown) {
      this.#deps.onFailure(thrown);
      return before ?? (await snapshotOf(new Map(), nowMs));
    }
  }

  /** Reads the published rows of each channel, in chronological order, with short statements. */
  async #channels(nowMs: number): Promise<Channels> {
    const { sql, stepRows = STEP_ROWS } = this.#deps;
    const channels = new Map<string, Row[]>();
    const fromMs = startOf('day', nowMs, SHOWN_DAYS);
    for (let place = FIRST; ; ) {
      const { span, startMs, model, channel } = place;
      const read = statement`SELECT span, start_ms, model, channel, ${raw(COUNTS.join(', '))}
        FROM channel_figures WHERE start_ms >= ${fromMs}
          AND (span, start_ms, model, channel) > (${span}, ${startMs}, ${model}, ${channel})
        ORDER BY span, start_ms, model, channel LIMIT ${stepRows}`;
      const rows = (await sql.query(read)).map(rowOf);
      for (const row of rows) {
        const key = `${row.channel} ${row.model}`;
        const own = channels.get(key);
        if (own === undefined) channels.set(key, [row]);
        else own.push(row);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < stepRows) return channels;
      place = last;
    }
  }
}

/** The rows of each channel, by the names of the channel and the model. */
type Channels = ReadonlyMap<string, readonly Row[]>;
/** The place before all rows. */
const FIRST: Pick<Row, 'startMs' | 'model' | 'channel'> & { readonly span: string } = {
  ...{ span: '', startMs: 0, model: '', channel: '' },
};

const FAILED: Counted = { ok: false, firstTokenMs: null, generated: null };
const FAILURES: ReadonlySet<RequestOutcome> = new Set([
  'upstream_error',
  'upstream_truncated',
  'upstream_timeout',
  'gateway_error',
] as const);
const SUCCESSES: ReadonlySet<RequestOutcome> = new Set(['completed', 'length'] as const);

/**
 * Returns the channels that failed before another channel served the request. Each is counted as a
 * failure.
 */
function otherChannels({ channel, attempts }: Receipt): Iterable<string> {
  let others: Set<string> | null = null;
  for (const attempt of attempts) {
    if (attempt.channel === channel) continue;
    others ??= new Set();
    others.add(attempt.channel);
  }
  return others ?? NONE;
}
const NONE: readonly string[] = [];

/**
 * Returns how a receipt counts for its channel: as a success or a failure; null if it does not
 * count.
 */
function countedOf(receipt: Receipt): Counted | null {
  const { outcome } = receipt;
  if (FAILURES.has(outcome) && isServerError(receipt.errorCode)) return FAILED;
  // Disconnects, shutdowns and requests that the provider refused reveal nothing about a channel.
  return SUCCESSES.has(outcome) ? successOf(receipt) : null;
}

/** Whether the gateway or a provider caused the error. True for an unknown code. */
function isServerError(code: string | null): boolean {
  const row = Object.entries(ERRORS).find(([name]) => name === code)?.[1];
  return row === undefined || row.status >= 500 || row.status === 429;
}

function successOf({ streamed, firstByteMs, durationMs, usage }: Receipt): Counted {
  const tookMs = durationMs - (streamed ? (firstByteMs ?? 0) : 0);
  return {
    ok: true,
    firstTokenMs: streamed ? firstByteMs : null,
    generated: usage.output > 0 && tookMs > 0 ? { tokens: usage.output, tookMs } : null,
  };
}

/**
 * Returns statements that delete rows older than the published history. The rows of hours with an
 * incident are kept as long as the rows of days.
 */
const pruneOf = (nowMs: number): readonly SqlStatement[] => [
  // A condition on the span lets the store find the rows by the table's key.
  ...(['day', 'hour'] as const).map((span) =>
    deleteBefore(TABLE, span, startOf('day', nowMs, SHOWN_DAYS)),
  ),
  statement`DELETE FROM channel_figures WHERE span = 'hour' AND start_ms < ${nowMs - KEPT_HOURS_MS}
    AND (requests < ${MIN_SHOWN} OR failures * ${Math.round(1 / INCIDENT_SHARE)} < requests)`,
];

const rowOf = (row: SqlRow): Row => ({
  span: text(row, 'span') === 'day' ? 'day' : 'hour',
  startMs: Number(integer(row, 'start_ms')),
  model: text(row, 'model'),
  channel: text(row, 'channel'),
  figures: COUNTS.map((name) => Number(integer(row, name))),
});

async function snapshotOf(channels: Channels, nowMs: number): Promise<HistorySnapshot> {
  const [hoursFromMs, daysFromMs] = [
    startOf('hour', nowMs, SHOWN_HOURS),
    startOf('day', nowMs, SHOWN_DAYS),
  ];
  const counts = new Map<string, ChannelCounts>();
  const incidents: Incident[] = [];
  for (const [key, own] of channels) {
    counts.set(key, {
      hours: seriesOf(own, 'hour', hoursFromMs, SHOWN_HOURS),
      days: seriesOf(own, 'day', daysFromMs, SHOWN_DAYS),
    });
    incidents.push(...incidentsOf(own, nowMs));
    if (counts.size % CHANNELS_A_TURN === 0) await nextTurn();
  }
  return {
    of: (model, channel) => counts.get(`${channel} ${model}`) ?? NO_COUNTS,
    incidents: incidents.sort((one, other) => other.fromMs - one.fromMs),
    hoursFromMs,
    daysFromMs,
  };
}

const NO_COUNTS: ChannelCounts = {
  hours: Array.from({ length: SHOWN_HOURS }, () => NO_FIGURES),
  days: Array.from({ length: SHOWN_DAYS }, () => NO_FIGURES),
};

function seriesOf(
  rows: readonly Row[],
  span: Span,
  fromMs: number,
  count: number,
): readonly Figures[] {
  const series = Array.from({ length: count }, () => NO_FIGURES);
  for (const row of rows) {
    const at = (row.startMs - fromMs) / SPANS[span];
    if (row.span === span && at >= 0 && at < count) series[at] = row.figures;
  }
  return series;
}

/** @param rows the rows of one channel, in chronological order. */
function incidentsOf(rows: readonly Row[], nowMs: number): readonly Incident[] {
  const failing = rows.filter(({ span, figures }) => span === 'hour' && isIncident(figures));
  const runs: Row[][] = [];
  for (const row of failing) {
    const run = runs.at(-1);
    if (run?.at(-1)?.startMs === row.startMs - HOUR_MS) run.push(row);
    else runs.push([row]);
  }
  return runs.flatMap((run) => {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) return [];
    const [requests = 0, failures = 0] = sumOf(run.map(({ figures }) => figures));
    return {
      model: first.model,
      channel: first.channel,
      fromMs: first.startMs,
      untilMs: last.startMs + HOUR_MS,
      isOngoing: last.startMs >= startOf('hour', nowMs, 2),
      successRatio: (requests - failures) / requests,
    };
  });
}
