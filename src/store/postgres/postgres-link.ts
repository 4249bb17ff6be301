/**
 * One connection to PostgreSQL, replaced when it fails. Deadlines detect a frozen server. If the
 * address names several servers, the link finds the writable one. The driver's own reconnection is
 * not used, because it retries without a pause, even after the link is closed, and then sends an
 * outdated query.
 */
import postgres from 'postgres';
import type { Clock } from '../../clock.ts';
import { postgresServers } from '../../config/address.ts';
import { Secret } from '../../config/secret.ts';

/** The idle time before TCP keep-alive probes, which detect a lost server between queries. */
const KEEP_ALIVE_SECONDS = 30;
/** The time limit for connecting, which matters on a network that drops packets. */
const CONNECT_SECONDS = 5;
/** The time limit for checking whether a server is writable. */
const CHECK_MS = 10_000;
/** The server's function that reports a commit which was not replicated to a standby. */
const SYNC_WAIT_ROUTINE = 'SyncRepWaitForLSN';
/** SQLSTATE of a write to a standby, or to a server that is set to read only. */
const READ_ONLY = '25006';
/** The time limit of idle transactions, so that a frozen process does not keep its locks. */
const IDLE_IN_TRANSACTION_MS = 10_000;

export type LinkOptions = {
  /**
   * The address, which may name several servers:
   * `postgres://user:password@one:5432,two:5432/database`.
   */
  readonly url: Secret;
  /**
   * Whether a pooler such as PgBouncer may run each transaction on another connection. Prepared
   * statements are then lost, and the pooler refuses or drops a connection's own settings.
   */
  readonly isPooled?: boolean;
  /** The newest timeline seen on any of the servers. All links of the process share this object. */
  readonly timelines?: Timelines;
  /** Whether the link may also use a server that is not writable, such as a replica for reports. */
  readonly mayBeStandby?: boolean;
  readonly clock: Clock;
  /** The server's time limit for a statement, in milliseconds; 0: no limit. */
  readonly statementMs: number;
  /** The server's time limit for waiting for a lock, in milliseconds; 0: no limit. */
  readonly lockMs: number;
  /** Called with the text of each NOTICE, before the statement that raised it ends. */
  readonly onNotice?: (message: string) => void;
  /** Called with the payload of each notification of a channel that the connection listens to. */
  readonly onNotification?: (payload: string) => void;
};

/** Thrown when no answer came in time. The server may still have executed the query. */
export class Unanswered extends Error {
  constructor(waitedMs: number) {
    super(`PostgreSQL did not answer within ${waitedMs} ms`);
    this.name = 'Unanswered';
  }
}

/** Thrown when a standby did not confirm a commit. A failover may undo the commit. */
class Unreplicated extends Error {
  constructor() {
    super('PostgreSQL stopped waiting for its synchronous standby, so the commit may be undone');
    this.name = 'Unreplicated';
  }
}

/** Thrown when no server is writable. The query was not sent. */
export class NoPrimary extends Error {
  /** Whether a server answered but is not the primary. */
  readonly isStandby: boolean;

  constructor(reasons: readonly { readonly server: string; readonly thrown: unknown }[]) {
    const said = reasons.map(({ server, thrown }) => {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      return reasons.length === 1 ? why : `${server}: ${why}`;
    });
    super(said.join('; '), { cause: reasons.at(-1)?.thrown });
    this.name = 'NoPrimary';
    this.isStandby = reasons.some(({ thrown }) => thrown instanceof NotPrimary);
  }
}

/** Thrown when a server answered but is not the primary. */
class NotPrimary extends Error {
  constructor(timeline: string | null) {
    super(
      timeline === null
        ? 'the server is a standby, or was set to read only'
        : `the server was replaced as the primary (timeline ${timeline})`,
    );
    this.name = 'NotPrimary';
  }
}

/**
 * The newest timeline that this process has seen. Each new primary starts a timeline. When one link
 * finds a new primary, all links leave the old primary, which may still be running.
 */
export type Timelines = { newest: string };
export const newTimelines = (): Timelines => ({ newest: '' });

/**
 * Reads integers and their sums as bigint, other `numeric` values as number, booleans as 0n and 1n,
 * and bytea as Uint8Array.
 */
const TYPES = {
  integer: {
    to: 20,
    from: [20, 21, 23, 26],
    serialize: (value: bigint): string => value.toString(),
    parse: (text: string): bigint => BigInt(text),
  },
  sum: {
    to: 1700,
    from: [1700],
    serialize: String,
    parse: (text: string): bigint | number => (text.includes('.') ? Number(text) : BigInt(text)),
  },
  flag: {
    to: 16,
    from: [16],
    serialize: (value: boolean): string => (value ? 't' : 'f'),
    parse: (text: string): bigint => (text === 't' ? 1n : 0n),
  },
  bytes: {
    to: 17,
    from: [17],
    serialize: (value: Uint8Array): string => `\\x${Buffer.from(value).toString('hex')}`,
    parse: (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  },
};

/**
 * Checks only that the server is writable. Used for an address with one server, because some
 * services have no timelines.
 */
const WRITABLE = `SELECT CASE current_setting('transaction_read_only') WHEN 'off' THEN '' END
  AS timeline`;
const TIMELINE = `SELECT CASE current_setting('transaction_read_only') WHEN 'off'
  THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;

type Client = ReturnType<typeof connect>;
/** A connection, or a transaction on it. */
export type Asking = Pick<Client, 'unsafe'>;

type State = {
  /**
   * The timeline of the server, as hexadecimal digits. It is null until the server was found to be
   * writable, and empty if timelines are not compared. One check per connection is enough, because
   * a server that becomes a standby ends its connections.
   */
  timeline: string | null;
  /**
   * Whether the connection was closed. A query on a closed connection would make the driver
   * reconnect to the same server, which may be a standby now.
   */
  isClosed: boolean;
  isUnreplicated: boolean;
};
type Connection = { readonly client: Client; readonly state: State };

function connect(url: Secret, options: LinkOptions, state: State) {
  const { isPooled = false, onNotice, onNotification } = options;
  // The driver calls `onnotify` for each notification, although its types do not declare the
  // option.
  const listening = { onnotify: (_: string, payload: string) => onNotification?.(payload) };
  return postgres(url.reveal(), {
    ...listening,
    max: 1,
    types: TYPES,
    prepare: !isPooled,
    fetch_types: false,
    keep_alive: KEEP_ALIVE_SECONDS,
    connect_timeout: CONNECT_SECONDS,
    // Keeps the driver from renewing a connection by age. The link replaces failed connections.
    max_lifetime: null,
    onclose: () => {
      state.isClosed = true;
    },
    onnotice: ({ message, routine }) => {
      if (routine === SYNC_WAIT_ROUTINE) state.isUnreplicated = true;
      onNotice?.(message ?? '');
    },
    connection: { application_name: 'modelgate', ...(!isPooled && settingsOf(options)) },
  });
}

const settingsOf = ({ statementMs, lockMs }: LinkOptions) => ({
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  client_min_messages: 'notice',
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  // Overrides the server's default: an acknowledged commit must be on the disk of the server and,
  // if there is one, of a synchronous standby.
  synchronous_commit: 'on',
});

function connection(url: Secret, options: LinkOptions): Connection {
  const timeline = options.mayBeStandby === true ? '' : null;
  const state: State = { timeline, isClosed: false, isUnreplicated: false };
  return { client: connect(url, options, state), state };
}

export class PostgresLink {
  readonly #options: LinkOptions;
  readonly #servers: readonly Secret[];
  readonly #timelines: Timelines;
  /** The index in `#servers` of the server that the connection leads to. */
  #at = 0;
  #connection: Connection;

  /** @throws Error when the address is invalid. */
  constructor(options: LinkOptions) {
    const servers = postgresServers(options.url.reveal());
    const [first] = servers ?? [];
    if (servers === null || first === undefined) {
      throw new Error('The address of the database is not a postgres:// address.');
    }
    this.#options = options;
    this.#timelines = options.timelines ?? newTimelines();
    this.#servers = servers.map((server) => new Secret(server));
    this.#connection = connection(new Secret(first), options);
  }

  /**
   * Calls `question`, a function that sends queries, with a connection to a writable server. The
   * caller must not call `ask` again before this call has ended.
   * @throws NoPrimary when no writable server was found, so nothing was sent; Unanswered after
   *   `withinMs`; Unreplicated when a commit may be undone; PostgresError when the server refused.
   */
  async ask<Answer>(
    withinMs: number,
    question: (client: Client) => Promise<Answer>,
  ): Promise<Answer> {
    const askedMs = this.#options.clock.monotonicMs();
    const primary = await this.#primary(askedMs + withinMs);
    const spentMs = this.#options.clock.monotonicMs() - askedMs;
    try {
      const leftMs = Math.max(withinMs - spentMs, 1);
      const answer = await this.#within(leftMs, () => question(primary.client));
      if (primary.state.isUnreplicated) throw new Unreplicated();
      return answer;
    } catch (thrown) {
      const isRefused = thrown instanceof postgres.PostgresError && thrown.code !== READ_ONLY;
      if (!isRefused || primary.state.isUnreplicated) this.#replace(primary, 1);
      throw primary.state.isUnreplicated ? new Unreplicated() : thrown;
    }
  }

  async close(): Promise<void> {
    await this.#connection.client.end({ timeout: 0 });
  }

  /**
   * Returns a connection to a writable server. Tries the current server first, then each other
   * server once.
   */
  async #primary(untilMs: number): Promise<Connection> {
    if (this.#connection.state.isClosed) this.#replace(this.#connection, 0);
    const reasons: { server: string; thrown: unknown }[] = [];
    for (let left = this.#servers.length; left > 0; left -= 1) {
      const next = this.#connection;
      if (next.state.timeline === this.#timelines.newest) return next;
      const leftMs = Math.max(untilMs - this.#options.clock.monotonicMs(), 1);
      try {
        await this.#within(Math.min(leftMs / left, CHECK_MS), () => this.#check(next));
        return next;
      } catch (thrown) {
        reasons.push({ server: this.#server, thrown });
        this.#replace(next, 1);
      }
    }
    throw new NoPrimary(reasons);
  }

  /**
   * Checks that the connection leads to the newest primary.
   * @throws NotPrimary; PostgresError when the server refused.
   */
  async #check({ client, state }: Connection): Promise<void> {
    const isOne = this.#servers.length === 1;
    const [row] = await client.unsafe<{ timeline: string | null }[]>(isOne ? WRITABLE : TIMELINE);
    const timeline = row?.timeline ?? null;
    // All timelines have eight digits, so comparing them as text is correct.
    if (timeline === null || timeline < this.#timelines.newest) throw new NotPrimary(timeline);
    this.#timelines.newest = timeline;
    state.timeline = timeline;
  }

  get #server(): string {
    return new URL(this.#servers[this.#at]?.reveal() ?? '').host;
  }

  async #within<Answer>(withinMs: number, work: () => Promise<Answer>): Promise<Answer> {
    const { promise: deadline, reject } = Promise.withResolvers<never>();
    const timer = this.#options.clock.after(withinMs, () => reject(new Unanswered(withinMs)));
    try {
      return await Promise.race([work(), deadline]);
    } finally {
      timer.cancel();
    }
  }

  /**
   * Replaces a failed connection by a new one.
   * @param further 0 to connect to the same server, 1 to connect to the next one in the list.
   */
  #replace(failed: Connection, further: 0 | 1): void {
    if (this.#connection === failed) {
      this.#at = (this.#at + further) % this.#servers.length;
      const server = this.#servers[this.#at] ?? this.#options.url;
      this.#connection = connection(server, this.#options);
    }
    // Ending the connection fails its running queries, but no caller waits for them any more.
    void failed.client.end({ timeout: 0 });
  }
}

/**
 * Whether the server, not the statement, caused the error. The first characters of an SQLSTATE are
 * its class.
 */
export function isServerTrouble(thrown: unknown): boolean {
  if (!(thrown instanceof postgres.PostgresError)) return true;
  // SQLSTATE classes and codes for errors of connection, authorization, standby, resources,
  // timeout, lock and system.
  return /^(?:08|28|3D|25006|25P03|40|53|55P03|57|58|XX)/.test(thrown.code);
}

/** Whether it is certain that the query had no effect, because it was refused or rolled back. */
export function isCertainlyUndone(thrown: unknown): boolean {
  if (thrown instanceof postgres.PostgresError)
    return /^(?:28|3D|25006|40001|40P01|53|55P03|57014|57P03)/.test(thrown.code);
  if (thrown instanceof NoPrimary) return true;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|CONNECT_TIMEOUT)$/.test(code);
}
