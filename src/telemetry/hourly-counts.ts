/**
 * Counts events by hour and by day in a table of the store. A node counts in memory, and adds its
 * counts to the rows in batches. So nodes share the rows, and no request waits for the store. A
 * crash loses the counts since the last write.
 */
import type { Clock } from '../clock.ts';
import { raw, type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const SPANS = { hour: HOUR_MS, day: DAY_MS } as const;
export type Span = keyof typeof SPANS;

/**
 * Maximum entries in memory that wait to be written. An entry has the counts of one hour for one
 * set of keys. At this limit, events that need a new entry are not counted.
 */
const MAX_WAITING_HOURS = 5_000;
const MAX_HOURS_A_WRITE = 250;

/** The columns of the table, apart from `span` and `start_ms`, which every such table has. */
export type CountColumns = {
  /** Text columns that are the primary key together with `span` and `start_ms`. */
  readonly keys: readonly string[];
  readonly counts: readonly string[];
  readonly amounts: readonly string[];
};

export type HourlyCountsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly table: string;
  readonly columns: CountColumns;
  /** Returns statements that delete outdated rows. The statements run with each write. */
  readonly prune: (nowMs: number) => readonly SqlStatement[];
  /** Called when a write fails. The next write includes the same counts. */
  readonly onFailure: (thrown: unknown) => void;
};

/** The counts of one hour that are not written yet, for one set of values of the key columns. */
type WaitingHour = {
  readonly startMs: number;
  readonly keys: readonly string[];
  readonly counts: number[];
  readonly amounts: bigint[];
};

function isOf(hour: WaitingHour, startMs: number, keys: readonly string[]): boolean {
  if (hour.startMs !== startMs) return false;
  for (let at = 0; at < keys.length; at++) if (hour.keys[at] !== keys[at]) return false;
  return true;
}

export class HourlyCounts {
  readonly #deps: HourlyCountsDeps;
  #waiting = new Map<string, WaitingHour>();
  /**
   * The entry that `at` returned last. It is cached because the next request often needs the same
   * entry.
   */
  #last: WaitingHour | null = null;
  #flushing: Promise<void> | null = null;

  constructor(deps: HourlyCountsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the counts of these keys in the hour that contains `atMs`. The caller changes them in
   * place. Null if too many entries wait to be written.
   */
  at(atMs: number, keys: readonly string[]): Pick<WaitingHour, 'counts' | 'amounts'> | null {
    return this.#hourOf(startOf('hour', atMs, 1), keys);
  }

  /** Writes the pending counts. Never rejects. Concurrent calls share one flush. */
  flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /** Waits for a running flush, then writes the counts that were added during it. Never rejects. */
  async close(): Promise<void> {
    await this.#flushing;
    await this.flush();
  }

  #hourOf(startMs: number, keys: readonly string[]): WaitingHour | null {
    if (this.#last !== null && isOf(this.#last, startMs, keys)) return this.#last;
    const key = `${startMs} ${keys.join('\n')}`;
    const known = this.#waiting.get(key) ?? this.#added(key, startMs, keys);
    this.#last = known;
    return known;
  }

  #added(key: string, startMs: number, keys: readonly string[]): WaitingHour | null {
    if (this.#waiting.size >= MAX_WAITING_HOURS) return null;
    const { counts, amounts } = this.#deps.columns;
    const added = { startMs, keys, counts: counts.map(() => 0), amounts: amounts.map(() => 0n) };
    this.#waiting.set(key, added);
    return added;
  }

  async #write(): Promise<void> {
    const { sql, clock, prune, onFailure } = this.#deps;
    // All nodes write rows in the same order, so that their transactions cannot deadlock.
    const taken = [...this.#waiting.values()].toSorted(byKeys);
    if (taken.length === 0) return;
    this.#waiting = new Map();
    this.#last = null;
    for (let from = 0; from < taken.length; from += MAX_HOURS_A_WRITE) {
      const hours = taken.slice(from, from + MAX_HOURS_A_WRITE);
      try {
        const pruning = from === 0 ? prune(clock.nowMs()) : [];
        const additions = (['hour', 'day'] as const).flatMap((span) =>
          hours.map((hour) => this.#addition(span, hour)),
        );
        await sql.transaction([...additions, ...pruning]);
      } catch (thrown) {
        for (const hour of taken.slice(from)) this.#putBack(hour);
        onFailure(thrown);
        return;
      }
    }
  }

  #putBack(hour: WaitingHour): void {
    const now = this.#hourOf(hour.startMs, hour.keys);
    if (now === null) return;
    for (const [at, count] of hour.counts.entries()) now.counts[at] = (now.counts[at] ?? 0) + count;
    for (const [at, sum] of hour.amounts.entries()) now.amounts[at] = (now.amounts[at] ?? 0n) + sum;
  }

  /** Adds the counts of an hour to the row of that hour, or to the row of its day. */
  #addition(span: Span, { startMs, keys, counts, amounts }: WaitingHour): SqlStatement {
    const { table, columns } = this.#deps;
    const sums = [...columns.counts, ...columns.amounts];
    const names = ['span', 'start_ms', ...columns.keys];
    const params = [span, startOf(span, startMs, 1), ...keys, ...counts, ...amounts];
    return {
      sql: `INSERT INTO ${table} (${[...names, ...sums].join(', ')})
        VALUES (${params.map(() => '?').join(', ')})
        ON CONFLICT (${names.join(', ')}) DO UPDATE
        SET ${sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`,
      params,
    };
  }
}

/** Sorts by the keys and then by time, which is also an order of the days. */
function byKeys(a: WaitingHour, b: WaitingHour): number {
  const [one, other] = [a.keys.join('\n'), b.keys.join('\n')];
  return one === other ? a.startMs - b.startMs : one < other ? -1 : 1;
}

/** Returns when the last `count` hours or days began, including the current one. */
export const startOf = (span: Span, nowMs: number, count: number): number =>
  nowMs - (nowMs % SPANS[span]) - (count - 1) * SPANS[span];

/** Returns a statement that deletes the rows of the hours or days that began before `startMs`. */
export const deleteBefore = (table: string, span: Span, startMs: number): SqlStatement =>
  statement`DELETE FROM ${raw(table)} WHERE span = ${span} AND start_ms < ${startMs}`;
