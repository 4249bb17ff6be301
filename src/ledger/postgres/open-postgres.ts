/**
 * The store for several nodes: one PostgreSQL database, version 15 or newer.
 *
 * The isolation level READ COMMITTED is enough, because a batch first locks all accounts that it
 * may change, in the same order on all nodes. Only the status of keys and accounts is read without
 * a lock. So a revocation that commits during a hold may take effect before or after that hold. The
 * revocation returns when no node decides holds of the key in memory any more, or after
 * `RECALL_WAIT_MS`.
 */
import type { Clock } from '../../clock.ts';
import type { Secret } from '../../config/secret.ts';
import { GatewayError } from '../../errors.ts';
import { MIGRATIONS } from '../../store/migrations.ts';
import { refuseDryRun } from '../../store/postgres/dry-run.ts';
import { checkPooler, refuseDropped, whyNotOpened } from '../../store/postgres/pooler.ts';
import { copyFromPostgres } from '../../store/postgres/postgres-copy.ts';
import { durabilityRisks } from '../../store/postgres/postgres-durability.ts';
import {
  type LinkOptions,
  newTimelines,
  PostgresLink,
} from '../../store/postgres/postgres-link.ts';
import { MIGRATE_MS, migratePostgres } from '../../store/postgres/postgres-migrate.ts';
import { PLAIN_LINKS, PostgresSql, type SqlLimits } from '../../store/postgres/postgres-sql.ts';
import { ReplicaReads } from '../../store/postgres/replica-reads.ts';
import { readsOfStore } from '../../store/report-reads.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { pingStore } from '../../store/store.ts';
import { AssignedLedger } from '../assigned/assigned-ledger.ts';
import type { OnFault } from '../assigned/assignments.ts';
import type { OnUnanswered } from '../assigned/unanswered-recall.ts';
import type { Database } from '../database.ts';
import type { Ledger } from '../ledger.ts';
import { LEASE_MS } from '../node-lease.ts';
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
    /** A node that needs money gets at most 1 / `share` of a wallet's free money: see `SHARE`. */
    readonly share: number;
  };

export const POSTGRES_LIMITS: PostgresLimits = {
  ...COMMIT_LIMITS,
  answerMs: 10_000,
  promptMs: 2_000,
  share: SHARE,
};

/**
 * The number of direct connections for the lease and for pings, which reports and locks cannot
 * delay.
 */
const PROMPT_LINKS = 2;
/** The number of pooled connections for pings, so that a node is only ready if the pooler works. */
const PING_LINKS = 1;

/** The time limit of a `verify` query, which may read millions of receipts. */
const VERIFY_MS = 1_800_000;

export type PostgresOptions = {
  /** `postgres://user:password@host/database`, or the same with several servers of a cluster. */
  readonly url: Secret;
  /** The server's own address, if `url` is the address of a pooler in transaction mode. */
  readonly direct?: Secret | null;
  /**
   * The address of a replica. Reports are read from the replica while its replication lag is small.
   */
  readonly replica?: Secret | null;
  readonly clock: Clock;
  readonly limits?: Partial<PostgresLimits>;
  /** Whether a database that a dry run has filled may be opened. By default, it is refused. */
  readonly mayBeDryRun?: boolean;
  /** Called with a message for each server setting that could lose acknowledged commits. */
  readonly warn?: (message: string) => void;
  readonly onFault?: OnFault;
  readonly onUnanswered?: OnUnanswered;
};

/**
 * Opens the store and updates its schema.
 * @throws Error with a message for the operator that does not contain the URL.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { clock, limits, direct, onFault = () => {}, onUnanswered = () => {} } = options;
  const { answerMs, promptMs, share, ...commitLimits } = { ...POSTGRES_LIMITS, ...limits };
  await prepare(options);
  const timelines = newTimelines();
  /**
   * The options of the connections for money commands and for other SQL. These connections use the
   * pooler, if there is one, so that many nodes share few connections of the server.
   */
  const pooled = { url: options.url, isPooled: direct != null, clock, timelines };
  /**
   * The options of the direct connections for the lease, notices and slow work, which must not
   * depend on a pooler.
   */
  const own =
    direct == null
      ? { url: options.url, clock, timelines }
      : { url: direct, clock, timelines: newTimelines() };
  const { attemptMs } = commitLimits;
  const money = new PostgresLink({ ...pooled, statementMs: attemptMs, lockMs: attemptMs });
  const store = new PostgresAssignments({ link: money, clock, limits: commitLimits, share });
  const assigned = new AssignedLedger({ store, clock, onFault, onUnanswered });
  const plain = { ...pooled, statementMs: answerMs, lockMs: answerMs };
  const sql: PostgresSql = new PostgresSql(plain, { answerMs }, PLAIN_LINKS, (accountIds) =>
    recall({ assigned, sql, clock, onUnanswered }, accountIds),
  );
  const promptly = { statementMs: promptMs, lockMs: promptMs };
  const prompt = new PostgresSql({ ...own, ...promptly }, { answerMs: promptMs }, PROMPT_LINKS);
  const pinged =
    direct == null
      ? prompt
      : new PostgresSql({ ...pooled, ...promptly }, { answerMs: promptMs }, PING_LINKS);
  const notices = new RecallNotices(
    new PostgresLink({
      ...{ ...own, ...promptly },
      onNotification: (accountId) => void assigned.recalled([accountId]),
    }),
    promptMs,
  );
  const checkpoints = new StoredCheckpoints(sql, clock);
  const reports = reportsOf(options, sql, assigned.right, answerMs);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await Promise.all([store.close(), checkpoints.close()]);
    const links = [money, sql, prompt, pinged, notices, reports];
    await Promise.all(links.map((each) => each.close()));
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  const verify: Ledger['verify'] = async () => {
    const long = new PostgresSql(
      { ...own, statementMs: VERIFY_MS, lockMs: answerMs },
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
    reports: reports.reads,
    prompt,
    ping: () => pingStore(pinged, clock.nowMs()),
    engine: 'postgres',
    isLive: (epoch) => assigned.right.isLive(epoch),
    nowMs: () => assigned.right.storeNowMs,
    backup: (path) => copyFromPostgres(path, { ...own, verify: breachesIn }),
    close: closeOnce,
  };
}

/**
 * Counts the violations of invariants in a snapshot of the database. In the snapshot, the money
 * that nodes hold in memory is stored as assigned to these nodes.
 */
const breachesIn = async (snapshot: Queries): Promise<number> =>
  (await verifyLedger(snapshot, 'stored')).length;

function reportsOf(
  { replica, clock, warn = () => {} }: PostgresOptions,
  primary: SqlExecutor,
  right: { readonly epoch: string | null },
  answerMs: number,
) {
  if (replica == null) return { reads: readsOfStore(primary), close: async () => {} };
  const limits = { statementMs: answerMs, lockMs: answerMs };
  const read = { url: replica, mayBeStandby: true, clock, ...limits };
  const links = new PostgresSql(read, { answerMs }, PLAIN_LINKS);
  const deps = { primary, clock, warn, epoch: () => right.epoch, leaseMs: LEASE_MS };
  const reads = new ReplicaReads({ ...deps, replica: links });
  const close = async (): Promise<void> => {
    reads.close();
    await links.close();
  };
  return { reads, close };
}

/** Thrown when a database could not be opened. The message names the address and the reason. */
class NotOpened extends Error {}

/**
 * Migrates the schema and checks that the database may be used. If `direct` is set, also checks the
 * pooler at `url`. Warns of durability risks.
 * @throws Error with a message for the operator.
 */
async function prepare(options: PostgresOptions): Promise<void> {
  const { url, direct, clock, mayBeDryRun = false, warn = () => {} } = options;
  const patient = { clock, statementMs: MIGRATE_MS, lockMs: 0 };
  await withLink({ ...patient, url: direct ?? url }, async (own) => {
    await refuseDropped(own, MIGRATE_MS);
    await migratePostgres(own, MIGRATIONS, clock, warn);
    if (!mayBeDryRun) await refuseDryRun(own);
    for (const risk of await durabilityRisks(own)) warn(risk);
    if (direct == null) return;
    await withLink({ ...patient, url, isPooled: true }, (pooled) =>
      checkPooler(pooled, own, clock),
    );
  });
}

async function withLink<Answer>(
  options: LinkOptions,
  work: (link: PostgresLink) => Promise<Answer>,
): Promise<Answer> {
  const link = new PostgresLink(options);
  try {
    return await work(link);
  } catch (thrown) {
    if (thrown instanceof GatewayError || thrown instanceof NotOpened) throw thrown;
    const through = options.isPooled === true ? ' through the pooler' : '';
    const why = whyNotOpened(thrown);
    throw new NotOpened(`The database could not be opened${through}: ${why}`, { cause: thrown });
  } finally {
    await link.close();
  }
}
