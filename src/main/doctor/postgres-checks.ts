/** Checks of `doctor` on PostgreSQL: version, settings, free connections, clock and pooler. */
import type { Clock } from '../../clock.ts';
import type { Secret } from '../../config/secret.ts';
import {
  checkPooler,
  isOfPooler,
  POOLER_REMEDY,
  refuseDropped,
} from '../../store/postgres/pooler.ts';
import { durabilityRisks } from '../../store/postgres/postgres-durability.ts';
import { NoPrimary, PostgresLink } from '../../store/postgres/postgres-link.ts';
import { OLDEST_SERVER } from '../../store/postgres/postgres-migrate.ts';
import { type Finding, fail, ok, reasonOf, warn } from './finding.ts';

export type ServerFacts = {
  /** `server_version_num` and `server_version`, such as 150004 and `15.4`. */
  readonly number: number;
  readonly version: string;
  /** Whether the connection goes to another machine without TLS, although it carries secrets. */
  readonly isPlain: boolean;
  /**
   * The value of `synchronous_commit` on a connection for which the gateway asked for `on`. It is
   * `off` if a pooler dropped that setting.
   */
  readonly synchronousCommit: string;
  /** Whether the user may create tables, which every start needs. */
  readonly mayCreate: boolean;
  /** The number of connections that clients can still open. */
  readonly freeConnections: number;
  /** How many milliseconds the server's clock is ahead of this machine's. */
  readonly aheadMs: number;
  readonly risks: readonly string[];
};

const CHECK = 'PostgreSQL';
const ASK_MS = 10_000;
/**
 * The maximum connections of a node: 7 in operation, one for a migration, and one for a
 * verification.
 */
const NODE_CONNECTIONS = 9;
/**
 * The check warns if the clocks of this machine and of the database server differ by more than
 * this, in milliseconds.
 */
const CLOCK_WARN_MS = 1_000;
/**
 * The check fails if the clocks of this machine and of the database server differ by more than
 * this, in milliseconds. One-time passwords then fail, and spending periods begin at wrong times.
 */
const CLOCK_FAIL_MS = 30_000;

const FACTS = `SELECT current_setting('server_version_num')::text AS number,
    current_setting('server_version') AS version,
    (COALESCE(inet_server_addr() <> inet_client_addr(), false) AND NOT EXISTS
      (SELECT 1 FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl))::text AS is_plain,
    current_setting('synchronous_commit') AS synchronous_commit,
    COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false)::text AS may_create,
    (current_setting('max_connections')::bigint
      - current_setting('superuser_reserved_connections')::bigint
      - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'))::text AS free,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text AS now_ms`;

type FactsRow = {
  readonly number: string;
  readonly version: string;
  readonly is_plain: string;
  readonly synchronous_commit: string;
  readonly may_create: string;
  readonly free: string;
  readonly now_ms: string;
};

/**
 * Checks the server and, if configured, the pooler, over one connection each. Changes nothing, and
 * closes the connections at the end.
 * @param direct the server behind the pooler at `url`; null without a pooler.
 */
export async function postgresFindings(
  url: Secret,
  direct: Secret | null,
  clock: Clock,
): Promise<readonly Finding[]> {
  const own = linkTo(direct ?? url, false, clock);
  try {
    const found = await ownFindings(own, clock);
    return direct === null ? found : [...found, await poolerFinding(url, own, clock)];
  } finally {
    await own.close();
  }
}

const linkTo = (url: Secret, isPooled: boolean, clock: Clock): PostgresLink =>
  new PostgresLink({ url, isPooled, clock, statementMs: ASK_MS, lockMs: ASK_MS });

async function poolerFinding(url: Secret, own: PostgresLink, clock: Clock): Promise<Finding> {
  const pooled = linkTo(url, true, clock);
  try {
    await checkPooler(pooled, own, clock);
    return ok('pooler', 'its connections have what the gateway needs');
  } catch (thrown) {
    const found = `The gateway cannot work through the pooler: ${reasonOf(thrown)}`;
    const remedy = 'Change the settings of the pooler as docs/operate/pooling.md describes.';
    return fail('pooler', { found, remedy });
  } finally {
    await pooled.close();
  }
}

async function ownFindings(link: PostgresLink, clock: Clock): Promise<readonly Finding[]> {
  try {
    await refuseDropped(link, ASK_MS);
    // Compares the clocks by the second query, because the first one also takes the time to
    // connect.
    const risks = await durabilityRisks(link);
    const askedAtMs = clock.nowMs();
    const [row] = await link.ask(ASK_MS, async (client) => await client.unsafe<FactsRow[]>(FACTS));
    const heardAtMs = clock.nowMs();
    if (row === undefined) throw new Error('PostgreSQL did not answer with a row');
    return serverFindings({
      ...{ number: Number(row.number), version: row.version, risks },
      isPlain: row.is_plain === 'true',
      synchronousCommit: row.synchronous_commit,
      mayCreate: row.may_create === 'true',
      freeConnections: Number(row.free),
      aheadMs: Number(row.now_ms) - (askedAtMs + heardAtMs) / 2,
    });
  } catch (thrown) {
    return [unreachable(thrown)];
  }
}

function unreachable(thrown: unknown): Finding {
  if (thrown instanceof NoPrimary && thrown.isStandby) {
    const found = `No server in \`database\` accepts writes: ${thrown.message}.`;
    const remedy =
      'Set `database` to the primary, or to all servers of the cluster: postgres://one:5432,two:5432/name.';
    return fail(CHECK, { found, remedy });
  }
  const isPooler = isOfPooler(thrown);
  const remedy = isPooler
    ? POOLER_REMEDY
    : 'Check the address, the password and `pg_hba.conf` of the server, and that it is running.';
  const what = isPooler ? 'The address is that of a pooler' : 'The database cannot be reached';
  return fail(CHECK, { found: `${what}: ${reasonOf(thrown)}.`, remedy });
}

export function serverFindings(facts: ServerFacts): readonly Finding[] {
  const { number, version, synchronousCommit, risks } = facts;
  if (number < OLDEST_SERVER) {
    const found = `The server is PostgreSQL ${version}.`;
    return [fail(CHECK, { found, remedy: 'Upgrade it to version 15 or newer.' })];
  }
  const unflushed =
    synchronousCommit !== 'off'
      ? []
      : [
          fail('PostgreSQL commits', {
            found: `synchronous_commit is ${synchronousCommit} on a connection that asked for \`on\`: a crash can lose acknowledged charges.`,
            remedy:
              'Connect without the pooler that drops this setting, or set synchronous_commit to on in the server.',
          }),
        ];
  const risky = risks.map((risk) => {
    const end = risk.indexOf('. ') + 1;
    return warn('PostgreSQL durability', {
      found: risk.slice(0, end),
      remedy: risk.slice(end + 1),
    });
  });
  return [
    ok(CHECK, `version ${version}`),
    ...(facts.isPlain ? [PLAIN] : []),
    ...(facts.mayCreate ? [] : [NO_RIGHTS]),
    ...unflushed,
    ...risky,
    connectionsFinding(facts),
    clockFinding('clock', 'the database', facts.aheadMs),
  ];
}

const NO_RIGHTS = fail('PostgreSQL rights', {
  found: 'The user may not create tables in the database, so the gateway cannot start.',
  remedy: 'Make it the owner: ALTER DATABASE name OWNER TO user.',
});

const PLAIN = warn('PostgreSQL TLS', {
  found:
    'The connection to the database is not encrypted, although the server is on another machine.',
  remedy:
    'Turn on `ssl` in the server, and end the address with `?sslmode=verify-full` (NODE_EXTRA_CA_CERTS names the file of your own certificate authority).',
});

function connectionsFinding({ freeConnections }: ServerFacts): Finding {
  const check = 'PostgreSQL connections';
  const found = `${freeConnections} connections are free; a node needs ${NODE_CONNECTIONS}.`;
  if (freeConnections >= 2 * NODE_CONNECTIONS) return ok(check, found);
  const remedy =
    'Raise max_connections of the server, or close connections of other programs (running nodes already have theirs).';
  return (freeConnections < NODE_CONNECTIONS ? fail : warn)(check, { found, remedy });
}

/**
 * Compares another machine's clock with this machine's.
 * @param aheadMs how many milliseconds the clock of `other` is ahead.
 */
export function clockFinding(check: string, other: string, aheadMs: number): Finding {
  const distance = Math.abs(aheadMs);
  const seconds = (distance / 1_000).toFixed(1);
  const found = `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} that of ${other}.`;
  if (distance <= CLOCK_WARN_MS) return ok(check, found);
  const remedy = 'Synchronize both with NTP: `timedatectl set-ntp true`, or chrony.';
  return (distance > CLOCK_FAIL_MS ? fail : warn)(check, { found, remedy });
}
