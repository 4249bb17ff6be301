/**
 * The store's thread for simulations: the real code on a real database. The simulation decides when
 * each request is executed and when each answer arrives. Answers come in the order of the requests.
 */

import { writeFileSync } from 'node:fs';
import { asGatewayError } from '../../errors.ts';
import type { SqlExecutor, SqlRow } from '../../store/sql.ts';
import { emptyStore } from '../../store/sqlite/empty-store.fixture.ts';
import { StoreFile } from '../../store/sqlite/store-file.ts';
import type { WorkerLink } from '../../store/sqlite/worker-link.ts';
import { fault, unavailable } from '../../store/store-fault.ts';
import { diskFull, newFile } from '../sqlite/sqlite.fixture.ts';
import { SqliteJournal } from '../sqlite/sqlite-journal.ts';
import { SqliteSettlements } from '../sqlite/sqlite-settlements.ts';
import { type Statements, statementsOn } from '../sqlite/sqlite-statements.ts';
import { SqliteTail } from '../sqlite/sqlite-tail.ts';
import { type Questions, SqliteThread } from '../sqlite/sqlite-thread.ts';
import type { Touched } from './float-store.ts';

type Asked = {
  readonly carryOut: () => Delivery;
  readonly fail: () => Delivery;
};
/** Queries the database. */
export type Read = (sql: string, ...params: SqlRow[string][]) => readonly SqlRow[];
/**
 * The work of one booking slice: a single charge, so that crashes and reads often come while the
 * tail (durable charges that are not booked yet) is partly booked.
 */
const ONE_CHARGE = 1;
const COUNT_TAIL = 'SELECT COUNT(*) AS n FROM receipt_tail';
/** Delivers an answer or an error to the requester. */
type Delivery = () => void;

const isWrite = (kind: string): boolean =>
  kind === 'append' || kind === 'write' || kind === 'renew';

/**
 * Whether the next requests succeed (`sound`) or fail: before their transaction is durable, after
 * it is durable, or before the commit, with the tail partly booked.
 */
export type Disk = 'sound' | 'fails before' | 'fails after' | 'fails booking';

export class SimulatedThread {
  readonly #path = newFile();
  #thread = new SqliteThread((path, nowMs) => this.#openFile(path, nowMs), ONE_CHARGE);
  #store: StoreFile | null = null;
  #sql: Statements | null = null;
  /** Whether the disk fails while the current request books the tail. */
  #failsBooking = false;
  #questions: Asked[] = [];
  #answers: Delivery[] = [];
  disk: Disk = 'sound';
  onTouched: (accountIds: Touched) => void = () => undefined;
  /** Whether the last answered write has failed. */
  isAway = false;
  /** Whether the last answered attempt to book the tail has failed. */
  isStuck = false;
  /** A planted fault: if true, booking does not delete the booked rows of the tail. */
  keepsTail = false;
  /** A planted fault: if true, checkpoints are dropped silently. */
  losesCheckpoints = false;

  constructor() {
    writeFileSync(this.#path, emptyStore());
    this.#run('open', { path: this.#path, nowMs: 0 });
  }

  get waiting(): { readonly questions: number; readonly answers: number } {
    return { questions: this.#questions.length, answers: this.#answers.length };
  }

  /** Reads or changes the database at once, before all waiting requests. */
  query(sql: string, ...params: SqlRow[string][]): readonly SqlRow[] {
    return this.#run('query', { sql, params }).answer;
  }

  /** The number of commits that are durable but not booked. */
  get unbooked(): number {
    return Number(this.#file.query({ sql: COUNT_TAIL, params: [] })[0]?.['n']);
  }

  /**
   * Shows `look` the database as if the tail were booked: books it, then rolls the booking back.
   */
  peek<Result>(look: (read: Read) => Result): Result {
    const store = this.#file;
    const read: Read = (sql, ...params) => store.query({ sql, params });
    if (this.unbooked === 0) return look(read);
    read('BEGIN');
    try {
      this.#sql ??= statementsOn(store);
      const sql = this.#sql;
      const journal = new SqliteJournal(sql);
      const settlements = new SqliteSettlements(sql, journal);
      const onRepeated = (): void => undefined;
      const tail = new SqliteTail({
        ...{ store, sql, journal, settlements, onRepeated, sliceWork: ONE_CHARGE },
      });
      tail.bookAllInTransaction();
      return look(read);
    } finally {
      read('ROLLBACK');
    }
  }

  /** Sends a request as other code of the gateway does, such as an administrator's change. */
  change(sql: string, ...params: SqlRow[string][]): Promise<readonly SqlRow[]> {
    return this.link.ask('query', { sql, params });
  }

  /** As `change`, for code that needs transactions. */
  readonly sql: SqlExecutor = {
    query: (statement) => this.link.ask('query', statement),
    transaction: (statements, audit) =>
      this.link.ask('transaction', { statements, audit: audit ?? null }),
  };

  readonly link: Pick<WorkerLink<Questions>, 'ask'> = {
    ask: (kind, ask, received) =>
      new Promise((resolve, reject) => {
        this.#questions.push({
          carryOut: () => {
            const given = this.#losing(kind, ask);
            try {
              const { answer, touched } = this.#run(kind, given);
              return () => {
                this.#note(kind, true);
                if (touched === null || touched.length > 0) this.onTouched(touched);
                received?.(answer);
                resolve(answer);
              };
            } catch (thrown) {
              return () => {
                if (asGatewayError(thrown).code === 'store_unavailable') {
                  this.#note(kind, false);
                  this.onTouched(null);
                }
                reject(thrown);
              };
            }
          },
          fail: () => () => {
            this.#note(kind, false);
            this.onTouched(null);
            reject(unavailable('the disk failed'));
          },
        });
      }),
  };

  /** Records, from the answer to a request, whether the float must now refuse holds. */
  #note(kind: string, isDone: boolean): void {
    if (isWrite(kind)) this.isAway = !isDone;
    // All writes except a commit of charges book the tail before they run.
    if (kind === 'book' || (isDone && isWrite(kind) && kind !== 'append')) this.isStuck = !isDone;
  }

  /** Executes the next request. */
  step(): void {
    const next = this.#questions.shift();
    if (next === undefined) return;
    if (this.disk === 'sound' || this.disk === 'fails booking') {
      this.#failsBooking = this.disk === 'fails booking';
      this.#answers.push(next.carryOut());
      this.#failsBooking = false;
    } else {
      if (this.disk === 'fails after') next.carryOut();
      this.#answers.push(next.fail());
    }
  }

  deliver(): void {
    this.#answers.shift()?.();
  }

  /** Kills and restarts the process: waiting requests and answers are lost. */
  crash(): void {
    this.isAway = false;
    this.isStuck = false;
    this.#questions = [];
    this.#answers = [];
    this.#thread = new SqliteThread(() => this.#openAgain(), ONE_CHARGE);
    this.#run('open', { path: this.#path, nowMs: 0 });
  }

  get #file(): StoreFile {
    if (this.#store === null) throw new Error('the file is not open');
    return this.#store;
  }

  #openFile(path: string, nowMs: number): StoreFile {
    const store = StoreFile.open(path, nowMs);
    // The simulation never cuts the power, so the database need not be flushed to disk.
    store.query({ sql: 'PRAGMA synchronous = OFF', params: [] });
    store.inUnflushedTransaction = (work) =>
      store.inTransaction(() => {
        const result = work();
        if (this.#failsBooking) throw diskFull();
        return result;
      });
    const { prepare } = store;
    // Preparing the statements again after each crash would take half of the simulation's time.
    const prepared = new Map<string, ReturnType<typeof prepare>>();
    store.prepare = <Row>(asked: string) => {
      const isKept = this.keepsTail && asked.startsWith('DELETE FROM receipt_tail');
      const sql = isKept ? 'SELECT ?1' : asked;
      const statement = prepared.get(sql) ?? prepare.call(store, sql);
      prepared.set(sql, statement);
      return statement as ReturnType<typeof prepare<Row>>;
    };
    this.#store = store;
    this.#sql = null;
    return store;
  }

  /** Keeps the database open, because opening it would take most of the simulation's time. */
  #openAgain(): StoreFile {
    this.#file.query({ sql: 'DELETE FROM temp.touched', params: [] });
    return this.#file;
  }

  #losing<Kind extends keyof Questions>(kind: Kind, ask: Questions[Kind]['ask']) {
    if (!this.losesCheckpoints || kind !== 'append' || typeof ask !== 'string') return ask;
    return ask.replaceAll('["checkpoint","', '["forget","') as typeof ask;
  }

  #run<Kind extends keyof Questions>(
    kind: Kind,
    ask: Questions[Kind]['ask'],
  ): { readonly answer: Questions[Kind]['answer']; readonly touched: Touched } {
    const reply = this.#thread.answer({ id: 0, kind, ask } as Parameters<
      SqliteThread['answer']
    >[0]);
    if ('failed' in reply) throw fault(reply.failed.code, reply.failed.message);
    const { touched = [] } = reply;
    return { answer: reply.answer as Questions[Kind]['answer'], touched };
  }
}
