/**
 * A store's thread for simulations: the real code on a real file, but each question is carried out
 * and each answer is delivered when the simulation says so. Answers keep the order of asking.
 */

import type { SqlRow } from '../../store/sql.ts';
import { fault, unavailable } from '../../store/store-fault.ts';
import { newFile } from '../sqlite/sqlite.fixture.ts';
import { type Questions, SqliteThread } from '../sqlite/sqlite-thread.ts';
import type { FloatLink, Touched } from './float-store.ts';

type Asked = {
  readonly carryOut: () => Delivery;
  readonly fail: () => Delivery;
};
/** Gives an answer, or a failure, to the one who asked. */
type Delivery = () => void;

const isWrite = (kind: string): boolean => kind === 'write' || kind === 'renew';

/** What happens to the next questions: a failure before or after the transaction is durable. */
export type Disk = 'sound' | 'fails before' | 'fails after';

export class SimulatedThread {
  readonly #thread = new SqliteThread();
  #questions: Asked[] = [];
  #answers: Delivery[] = [];
  disk: Disk = 'sound';
  onTouched: (accountIds: Touched) => void = () => undefined;
  /** Whether the last write that was answered has failed. */
  isAway = false;
  /** Drops checkpoints without a word. A planted fault. */
  losesCheckpoints = false;

  constructor() {
    this.#run('open', { path: newFile(), nowMs: 0 });
    // The simulation never cuts the power, so the file need not be flushed.
    this.query('PRAGMA synchronous = OFF');
  }

  get waiting(): { readonly questions: number; readonly answers: number } {
    return { questions: this.#questions.length, answers: this.#answers.length };
  }

  /** Reads or changes the file at once, past all questions. */
  query(sql: string, ...params: SqlRow[string][]): readonly SqlRow[] {
    return this.#run('query', { sql, params }).answer;
  }

  /** Asks like a room of the gateway does, such as an administrator's change. */
  change(sql: string, ...params: SqlRow[string][]): Promise<readonly SqlRow[]> {
    return this.link.ask('query', { sql, params });
  }

  readonly link: FloatLink = {
    ask: (kind, ask, received) =>
      new Promise((resolve, reject) => {
        this.#questions.push({
          carryOut: () => {
            const given = this.#losing(kind, ask);
            try {
              const { answer, touched } = this.#run(kind, given);
              return () => {
                if (isWrite(kind)) this.isAway = false;
                if (touched === null || touched.length > 0) this.onTouched(touched);
                received?.(answer);
                resolve(answer);
              };
            } catch (thrown) {
              return () => reject(thrown);
            }
          },
          fail: () => () => {
            if (isWrite(kind)) this.isAway = true;
            this.onTouched(null);
            reject(unavailable('the disk failed'));
          },
        });
      }),
  };

  /** Carries out the next question. */
  step(): void {
    const next = this.#questions.shift();
    if (next === undefined) return;
    if (this.disk === 'sound') this.#answers.push(next.carryOut());
    else {
      if (this.disk === 'fails after') next.carryOut();
      this.#answers.push(next.fail());
    }
  }

  /** Delivers the next answer. */
  deliver(): void {
    this.#answers.shift()?.();
  }

  /** The process has died: nobody waits for answers, and what was not carried out never is. */
  crash(): void {
    this.isAway = false;
    this.#questions = [];
    this.#answers = [];
  }

  #losing<Kind extends keyof Questions>(kind: Kind, ask: Questions[Kind]['ask']) {
    if (!this.losesCheckpoints || kind !== 'write' || typeof ask !== 'string') return ask;
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
