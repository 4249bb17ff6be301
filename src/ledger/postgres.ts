/**
 * The store of several nodes: one PostgreSQL database, 15 or newer. Commands are gathered as for SQLite,
 * and decided by functions in the database (see `sql/postgres/functions`).
 *
 * READ COMMITTED is enough: a batch first locks every wallet and spend meter that it may change, in one
 * order over all nodes, and each statement after that sees what was committed before the locks were had.
 * Whatever a decision counts on (balance, holds, receipts, refunds, what caps have left) changes under
 * those locks only. Whether a key and an account are active is read in the hold itself, without a lock: a
 * revocation that commits while a hold is being made has come before it or after it, as it may.
 */
import type { Clock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import { publishCards, receiptFor, spentBy, walletsOf } from './book-records.ts';
import { checkCommand } from './check-command.ts';
import type { Database, SqlExecutor } from './database.ts';
import { GroupCommit } from './group-commit.ts';
import { pingStore } from './heartbeat.ts';
import type { Command, Ledger, Outcome } from './ledger.ts';
import { MIGRATIONS } from './migrations.ts';
import { REAP_BATCH } from './plan.ts';
import { COMMIT_LIMITS, type CommitLimits, PostgresCommits } from './postgres-commits.ts';
import { PostgresLink } from './postgres-link.ts';
import { MIGRATE_MS, migratePostgres } from './postgres-migrate.ts';
import { PostgresSql, type SqlLimits } from './postgres-sql.ts';
import { integer } from './receipt-row.ts';
import { verifyBooks } from './verify.ts';
import type { Reply } from './wire.ts';
import { fault } from './worker-link.ts';

export type PostgresLimits = CommitLimits & SqlLimits;

export const POSTGRES_LIMITS: PostgresLimits = { ...COMMIT_LIMITS, answerMs: 10_000 };

/** A law of the books over millions of receipts. */
const VERIFY_MS = 1_800_000;

export type PostgresOptions = {
  /** `postgres://user:password@host/database` */
  readonly url: Secret;
  readonly clock: Clock;
  readonly limits?: Partial<PostgresLimits>;
};

/**
 * Opens the store and brings its schema up to date.
 * @throws Error when it cannot be reached, is too old, or was written by a newer version; the message is
 *   for the operator and does not show the address.
 */
export async function openPostgres({ url, clock, limits }: PostgresOptions): Promise<Database> {
  const { answerMs, ...commitLimits } = { ...POSTGRES_LIMITS, ...limits };
  const patient = { url, clock, statementMs: MIGRATE_MS, lockMs: 0 };
  await withLink(patient, (link) => migratePostgres(link, MIGRATIONS, clock));
  const { attemptMs } = commitLimits;
  const money = new PostgresLink({ url, clock, statementMs: attemptMs, lockMs: attemptMs });
  const writer = new PostgresCommits(money, clock, commitLimits);
  const commits = new GroupCommit<Command, Reply>((batch) => writer.write(batch));
  const plain = { url, clock, statementMs: answerMs, lockMs: answerMs };
  const sql = new PostgresSql(plain, { answerMs });
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await commits.close();
    await Promise.all([money.close(), sql.close()]);
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  const verify: Ledger['verify'] = async () => {
    const long = new PostgresSql(
      { url, clock, statementMs: VERIFY_MS, lockMs: answerMs },
      { answerMs: VERIFY_MS },
      1,
    );
    try {
      return await verifyBooks(long);
    } finally {
      await long.close();
    }
  };
  return {
    ledger: ledgerOver({ sql, commits, verify, close: closeOnce }),
    sql,
    ping: () => pingStore(sql, clock.nowMs()),
    close: closeOnce,
  };
}

type Parts = {
  readonly sql: SqlExecutor;
  readonly commits: GroupCommit<Command, Reply>;
  readonly verify: Ledger['verify'];
  readonly close: () => Promise<void>;
};

function ledgerOver({ sql, commits, verify, close }: Parts): Ledger {
  return {
    apply: async (batch) => {
      for (const command of batch) checkCommand(command);
      return (await commits.submit(batch)).map(outcomeOf);
    },
    wallets: (accountId) => walletsOf(sql, accountId),
    receipt: (requestId) => receiptFor(sql, requestId),
    spentByKey: (keyId) => spentBy(sql, keyId),
    publish: (cards, rates) => publishCards(sql, cards, rates),
    ...leasesOver(sql),
    verify,
    [Symbol.asyncDispose]: close,
  };
}

/** Leases run by the server's clock, which all nodes share. */
function leasesOver(sql: SqlExecutor): Pick<Ledger, 'join' | 'renew' | 'leave' | 'reap'> {
  return {
    join: async ({ epoch, name }, leaseMs) => {
      const [row] = await sql.query({
        sql: 'SELECT books_join($1, $2, $3) AS is_joined',
        params: [epoch, name, leaseMs],
      });
      return row?.['is_joined'] === 1n ? 'joined' : 'name_in_use';
    },
    renew: async (epoch, leaseMs) => {
      const [renewed, live] = await sql.transaction([
        {
          sql: `UPDATE node SET lease_until_ms = books_now_ms() + $2::bigint
                WHERE epoch = $1 AND lease_until_ms > books_now_ms() RETURNING epoch`,
          params: [epoch, leaseMs],
        },
        {
          sql: 'SELECT COUNT(*) AS nodes FROM node WHERE lease_until_ms > books_now_ms()',
          params: [],
        },
      ]);
      const isLive = (renewed ?? []).length > 0;
      return { isLive, nodes: isLive ? Number(live?.[0]?.['nodes']) : 0 };
    },
    leave: async (epoch) => {
      await sql.query({
        sql: `UPDATE node SET lease_until_ms = books_now_ms()
              WHERE epoch = $1 AND lease_until_ms > books_now_ms()`,
        params: [epoch],
      });
    },
    reap: async () => {
      const [row] = await sql.query({
        sql: 'SELECT settled, voided FROM books_reap($1)',
        params: [REAP_BATCH],
      });
      if (row === undefined) throw new Error('books_reap answered nothing');
      return { settled: Number(integer(row, 'settled')), voided: Number(integer(row, 'voided')) };
    },
  };
}

/** @throws GatewayError when the command met a fault: nothing of it was written. */
function outcomeOf(reply: Reply): Outcome {
  if (reply.status === 'fault') throw fault(reply.code, reply.message);
  return reply;
}

async function withLink<Answer>(
  options: ConstructorParameters<typeof PostgresLink>[0],
  work: (link: PostgresLink) => Promise<Answer>,
): Promise<Answer> {
  const link = new PostgresLink(options);
  try {
    return await work(link);
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw thrown;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`The database could not be opened: ${why}`, { cause: thrown });
  } finally {
    await link.close();
  }
}
