/** One connection to PostgreSQL, replaced when it fails. Deadlines detect a frozen server. */
import postgres from 'postgres';
import type { Clock } from '../../clock.ts';
import type { Secret } from '../../config/secret.ts';

/** The idle time before TCP keep-alive probes, which detect a lost server between queries. */
const KEEP_ALIVE_SECONDS = 30;
/** The time limit for connecting, which matters on a network that drops packets. */
const CONNECT_SECONDS = 5;
/** The time limit of idle transactions, so that those of a frozen process do not keep locks. */
const IDLE_IN_TRANSACTION_MS = 10_000;

export type LinkOptions = {
  readonly url: Secret;
  /**
   * Whether a pooler such as PgBouncer may run each transaction on another connection. A prepared
   * statement then is lost, and what a connection asks for at its start is refused or dropped.
   */
  readonly isPooled?: boolean;
  readonly clock: Clock;
  /** The server's time limits for a statement and for waiting for a lock; 0: no limit. */
  readonly statementMs: number;
  readonly lockMs: number;
  /** Called with the text of each NOTICE, before the statement that raised it ends. */
  readonly onNotice?: (message: string) => void;
  /** Called with the payload of each notification of a channel that the connection listens to. */
  readonly onNotification?: (payload: string) => void;
};

/** Reports that no answer came in time. The server may still have executed the query. */
export class Unanswered extends Error {
  constructor(waitedMs: number) {
    super(`PostgreSQL did not answer within ${waitedMs} ms`);
    this.name = 'Unanswered';
  }
}

/** Reads all integers and sums as bigint, booleans as 0n and 1n, and bytea as Uint8Array. */
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

function connect(options: LinkOptions) {
  const { url, isPooled = false, onNotice, onNotification } = options;
  // The driver passes notifications to this function, which its types lack.
  const listening = { onnotify: (_: string, payload: string) => onNotification?.(payload) };
  return postgres(url.reveal(), {
    ...listening,
    max: 1,
    types: TYPES,
    prepare: !isPooled,
    fetch_types: false,
    keep_alive: KEEP_ALIVE_SECONDS,
    connect_timeout: CONNECT_SECONDS,
    // The driver never renews a connection because of its age. This class replaces failed ones.
    max_lifetime: null,
    onnotice: ({ message }) => onNotice?.(message ?? ''),
    connection: { application_name: 'modelgate', ...(!isPooled && settingsOf(options)) },
  });
}

const settingsOf = ({ statementMs, lockMs }: LinkOptions) => ({
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  client_min_messages: 'notice',
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  // A commit is on disk when acknowledged, even if the server has another default.
  synchronous_commit: 'on',
});

export class PostgresLink {
  readonly #options: LinkOptions;
  #client: Client;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#client = connect(options);
  }

  /**
   * Runs `question` on the connection, which no other caller may use meanwhile.
   * @throws Unanswered after `withinMs`; PostgresError when refused; Error when unreachable.
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
    // Running queries of the failed connection get an error, but no caller waits for them.
    void failed.end({ timeout: 0 });
  }
}

/** Whether the server, not the statement, caused the error. An SQLSTATE begins with its class. */
export function isServerTrouble(thrown: unknown): boolean {
  if (!(thrown instanceof postgres.PostgresError)) return true;
  // Errors of connection, authorization, read-only replica, resources, timeout, lock and system.
  return /^(?:08|28|3D|25006|25P03|40|53|55P03|57|58|XX)/.test(thrown.code);
}

/** Whether the query certainly had no effect, because the server refused it or rolled back. */
export function isCertainlyUndone(thrown: unknown): boolean {
  if (thrown instanceof postgres.PostgresError)
    return /^(?:28|3D|25006|40001|40P01|53|55P03|57014|57P03)/.test(thrown.code);
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|CONNECT_TIMEOUT)$/.test(code);
}
