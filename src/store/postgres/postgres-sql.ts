/** Runs plain SQL over a few connections to PostgreSQL, separate from the ledger's connections. */
import type { Clock } from '../../clock.ts';
import { type AuditEntry, checkAudit } from '../audit.ts';
import { type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../sql.ts';
import { fault, unavailable } from '../store-fault.ts';
import { type Asking, isServerTrouble, type LinkOptions, PostgresLink } from './postgres-link.ts';

/** The number of connections: enough for a busy node, and few, so that many nodes can connect. */
export const PLAIN_LINKS = 3;
/** Maximum statements that wait for a connection. More are refused. */
const MAX_WAITING = 1_000;
/** Maximum cached statement texts, more than the gateway uses. */
const MAX_TEXTS = 500;

/**
 * The prefix of the NOTICE that a trigger sends when nodes must return the part of an account's
 * balance that they hold in memory. The account's id follows.
 */
const RECALL_NOTICE = 'modelgate_recall ';

/** Waits until no node holds money of these accounts in memory, but at most a limited time. */
export type Recall = (accountIds: readonly string[]) => Promise<void>;

export type SqlLimits = {
  /** The time limit of a statement or transaction, not counting the wait for a connection. */
  readonly answerMs: number;
};

export class PostgresSql implements SqlExecutor {
  readonly #idle: PostgresLink[];
  readonly #all: readonly PostgresLink[];
  readonly #waiting: ((link: PostgresLink) => void)[] = [];
  readonly #answerMs: number;
  readonly #clock: Clock;
  readonly #recall: Recall;
  /** For each connection: the accounts named in the NOTICEs of the running statement. */
  readonly #touched = new Map<PostgresLink, Set<string>>();
  #closed = false;

  /**
   * @param recall called after a statement with the accounts that its NOTICEs name. Nodes must
   *   return the parts of these accounts' balances that they keep in memory. The statement's result
   *   is returned only after this call.
   */
  constructor(
    options: LinkOptions,
    { answerMs }: SqlLimits,
    links: number,
    recall: Recall = async () => {},
  ) {
    this.#recall = recall;
    this.#all = Array.from({ length: links }, () => this.#linkWith(options));
    this.#idle = [...this.#all];
    this.#answerMs = answerMs;
    this.#clock = options.clock;
  }

  async query(statement: SqlStatement): Promise<readonly SqlRow[]> {
    return await this.#run((link) =>
      link.ask(this.#answerMs, (client) => rowsOf(client, statement)),
    );
  }

  async transaction(
    statements: readonly SqlStatement[],
    audit?: AuditEntry,
  ): Promise<readonly (readonly SqlRow[])[]> {
    if (audit !== undefined) checkAudit(audit);
    return await this.#run((link) =>
      link.ask(
        this.#answerMs,
        async (client) => await client.begin((begun) => allOf(begun, statements, audit ?? null)),
      ),
    );
  }

  /** Refuses new statements and ends running ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#all.map((link) => link.close()));
  }

  #linkWith(options: LinkOptions): PostgresLink {
    const touched = new Set<string>();
    const onNotice = (message: string): void => {
      if (message.startsWith(RECALL_NOTICE)) touched.add(message.slice(RECALL_NOTICE.length));
    };
    const link = new PostgresLink({ ...options, onNotice });
    this.#touched.set(link, touched);
    return link;
  }

  async #run<Answer>(work: (link: PostgresLink) => Promise<Answer>): Promise<Answer> {
    const link = await this.#take();
    const { answer, touched } = await this.#runOn(link, work);
    if (touched.length > 0) await this.#recall(touched);
    return answer;
  }

  async #runOn<Answer>(
    link: PostgresLink,
    work: (link: PostgresLink) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly touched: readonly string[] }> {
    const touched = this.#touched.get(link);
    touched?.clear();
    try {
      const answer = await work(link);
      return { answer, touched: [...(touched ?? [])] };
    } catch (thrown) {
      if (isServerTrouble(thrown)) throw unavailable(String(thrown));
      throw fault('internal_error', String(thrown));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(link);
      else next(link);
    }
  }

  #take(): Promise<PostgresLink> {
    if (this.#closed) return Promise.reject(unavailable('it is closed'));
    const link = this.#idle.pop();
    if (link !== undefined) return Promise.resolve(link);
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(unavailable(`${MAX_WAITING} statements wait for a connection`));
    }
    const { promise, resolve, reject } = Promise.withResolvers<PostgresLink>();
    const timer = this.#clock.after(this.#answerMs, () => {
      this.#waiting.splice(this.#waiting.indexOf(granted), 1);
      reject(unavailable('no connection became free'));
    });
    const granted = (free: PostgresLink): void => {
      timer.cancel();
      resolve(free);
    };
    this.#waiting.push(granted);
    return promise;
  }
}

async function allOf(
  begun: Asking,
  statements: readonly SqlStatement[],
  audit: AuditEntry | null,
): Promise<(readonly SqlRow[])[]> {
  // Takes the lock of the audit log before all other locks, as the ledger does. So a transaction
  // that waits for this lock holds no other lock.
  if (audit !== null) await begun.unsafe('SELECT pg_advisory_xact_lock(1835491700, 2)');
  const rows: (readonly SqlRow[])[] = [];
  for (const statement of statements) rows.push(await rowsOf(begun, statement));
  if (audit !== null && rows.some((answered) => answered.length > 0)) {
    const { atMs, actor, action, subject, detail } = audit;
    await rowsOf(
      begun,
      statement`SELECT 1 FROM books_audit(${atMs}, ${actor}, ${action}, ${subject},
        ${JSON.stringify(detail)})`,
    );
  }
  return rows;
}

async function rowsOf(asking: Asking, { sql, params }: SqlStatement): Promise<readonly SqlRow[]> {
  const rows = await asking.unsafe<SqlRow[]>(numbered(sql), [...params], { prepare: true });
  return [...rows];
}

const texts = new Map<string, string>();

/** Numbers each `?` outside quotes as `$1`, `$2`, ... */
export function numbered(sql: string): string {
  if (!sql.includes('?')) return sql;
  const known = texts.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (found) =>
    found === '?' ? `$${++count}` : found,
  );
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(sql, text);
  return text;
}
