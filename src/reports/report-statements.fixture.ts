/** The statements of every report, for the tests of their query plans. */
import { AT_MS } from '../ledger/conformance/ledger.fixture.ts';
import { nano } from '../money/amount.ts';
import { DAY_MS } from '../money/calendar.ts';
import type { SqlExecutor, SqlStatement } from '../store/sql.ts';
import { AuditLog } from './audit-log.ts';
import { costsOf } from './books-months-conformance.fixture.ts';
import { BooksReport } from './books-report.ts';
import { StatementsByMonth } from './monthly-statements.ts';
import { ImageSums } from './operator/image-sums.ts';
import { OperatorSummary } from './operator/operator-summary.ts';
import { RequestLog } from './request-log.ts';
import { Spending } from './spending.ts';
import { Statements } from './statements.ts';
import { type UsageDimension, type UsageFilter, UsageReport } from './usage-report.ts';

/**
 * Tables that grow with requests or days. Other tables, such as accounts and price cards, stay
 * small.
 */
export const LARGE =
  'entry|money_transaction|receipt|late_receipt|refund|usage_day|usage_month|audit';

const TIMES = { fromMs: AT_MS - DAY_MS, toMs: AT_MS + 400 * DAY_MS };
export const REQUEST_FILTER = {
  accountId: 'alice',
  ...TIMES,
  keyId: null,
  model: null,
  channel: null,
  upstream: null,
  outcomes: null,
  currency: null,
  minCost: null,
  status: null,
  idPrefix: null,
};
const FIRST_DAY = Math.floor(AT_MS / DAY_MS) - 40;
export const USAGE_FILTER: UsageFilter = {
  accountId: 'alice',
  fromDay: FIRST_DAY,
  toDay: FIRST_DAY + 365,
  keyId: null,
  model: null,
  channel: null,
  currency: null,
};
const GROUPINGS: readonly (readonly UsageDimension[])[] = [
  [],
  ['day'],
  ['model'],
  ['key', 'model', 'channel'],
  ['day', 'model'],
];

export type Ask = (sql: SqlExecutor) => Promise<unknown>;

/**
 * The reports by name. For each: the SQLite index that its statements must use, and a function that
 * asks for the report.
 */
export const REPORTS: Readonly<Record<string, readonly [by: string, Ask]>> = {
  'a wallet': [
    'receipt_in_order',
    (sql) =>
      new Statements(sql).page(
        { accountId: 'alice', currency: 'USD', kind: null, ...TIMES },
        9,
        null,
      ),
  ],
  'movements of a kind': [
    'late_receipt_in_order',
    (sql) =>
      new Statements(sql).page(
        { accountId: 'alice', currency: null, kind: 'refund', ...TIMES },
        9,
        { seq: 99n, line: 1n },
      ),
  ],
  'the months of a wallet': ['entry_of_account', (sql) => new StatementsByMonth(sql).of('alice')],
  'requests of an account': [
    'receipt_of_account',
    (sql) => new RequestLog(sql).page(REQUEST_FILTER, 9, null),
  ],
  'expensive requests of a model': [
    'receipt_of_account',
    (sql) =>
      new RequestLog(sql).page(
        { ...REQUEST_FILTER, model: 'gen-v4-pro', minCost: nano(9n) },
        9,
        null,
      ),
  ],
  'requests of all accounts': [
    'receipt_by_time',
    (sql) => new RequestLog(sql).page({ ...REQUEST_FILTER, accountId: null }, 9, null),
  ],
  'failed requests of all accounts': [
    'receipt_by_time',
    (sql) =>
      new RequestLog(sql).page(
        { ...REQUEST_FILTER, accountId: null, outcomes: ['upstream_error'] },
        9,
        null,
      ),
  ],
  'one request': ['receipt_of_request', (sql) => new RequestLog(sql).one('req_1', 'alice')],
  'use of an account': ['PRIMARY KEY', (sql) => usage(sql, {})],
  'use of a key': ['PRIMARY KEY', (sql) => usage(sql, { keyId: 'key_alice' })],
  'use of all accounts': ['usage_month_by_month', (sql) => usage(sql, { accountId: null })],
  'what a key has spent': ['usage_month_of_key', (sql) => spending(sql).ofKey('key_alice')],
  'what an account has spent': ['PRIMARY KEY', (sql) => spending(sql).ofAccount('alice')],
  'the books': ['INTEGER PRIMARY KEY', (sql) => new BooksReport(sql).balances()],
  'the summary of all accounts': [
    'usage_month_by_month',
    (sql) => new OperatorSummary(sql, costsOf(sql)).of(FIRST_DAY, FIRST_DAY + 365),
  ],
  'the images of a model': ['receipt_images', images],
  'the images of a model that were lost': ['receipt_lost', images],
  'the audit log of a subject': [
    'audit_of_subject',
    (sql) => new AuditLog(sql).page({ ...NO_AUDIT, subject: 'alice' }, 9, null),
  ],
  'the audit log': ['INTEGER PRIMARY KEY', (sql) => new AuditLog(sql).page(NO_AUDIT, 9, null)],
  'the chain of the audit log': ['INTEGER PRIMARY KEY', (sql) => new AuditLog(sql).firstBreak(3n)],
};
const NO_AUDIT = { subject: null, actor: null, action: null, ...TIMES };

async function images(sql: SqlExecutor): Promise<void> {
  const drawn = { model: 'gen-opus-4-8', channel: 'direct', currency: 'USD' } as const;
  const days = { fromDay: FIRST_DAY, toDay: FIRST_DAY + 365 };
  for (const payers of [
    { accountId: null, others: new Set(['bob']) },
    { accountId: 'alice', others: new Set<string>() },
  ]) {
    await new ImageSums(sql).of(drawn, days, payers);
  }
}

const spending = (sql: SqlExecutor): Spending => new Spending(sql, { nowMs: () => AT_MS });

async function usage(sql: SqlExecutor, filter: Partial<UsageFilter>): Promise<void> {
  for (const by of GROUPINGS) {
    await new UsageReport(sql).page({ ...USAGE_FILTER, ...filter }, by, 9, null);
  }
}

/** Returns the statements that a report sends to the store. */
export async function statementsOf(sql: SqlExecutor, ask: Ask): Promise<readonly SqlStatement[]> {
  const sent: SqlStatement[] = [];
  await ask({
    query: async (statement) => {
      sent.push(statement);
      return await sql.query(statement);
    },
    transaction: () => Promise.reject(new Error('a report writes nothing')),
  });
  return sent;
}
