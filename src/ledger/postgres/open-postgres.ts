/**
 * The store for several nodes: one PostgreSQL database, version 15 or newer.
 *
 * READ COMMITTED is enough: a batch first locks every account that it may change, in the same order
 * on all nodes. Only the status of keys and accounts is read without a lock, so a revocation that
 * commits during a hold may take effect before or after that hold. Its caller hears of success when
 * no node holds for the key any more.
 */
import type { Clock } from '../../clock.ts';
import type { Secret } from '../../config/secret.ts';
import { GatewayError } from '../../errors.ts';
import { MIGRATIONS } from '../../store/migrations.ts';
import { refuseDryRun } from '../../store/postgres/dry-run.ts';
import { copyFromPostgres } from '../../store/postgres/postgres-copy.ts';
import { durabilityRisks } from '../../store/postgres/postgres-durability.ts';
import { PostgresLink } from '../../store/postgres/postgres-link.ts';
import { MIGRATE_MS, migratePostgres } from '../../store/postgres/postgres-migrate.ts';
import { PLAIN_LINKS, PostgresSql, type SqlLimits } from '../../store/postgres/postgres-sql.ts';
import { pingStore } from '../../store/store.ts';
import { AssignedLedger } from '../assigned/assigned-ledger.ts';
import type { OnFault } from '../assigned/assignments.ts';
import type { OnUnanswered } from '../assigned/unanswered-recall.ts';
import type { Database } from '../database.ts';
import type { Ledger } from '../ledger.ts';
import { type Queries, verifyLedger } from '../verify.ts';
import { PostgresAssignments, SHARE } from './postgres-assignments.ts';
import { COMMIT_LIMITS, type CommitLimits } from './postgres-commits.ts';
import { postgresNode, recall } from './postgres-node.ts';
import { RecallNotices } from './recall-notices.ts';
import { StoredCheckpoints } from './stored-checkpoints.ts';

export type PostgresLimits = CommitLimits &
  SqlLimits & {
    /** Time limit of lease renewals and pings. Several renewals must fit into one lease. */
    readonly promptMs: number;
    /** See `SHARE`. */
    readonly share: number;
  };

export const POSTGRES_LIMITS: PostgresLimits = {
  ...COMMIT_LIMITS,
  answerMs: 10_000,
  promptMs: 2_000,
  share: SHARE,
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
  readonly onFault?: OnFault;
  readonly onUnanswered?: OnUnanswered;
};

/** Opens the store and updates its schema. @throws Error for the operator, without the URL. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, clock, limits, mayBeDryRun = false, warn = () => {} } = options;
  const { onFault = () => {}, onUnanswered = () => {} } = options;
  const { answerMs, promptMs, share, ...commitLimits } = { ...POSTGRES_LIMITS, ...limits };
  const patient = { url, clock, statementMs: MIGRATE_MS, lockMs: 0 };
  await withLink(patient, async (link) => {
    await migratePostgres(link, MIGRATIONS, clock, warn);
    if (!mayBeDryRun) await refuseDryRun(link);
    for (const risk of await durabilityRisks(link)) warn(risk);
  });
  const { attemptMs } = commitLimits;
  const money = new PostgresLink({ url, clock, statementMs: attemptMs, lockMs: attemptMs });
  const store = new PostgresAssignments({ link: money, clock, limits: commitLimits, share });
  const assigned = new AssignedLedger({ store, clock, onFault, onUnanswered });
  const plain = { url, clock, statementMs: answerMs, lockMs: answerMs };
  const sql: PostgresSql = new PostgresSql(plain, { answerMs }, PLAIN_LINKS, (accountIds) =>
    recall({ assigned, sql, clock, onUnanswered }, accountIds),
  );
  const prompt = new PostgresSql(
    { url, clock, statementMs: promptMs, lockMs: promptMs },
    { answerMs: promptMs },
    PROMPT_LINKS,
  );
  const notices = new RecallNotices(
    new PostgresLink({
      ...{ url, clock, statementMs: promptMs, lockMs: promptMs },
      onNotification: (accountId) => void assigned.recalled([accountId]),
    }),
    promptMs,
  );
  const checkpoints = new StoredCheckpoints(sql, clock);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await Promise.all([store.close(), checkpoints.close()]);
    await Promise.all([money.close(), sql.close(), prompt.close(), notices.close()]);
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
      return [...(await verifyLedger(long, 'stored')), ...assigned.breaches()];
    } finally {
      await long.close();
    }
  };
  return {
    ledger: {
      ...(await postgresNode({ assigned, checkpoints, sql, prompt, notices })),
      verify,
      [Symbol.asyncDispose]: closeOnce,
    },
    sql,
    ping: () => pingStore(prompt, clock.nowMs()),
    engine: 'postgres',
    backup: (path) => copyFromPostgres(path, { url, clock, verify: breachesIn }),
    close: closeOnce,
  };
}

/** Counts the breaches in a snapshot, in which the holds in memory are assigned money. */
const breachesIn = async (snapshot: Queries): Promise<number> =>
  (await verifyLedger(snapshot, 'stored')).length;

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
