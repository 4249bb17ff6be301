/**
 * The store for several nodes: one PostgreSQL database, version 15 or newer.
 *
 * READ COMMITTED is enough: a batch first locks every account that it may change, in the same order
 * on all nodes. Only the status of keys and accounts is read without a lock, so a revocation that
 * commits during a hold may take effect before or after that hold.
 */
import type { Clock } from '../../clock.ts';
import type { Secret } from '../../config/secret.ts';
import { GatewayError } from '../../errors.ts';
import { MIGRATIONS } from '../../store/migrations.ts';
import { refuseDryRun } from '../../store/postgres/dry-run.ts';
import { durabilityRisks } from '../../store/postgres/postgres-durability.ts';
import { PostgresLink } from '../../store/postgres/postgres-link.ts';
import { MIGRATE_MS, migratePostgres } from '../../store/postgres/postgres-migrate.ts';
import { PostgresSql, type SqlLimits } from '../../store/postgres/postgres-sql.ts';
import { integer } from '../../store/row.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { pingStore } from '../../store/store.ts';
import type { Database } from '../database.ts';
import { GroupCommit } from '../group-commit.ts';
import type { Command, Ledger, Reaped } from '../ledger.ts';
import { REAP_BATCH } from '../settlement-plan.ts';
import { sharedLedger, storedLedger } from '../shared-ledger.ts';
import { verifyLedger } from '../verify.ts';
import type { Reply } from '../wire.ts';
import { COMMIT_LIMITS, type CommitLimits, PostgresCommits } from './postgres-commits.ts';
import { COMMANDS } from './postgres-wire.ts';
import { StoredCheckpoints } from './stored-checkpoints.ts';

export type PostgresLimits = CommitLimits &
  SqlLimits & {
    /** Time limit of lease renewals and pings. Several renewals must fit into one lease. */
    readonly promptMs: number;
  };

export const POSTGRES_LIMITS: PostgresLimits = {
  ...COMMIT_LIMITS,
  answerMs: 10_000,
  promptMs: 2_000,
};

/** The connections for the lease and for pings, which reports and locks do not delay. */
const PROMPT_LINKS = 2;

/** Time limit of one `verify` query, which may read millions of receipts. */
const VERIFY_MS = 1_800_000;

export type PostgresOptions = {
  /** `postgres://user:password@host/database` */
  readonly url: Secret;
  readonly clock: Clock;
  readonly limits?: Partial<PostgresLimits>;
  /** Whether to open the copy of a dry-run migration. By default such a copy is refused. */
  readonly mayBeDryRun?: boolean;
  /** Called with a message for each server setting that could lose acknowledged commits. */
  readonly warn?: (message: string) => void;
};

/** Opens the store and updates its schema. @throws Error for the operator, without the URL. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, clock, limits, mayBeDryRun = false, warn = () => {} } = options;
  const { answerMs, promptMs, ...commitLimits } = { ...POSTGRES_LIMITS, ...limits };
  const patient = { url, clock, statementMs: MIGRATE_MS, lockMs: 0 };
  await withLink(patient, async (link) => {
    await migratePostgres(link, MIGRATIONS, clock);
    if (!mayBeDryRun) await refuseDryRun(link);
    for (const risk of await durabilityRisks(link)) warn(risk);
  });
  const { attemptMs } = commitLimits;
  const money = new PostgresLink({ url, clock, statementMs: attemptMs, lockMs: attemptMs });
  const writer = new PostgresCommits(COMMANDS, money, clock, commitLimits);
  const commits = new GroupCommit<Command, Reply>((batch) => writer.write(batch));
  const plain = { url, clock, statementMs: answerMs, lockMs: answerMs };
  const sql = new PostgresSql(plain, { answerMs });
  const prompt = new PostgresSql(
    { url, clock, statementMs: promptMs, lockMs: promptMs },
    { answerMs: promptMs },
    PROMPT_LINKS,
  );
  const checkpoints = new StoredCheckpoints(sql, clock);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await Promise.all([commits.close(), checkpoints.close()]);
    await Promise.all([money.close(), sql.close(), prompt.close()]);
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
      return await verifyLedger(long, 'stored');
    } finally {
      await long.close();
    }
  };
  return {
    ledger: {
      ...sharedLedger(sql),
      ...storedLedger(commits, checkpoints),
      ...leasesOver(prompt),
      reap: () => reapedBy(sql),
      verify,
      [Symbol.asyncDispose]: closeOnce,
    },
    sql,
    ping: () => pingStore(prompt, clock.nowMs()),
    backup: null,
    close: closeOnce,
  };
}

/** The lease operations. They use the server's clock, which all nodes share. */
function leasesOver(sql: SqlExecutor): Pick<Ledger, 'join' | 'renew' | 'leave'> {
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
  };
}

async function reapedBy(sql: SqlExecutor): Promise<Reaped> {
  const [row] = await sql.query({
    sql: 'SELECT settled, voided FROM books_reap($1)',
    params: [REAP_BATCH],
  });
  if (row === undefined) throw new Error('books_reap returned no row');
  return { settled: Number(integer(row, 'settled')), voided: Number(integer(row, 'voided')) };
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
