/**
 * One connection to PostgreSQL, which is replaced as soon as it is in doubt. Every query has a
 * deadline by our own clock, because a frozen server keeps neither its own timeouts nor its end of
 * the connection. The next query uses the new connection, so a server that comes back is found at
 * once.
 */
import postgres from 'postgres';
import type { Clock } from '../../clock.ts';
import type { Secret } from '../../config/secret.ts';

/** Idle time before TCP keep-alive probes, which find a vanished peer before it is needed. */
const KEEP_ALIVE_SECONDS = 30;
/** Time to connect, on a network that drops packets. */
const CONNECT_SECONDS = 5;
/** A transaction that waits for its client holds locks. This ends that of a stopped process. */
const IDLE_IN_TRANSACTION_MS = 10_000;

export type LinkOptions = {
  readonly url: Secret;
  readonly clock: Clock;
  /** The server's own limits on a statement and on waiting for a lock; 0: none. */
  readonly statementMs: number;
  readonly lockMs: number;
};

/** No answer came in time. The query may have been carried out. */
export class Unanswered extends Error {
  constructor(waitedMs: number) {
    super(`PostgreSQL did not answer within ${waitedMs} ms`);
    this.name = 'Unanswered';
  }
}

/** Integers of every width and their sums as bigint; booleans as 0n and 1n; bytea as Uint8Array. */
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

type Client = ReturnType<typeof connect>;
/** The connection itself, or a transaction on it. */
export type Asking = Pick<Client, 'unsafe'>;

function connect({ url, statementMs, lockMs }: LinkOptions) {
  return postgres(url.reveal(), {
    max: 1,
    types: TYPES,
    fetch_types: false,
    keep_alive: KEEP_ALIVE_SECONDS,
    connect_timeout: CONNECT_SECONDS,
    // This link replaces a failed connection itself, at once.
    max_lifetime: null,
    onnotice: () => {},
    connection: {
      application_name: 'modelgate',
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      // An answer means that the commit is on disk, whatever the server, database or role is set
      // to.
      synchronous_commit: 'on',
    },
  });
}

export class PostgresLink {
  readonly #options: LinkOptions;
  #client: Client;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#client = connect(options);
  }

  /**
   * Runs `question` on the connection, which belongs to this caller meanwhile.
   * @throws Unanswered after `withinMs`; PostgresError when the server refused; Error when it
   *   cannot be reached.
   */
  async ask<Answer>(
    withinMs: number,
    question: (client: Client) => Promise<Answer>,
  ): Promise<Answer> {
    const client = this.#client;
    const { promise: deadline, reject } = Promise.withResolvers<never>();
    const timer = this.#options.clock.after(withinMs, () => reject(new Unanswered(withinMs)));
    try {
      return await Promise.race([question(client), deadline]);
    } catch (thrown) {
      if (!(thrown instanceof postgres.PostgresError)) this.#replace(client);
      throw thrown;
    } finally {
      timer.cancel();
    }
  }

  async close(): Promise<void> {
    await this.#client.end({ timeout: 0 });
  }

  #replace(failed: Client): void {
    if (this.#client === failed) this.#client = connect(this.#options);
    // Queries in flight on it get an error, but their callers have stopped waiting.
    void failed.end({ timeout: 0 });
  }
}

/**
 * Whether the server failed rather than the statement. The first letters of an SQLSTATE name its
 * class.
 */
export function isServerTrouble(thrown: unknown): boolean {
  if (!(thrown instanceof postgres.PostgresError)) return true;
  // Connection, authorization, read-only replica, resources, timeouts and locks, system errors.
  return /^(?:08|28|3D|25006|25P03|40|53|55P03|57|58|XX)/.test(thrown.code);
}

/** Whether certainly nothing was carried out, because the server refused or rolled back. */
export function isCertainlyUndone(thrown: unknown): boolean {
  if (thrown instanceof postgres.PostgresError)
    return /^(?:28|3D|25006|40001|40P01|53|55P03|57014|57P03)/.test(thrown.code);
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|CONNECT_TIMEOUT)$/.test(code);
}
