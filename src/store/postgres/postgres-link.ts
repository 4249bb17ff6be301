/**
 * One connection to PostgreSQL at a time, which is given up as soon as it is in doubt: whoever waits for
 * an answer has a deadline by our own clock, since a server that is frozen keeps neither its own timeouts
 * nor its end of the wire. A connection that is given up is replaced by a new one, so a server that comes
 * back is found by the next question.
 */
import postgres from 'postgres';
import type { Clock } from '../../clock.ts';
import type { Secret } from '../../config/secret.ts';

/** TCP probes of an idle connection begin after this: a peer that vanished is found before it is needed. */
const KEEP_ALIVE_SECONDS = 30;
/** Opening a connection, on a network that drops packets. */
const CONNECT_SECONDS = 5;
/** A transaction that waits for its client holds locks: one that a stopped process left is ended by this. */
const IDLE_IN_TRANSACTION_MS = 10_000;

export type LinkOptions = {
  readonly url: Secret;
  readonly clock: Clock;
  /** The server's own limits on a statement, and on its wait for a lock; 0: none. */
  readonly statementMs: number;
  readonly lockMs: number;
};

/** An answer that did not come in time; the question may have been carried out. */
export class Unanswered extends Error {
  constructor(waitedMs: number) {
    super(`PostgreSQL did not answer within ${waitedMs} ms`);
    this.name = 'Unanswered';
  }
}

/** Integers of every width, and sums of them, as bigint; flags as 0n and 1n; bytes as plain bytes. */
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
/** What a question is asked with: the connection itself, or a transaction on it. */
export type Asking = Pick<Client, 'unsafe'>;

function connect({ url, statementMs, lockMs }: LinkOptions) {
  return postgres(url.reveal(), {
    max: 1,
    types: TYPES,
    fetch_types: false,
    keep_alive: KEEP_ALIVE_SECONDS,
    connect_timeout: CONNECT_SECONDS,
    // A new connection is made by this link, at once, when the old one failed.
    max_lifetime: null,
    onnotice: () => {},
    connection: {
      application_name: 'modelgate',
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      // An answer means that it is on the disk, whatever the server, database or role has been set to.
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
   * Asks on the connection, which is the caller's alone meanwhile.
   * @throws Unanswered after `withinMs`; PostgresError when the server refused; Error when it is not there.
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
    // What was under way on it is answered with an error, which its asker has stopped waiting for.
    void failed.end({ timeout: 0 });
  }
}

/** Whether the server itself could not go on, rather than the statement: its words name the class. */
export function isServerTrouble(thrown: unknown): boolean {
  if (!(thrown instanceof postgres.PostgresError)) return true;
  // Connections, rights to connect, a read-only replica, resources, time and locks, the system.
  return /^(?:08|28|3D|25006|25P03|40|53|55P03|57|58|XX)/.test(thrown.code);
}

/** Whether it is certain that nothing was carried out: refused, or rolled back by the server. */
export function isCertainlyUndone(thrown: unknown): boolean {
  if (thrown instanceof postgres.PostgresError)
    return /^(?:28|3D|25006|40001|40P01|53|55P03|57014|57P03)/.test(thrown.code);
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|CONNECT_TIMEOUT)$/.test(code);
}
