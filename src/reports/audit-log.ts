/** Reads the audit log, newest first. Only the ledger and `SqlExecutor.transaction` write to it. */

import { type AuditHead, type AuditRow, auditHash, GENESIS } from '../store/audit.ts';
import { integer, text } from '../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';
import { all, equal, STEP_ROWS, type Walked, walk } from './report-walk.ts';

/**
 * The filters of the audit log. A field that is null matches every entry. `fromMs` is inclusive,
 * `toMs` exclusive.
 */
export type AuditFilter = {
  readonly subject: string | null;
  readonly actor: string | null;
  readonly action: string | null;
  readonly fromMs: number;
  readonly toMs: number;
};

/** An entry. `hash` is hexadecimal and covers the entry and the previous entry's hash. */
export type AuditLine = AuditRow & { readonly hash: string };

/** An id above that of every entry, because ids count from 1 without gaps. */
const NEWEST = 2n ** 62n;

/** @throws GatewayError `store_unavailable`, from every method, when the store does not answer. */
export class AuditLog {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /**
   * Returns a page of entries, newest first.
   * @param after the `next` of the previous page; null for the first page.
   */
  page(
    filter: AuditFilter,
    limit: number,
    after: bigint | null,
  ): Promise<Walked<AuditLine, bigint>> {
    return walk(
      after ?? NEWEST,
      limit,
      ({ id }) => id,
      (place, wanted) => this.#step(filter, place, wanted),
    );
  }

  /**
   * Checks the entries up to `upTo`. Returns the id of the first entry that has a wrong hash or
   * follows a gap. If entries are missing at the end, returns the first missing id. Returns null if
   * all are intact.
   */
  async firstBreak(upTo: bigint): Promise<bigint | null> {
    let head: AuditHead = { id: 0n, hash: GENESIS };
    while (head.id < upTo) {
      const rows = await this.#sql.query(statement`SELECT * FROM audit
        WHERE id > ${head.id} AND id <= ${upTo} ORDER BY id LIMIT ${STEP_ROWS}`);
      for (const row of rows) {
        const line = lineOf(row);
        const hash = auditHash(head.hash, line);
        const follows = line.id === head.id + 1n && Buffer.from(hash).toString('hex') === line.hash;
        if (!follows) return line.id;
        head = { id: line.id, hash };
      }
      if (rows.length === 0) return head.id + 1n;
    }
    return null;
  }

  async #step({ subject, actor, action, ...times }: AuditFilter, place: bigint, wanted: number) {
    const within = [...equal({ subject }), statement`id < ${place}`];
    const [row] = await this.#sql.query(statement`SELECT id FROM audit WHERE ${all(within)}
      ORDER BY id DESC LIMIT 1 OFFSET ${STEP_ROWS - 1}`);
    const end = row === undefined ? null : integer(row, 'id');
    const where = all([
      ...within,
      ...(end === null ? [] : [statement`id >= ${end}`]),
      ...equal({ actor, action }),
      statement`at_ms >= ${BigInt(times.fromMs)} AND at_ms < ${BigInt(times.toMs)}`,
    ]);
    const rows = await this.#sql.query(
      statement`SELECT * FROM audit WHERE ${where} ORDER BY id DESC LIMIT ${wanted}`,
    );
    return { rows: rows.map(lineOf), end };
  }
}

function lineOf(row: SqlRow): AuditLine {
  const hash = row['hash'];
  if (!(hash instanceof Uint8Array)) throw new Error('column hash is not bytes');
  return {
    id: integer(row, 'id'),
    atMs: Number(row['at_ms']),
    actor: text(row, 'actor'),
    action: text(row, 'action'),
    subject: text(row, 'subject'),
    detail: text(row, 'detail'),
    hash: Buffer.from(hash).toString('hex'),
  };
}
