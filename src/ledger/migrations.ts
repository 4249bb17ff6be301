/** The schema's history, one step a row, in the words of each engine. */
import type { Database as SqliteFile } from 'bun:sqlite';
import booksPostgres from './sql/postgres/0001-books.sql' with { type: 'text' };
import fullLedgerPostgres from './sql/postgres/0002-full-ledger.sql' with { type: 'text' };
import keysAndLimitsPostgres from './sql/postgres/0003-keys-and-limits.sql' with { type: 'text' };
import topUpsPostgres from './sql/postgres/0004-top-ups.sql' with { type: 'text' };
import idempotencyPostgres from './sql/postgres/0005-idempotency.sql' with { type: 'text' };
import reportsPostgres from './sql/postgres/0006-reports.sql' with { type: 'text' };
import usageByMonthPostgres from './sql/postgres/0007-usage-by-month.sql' with { type: 'text' };
import peoplePostgres from './sql/postgres/0008-people.sql' with { type: 'text' };
import consolePostgres from './sql/postgres/0009-console.sql' with { type: 'text' };
import signInOncePostgres from './sql/postgres/0010-sign-in-once.sql' with { type: 'text' };
import arithmetic from './sql/postgres/functions/arithmetic.sql' with { type: 'text' };
import batch from './sql/postgres/functions/batch.sql' with { type: 'text' };
import holds from './sql/postgres/functions/holds.sql' with { type: 'text' };
import orders from './sql/postgres/functions/orders.sql' with { type: 'text' };
import plain from './sql/postgres/functions/plain.sql' with { type: 'text' };
import settlements from './sql/postgres/functions/settlements.sql' with { type: 'text' };
import booksSqlite from './sql/sqlite/0001-books.sql' with { type: 'text' };
import fullLedgerSqlite from './sql/sqlite/0002-full-ledger.sql' with { type: 'text' };
import keysAndLimitsSqlite from './sql/sqlite/0003-keys-and-limits.sql' with { type: 'text' };
import topUpsSqlite from './sql/sqlite/0004-top-ups.sql' with { type: 'text' };
import idempotencySqlite from './sql/sqlite/0005-idempotency.sql' with { type: 'text' };
import reportsSqlite from './sql/sqlite/0006-reports.sql' with { type: 'text' };
import usageByMonthSqlite from './sql/sqlite/0007-usage-by-month.sql' with { type: 'text' };
import peopleSqlite from './sql/sqlite/0008-people.sql' with { type: 'text' };
import consoleSqlite from './sql/sqlite/0009-console.sql' with { type: 'text' };
import signInOnceSqlite from './sql/sqlite/0010-sign-in-once.sql' with { type: 'text' };
import { fillRollUps } from './sqlite/roll-up.ts';

export type Migration = {
  readonly id: number;
  readonly name: string;
  /** Statements of the step as SQLite, and as PostgreSQL, wants them. */
  readonly sqlite: string;
  readonly postgres: string;
  /** What SQL cannot do of the step in SQLite, in the same transaction. */
  readonly finish?: (file: SqliteFile) => void;
};

/** A step that was ever released is never edited: a change of the schema is a new step. */
export const MIGRATIONS: readonly Migration[] = [
  { id: 1, name: 'books', sqlite: booksSqlite, postgres: booksPostgres },
  {
    id: 2,
    name: 'full-ledger',
    sqlite: fullLedgerSqlite,
    // No books were kept in PostgreSQL before this step, so it has nothing to fill in.
    // With it come the functions that decide; a later step that changes one replaces it.
    postgres: [fullLedgerPostgres, arithmetic, holds, settlements, plain, orders, batch].join('\n'),
    finish: fillRollUps,
  },
  { id: 3, name: 'keys-and-limits', sqlite: keysAndLimitsSqlite, postgres: keysAndLimitsPostgres },
  { id: 4, name: 'top-ups', sqlite: topUpsSqlite, postgres: topUpsPostgres },
  { id: 5, name: 'idempotency', sqlite: idempotencySqlite, postgres: idempotencyPostgres },
  { id: 6, name: 'reports', sqlite: reportsSqlite, postgres: reportsPostgres },
  { id: 7, name: 'usage-by-month', sqlite: usageByMonthSqlite, postgres: usageByMonthPostgres },
  { id: 8, name: 'people', sqlite: peopleSqlite, postgres: peoplePostgres },
  { id: 9, name: 'console', sqlite: consoleSqlite, postgres: consolePostgres },
  { id: 10, name: 'sign-in-once', sqlite: signInOnceSqlite, postgres: signInOncePostgres },
];
