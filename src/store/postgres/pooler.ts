/**
 * Poolers in transaction mode, such as PgBouncer. Detects whether the gateway is connected to one,
 * and checks that its connections have the settings that the gateway relies on.
 */
import postgres from 'postgres';
import type { Clock } from '../../clock.ts';
import { type Asking, NoPrimary, type PostgresLink } from './postgres-link.ts';

const ASK_MS = 10_000;
/** The server's time limits for statements and for idle transactions must not exceed this value. */
const LONGEST_MS = 10_000;
/** An advisory lock has two keys. All advisory locks of the gateway have this first key. */
const LOCKS = 1_835_491_700;

export const POOLER_REMEDY =
  'Set `database_direct` to the address of the server itself, and `database` to the address of ' +
  'the pooler (docs/operate/pooling.md).';

/**
 * Settings that must be defaults of the server, because a pooler drops the settings that a client
 * requests for its connection.
 */
const SETTINGS: readonly {
  readonly name: string;
  readonly value: string;
  readonly isFit: (setting: string) => boolean;
}[] = [
  { name: 'statement_timeout', value: '10s', isFit: isBounded },
  { name: 'idle_in_transaction_session_timeout', value: '10s', isFit: isBounded },
  // An acknowledged commit must be on disk.
  { name: 'synchronous_commit', value: 'on', isFit: (set) => /^(?:on|remote_apply)$/.test(set) },
  // Nodes must receive the NOTICE of a trigger. It names an account. Nodes must return the parts of
  // its balance that they keep in memory.
  {
    name: 'client_min_messages',
    value: 'notice',
    isFit: (set) => /^(?:notice|log|debug)/.test(set),
  },
];

function isBounded(ms: string): boolean {
  return Number(ms) > 0 && Number(ms) <= LONGEST_MS;
}

/** Thrown when the address leads to a pooler, but must lead to the server itself. */
class DroppedSettings extends Error {
  override readonly name = 'DroppedSettings';
}

/**
 * Whether an error comes from a pooler. A pooler may refuse or drop a setting of a connection; a
 * server never does.
 */
export function isOfPooler(thrown: unknown): boolean {
  const reason = thrown instanceof NoPrimary ? thrown.cause : thrown;
  const isRefused = reason instanceof postgres.PostgresError && reason.code === '08P01';
  return isRefused || reason instanceof DroppedSettings;
}

/** What to do about a refusal of the server, by its SQLSTATE. */
const REMEDIES: Readonly<Record<string, string>> = {
  '42501': 'Make its user the owner of the database: ALTER DATABASE name OWNER TO user',
  '42P07':
    'The database has tables of another program. Use an empty one, made with CREATE DATABASE',
};

/** Returns why the database could not be opened, with the remedy if one is known. */
export function whyNotOpened(thrown: unknown): string {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  if (isOfPooler(thrown)) return `${why}. This is the address of a pooler. ${POOLER_REMEDY}`;
  const remedy = thrown instanceof postgres.PostgresError ? REMEDIES[thrown.code] : undefined;
  return remedy === undefined ? why : `${why}. ${remedy}`;
}

/**
 * Checks that no pooler has dropped the settings of a connection.
 * @throws DroppedSettings when the connection does not have the statement timeout that it
 *   requested.
 */
export async function refuseDropped(link: PostgresLink, statementMs: number): Promise<void> {
  const set = (await link.ask(ASK_MS, settingsOn)).get('statement_timeout');
  if (set === String(statementMs)) return;
  throw new DroppedSettings(`statement_timeout is ${set} on a connection that set another value`);
}

/**
 * Checks a pooled connection against a direct one.
 * @throws Error with a message for the operator when `pooled` leads to another database or lacks a
 *   required setting.
 */
export async function checkPooler(
  pooled: PostgresLink,
  direct: PostgresLink,
  clock: Pick<Clock, 'randomBytes'>,
): Promise<void> {
  if (!(await haveSameLocks(pooled, direct, clock)))
    throw new Error(
      '`database` and `database_direct` are two databases. Both must lead to the same database.',
    );
  const found = await pooled.ask(ASK_MS, settingsOn);
  const unfit = SETTINGS.filter(({ name, isFit }) => !isFit(found.get(name) ?? ''));
  if (unfit.length === 0) return;
  const has = unfit.map(({ name }) => `${name} = ${found.get(name)}`).join(', ');
  const role = found.get('role');
  const remedy = unfit.map(({ name, value }) => `ALTER ROLE ${role} SET ${name} = '${value}';`);
  throw new Error(
    `its connections have ${has}, which the gateway cannot change through a pooler. Run on the ` +
      `server, and reconnect the pooler (docs/operate/pooling.md): ${remedy.join(' ')}`,
  );
}

/**
 * Whether both links lead to the same database. Takes a lock over one link and tries to take it
 * over the other link. This fails only if the database is the same.
 */
async function haveSameLocks(
  pooled: PostgresLink,
  direct: PostgresLink,
  clock: Pick<Clock, 'randomBytes'>,
): Promise<boolean> {
  const keys = `${LOCKS}, ${Buffer.from(clock.randomBytes(4)).readInt32BE()}`;
  return await direct.ask(ASK_MS, (client) =>
    client.begin(async (holding) => {
      await holding.unsafe(`SELECT pg_advisory_xact_lock(${keys})`);
      const [row] = await pooled.ask(ASK_MS, async (asked) =>
        asked.unsafe<{ is_free: bigint }[]>(`SELECT pg_try_advisory_xact_lock(${keys}) AS is_free`),
      );
      return row?.is_free === 0n;
    }),
  );
}

async function settingsOn(client: Asking): Promise<ReadonlyMap<string, string>> {
  const rows = await client.unsafe<{ name: string; setting: string }[]>(
    `SELECT name, setting FROM pg_settings WHERE name IN
       (${SETTINGS.map(({ name }) => `'${name}'`).join(', ')})
     UNION ALL SELECT 'role', quote_ident(current_user)`,
  );
  return new Map(rows.map(({ name, setting }) => [name, setting]));
}
