/**
 * Reads reports from a replica while its data is recent enough, else from the primary. The node
 * renews its lease every two seconds. The replica's copy of this lease shows how far behind the
 * replica is, and that it is a replica of the right database.
 */
import type { Clock, Timer } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { ReportReads } from '../report-reads.ts';
import { numberOrNull } from '../row.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from '../sql.ts';

/** The maximum age of a replica's data. If it is older, reports are read from the primary. */
export const MAX_AGE_MS = 10_000;
const LOOK_MS = 1_000;

type Seen = { readonly asOfMs: number; readonly ageMs: number; readonly atMs: number };

export type ReplicaDeps = {
  readonly replica: SqlExecutor;
  /** Used when the replica is unavailable or too far behind. */
  readonly primary: SqlExecutor;
  readonly clock: Pick<Clock, 'every' | 'monotonicMs'>;
  /** The epoch, the unique id of this node's current lease; null before it has a lease. */
  readonly epoch: () => string | null;
  /** The length of a lease after a renewal, in milliseconds. */
  readonly leaseMs: number;
  /** Called with a message when the replica starts or stops being used. */
  readonly warn: (message: string) => void;
};

export class ReplicaReads implements ReportReads {
  readonly #deps: ReplicaDeps;
  readonly #timer: Timer;
  #seen: Seen | null = null;
  #looking: Promise<void> | null = null;
  /** Whether the last check found the replica recent enough; null before the first check. */
  #wasUsed: boolean | null = null;

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
    this.#timer = deps.clock.every(LOOK_MS, () => void this.look());
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    if (this.#fresh() !== null) {
      try {
        return await this.#deps.replica.query(statement);
      } catch (thrown) {
        // The replica may cancel a read in order to catch up with its primary. Then the primary
        // answers.
        if (!(thrown instanceof GatewayError) || thrown.code !== 'store_unavailable') throw thrown;
      }
    }
    return await this.#deps.primary.query(statement);
  }

  readonly transaction: SqlExecutor['transaction'] = (statements, audit) =>
    this.#deps.primary.transaction(statements, audit);

  readonly asOfMs = (): number | null => this.#fresh()?.asOfMs ?? null;

  readonly ageMs = (): number => {
    const fresh = this.#fresh();
    return fresh === null ? 0 : this.#ageOf(fresh);
  };

  /** Checks how far behind the replica is. Concurrent calls share one check. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  close(): void {
    this.#timer.cancel();
  }

  #ageOf({ ageMs, atMs }: Seen): number {
    return ageMs + this.#deps.clock.monotonicMs() - atMs;
  }

  #fresh(): Seen | null {
    return this.#seen !== null && this.#ageOf(this.#seen) <= MAX_AGE_MS ? this.#seen : null;
  }

  async #look(): Promise<void> {
    const epoch = this.#deps.epoch();
    if (epoch === null) return;
    let why = `it is more than ${MAX_AGE_MS / 1_000} s behind, or follows another database`;
    try {
      const atMs = this.#deps.clock.monotonicMs();
      const [row] = await this.#deps.replica.query({
        sql: `SELECT MAX(lease_until_ms) AS until_ms, books_now_ms() AS now_ms FROM node
              WHERE epoch = $1`,
        params: [epoch],
      });
      const untilMs = row === undefined ? null : numberOrNull(row, 'until_ms');
      const nowMs = row === undefined ? null : numberOrNull(row, 'now_ms');
      if (untilMs === null || nowMs === null) this.#seen = null;
      else {
        const asOfMs = untilMs - this.#deps.leaseMs;
        // The replica's clock may be behind the primary's, so the age could be negative.
        this.#seen = { asOfMs, ageMs: Math.max(nowMs - asOfMs, 0), atMs };
      }
    } catch (thrown) {
      this.#seen = null;
      why = String(thrown instanceof Error ? (thrown.cause ?? thrown) : thrown);
    }
    const isUsed = this.#fresh() !== null;
    if (isUsed === this.#wasUsed) return;
    if (!isUsed)
      this.#deps.warn(`reports are read from the database itself, not its replica: ${why}`);
    else if (this.#wasUsed === false) this.#deps.warn('reports are read from the replica again');
    this.#wasUsed = isUsed;
  }
}
