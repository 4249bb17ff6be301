/** An in-memory store with the real schema, for tests. It counts its statements. */
import { Database } from 'bun:sqlite';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { systemClock } from '../clock.ts';
import { type AuditEntry, auditAfter, GENESIS } from '../store/audit.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from '../store/sql.ts';
import { emptyStore } from '../store/sqlite/empty-store.fixture.ts';
import { unavailable } from '../store/store-fault.ts';

/**
 * Returns a manual clock with real random bytes, because the short random sequence of a manual
 * clock would repeat ids and keys.
 */
export function stoppedClock(startMs?: number): ManualClock {
  return { ...manualClock(startMs), randomBytes: systemClock.randomBytes };
}

export class MemoryStore implements SqlExecutor {
  /** The number of statements that have run so far. */
  asked = 0;
  /** If not null, every call fails with this cause, as if the store were unreachable. */
  failure: Error | null = null;
  #held: { readonly reached: () => void; readonly released: Promise<void> } | null = null;
  readonly #db = Database.deserialize(emptyStore(), { safeIntegers: true });

  constructor() {
    this.#db.run('PRAGMA foreign_keys = ON');
  }

  /**
   * Delays the result of the next query until `release` is called. `reached` resolves when the
   * query has run.
   */
  holdNextQuery(): { readonly reached: Promise<void>; readonly release: () => void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#held = { reached: reached.resolve, released: released.promise };
    return { reached: reached.promise, release: released.resolve };
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    this.asked += 1;
    if (this.failure !== null) throw unavailable(this.failure.message);
    const rows = this.#run(statement);
    const held = this.#held;
    this.#held = null;
    held?.reached();
    await held?.released;
    return rows;
  }

  async transaction(
    statements: readonly SqlStatement[],
    audit?: AuditEntry,
  ): Promise<readonly (readonly SqlRow[])[]> {
    this.asked += statements.length;
    if (this.failure !== null) throw unavailable(this.failure.message);
    return this.#db.transaction(() => {
      const answers = statements.map((statement) => this.#run(statement));
      if (audit !== undefined && answers.some((rows) => rows.length > 0)) this.#audit(audit);
      return answers;
    })();
  }

  #audit(entry: AuditEntry): void {
    const [last] = this.#run({
      sql: 'SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1',
      params: [],
    });
    const { id = 0n, hash = GENESIS } = last ?? {};
    if (typeof id !== 'bigint' || !(hash instanceof Uint8Array)) throw new Error('No audit row.');
    const row = auditAfter({ id, hash }, entry);
    this.#run({
      sql: 'INSERT INTO audit (id, at_ms, actor, action, subject, detail, hash) VALUES (?, ?, ?, ?, ?, ?, ?)',
      params: [row.id, row.atMs, row.actor, row.action, row.subject, row.detail, row.hash],
    });
  }

  #run({ sql, params }: SqlStatement): readonly SqlRow[] {
    return this.#db.query<SqlRow, SqlStatement['params'][number][]>(sql).all(...params);
  }
}
