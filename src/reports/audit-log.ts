/** Reads the audit log, newest first. Only the ledger and `SqlExecutor.transaction` write to it. */

import { type AuditHead, type AuditRow, auditHash, GENESIS } from '../store/audit.ts';
import { integer, text } from '../store/row.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from '../store/sql.ts';
import { all, clause, equal, STEP_ROWS, type Step, type Walked, walk } from './report-walk.ts';

/** A null filter matches everything. `fromMs` is included, `toMs` excluded. */
export type AuditFilter = {
  readonly subject: string | null;
  readonly actor: string | null;
  readonly action: string | null;
  readonly fromMs: number;
  readonly toMs: number;
};

/** An entry. `hash` is hexadecimal and covers the entry and the previous entry's hash. */
export type AuditLine = AuditRow & { readonly hash: string };

/** Larger than any id. Ids count from 1 without gaps. */
const NEWEST = 2n ** 62n;

/** @throws GatewayError `store_unavailable`, from every method, when the store does not answer. */
export class AuditLog {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /** @param after the `next` of the previous page; null for the first page. */
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

  /** Returns the first id up to `upTo` that is missing or has a wrong hash; null if intact. */
  async firstBreak(upTo: bigint): Promise<bigint | null> {
    let head: AuditHead = { id: 0n, hash: GENESIS };
    while (head.id < upTo) {
      const rows = await this.#sql.query({
        sql: `SELECT * FROM audit WHERE id > ? AND id <= ? ORDER BY id LIMIT ${STEP_ROWS}`,
        params: [head.id, upTo],
      });
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

  async #step(
    filter: AuditFilter,
    place: bigint,
    wanted: number,
  ): Promise<Step<AuditLine, bigint>> {
    const { subject } = filter;
    const within = [...equal([['subject', subject]]), clause('id < ?', place)];
    const [row] = await this.#sql.query(endOfStep(within));
    const end = row === undefined ? null : integer(row, 'id');
    const where = all([
      ...within,
      ...(end === null ? [] : [clause('id >= ?', end)]),
      ...equal([
        ['actor', filter.actor],
        ['action', filter.action],
      ]),
      clause('at_ms >= ?', BigInt(filter.fromMs)),
      clause('at_ms < ?', BigInt(filter.toMs)),
    ]);
    const rows = await this.#sql.query({
      sql: `SELECT * FROM audit WHERE ${where.sql} ORDER BY id DESC LIMIT ?`,
      params: [...where.params, wanted],
    });
    return { rows: rows.map(lineOf), end };
  }
}

function endOfStep(within: readonly SqlStatement[]): SqlStatement {
  const where = all(within);
  return {
    sql: `SELECT id FROM audit WHERE ${where.sql} ORDER BY id DESC LIMIT 1 OFFSET ${STEP_ROWS - 1}`,
    params: where.params,
  };
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
