/** Questions to the store's thread and their answers. If the thread dies, all of them fail. */
import type { ErrorCode, GatewayError } from '../../errors.ts';
import type { AuditEntry } from '../audit.ts';
import type { SqlRow, SqlStatement } from '../sql.ts';
import { fault, unavailable } from '../store-fault.ts';

/** Kinds of questions, with the type of each question and its answer. */
type QuestionMap = { readonly [kind: string]: { readonly ask: unknown; readonly answer: unknown } };

/** The store's own questions. Rooms that share its thread add theirs. */
export type StoreQuestions = {
  open: { ask: { readonly path: string; readonly nowMs: number }; answer: null };
  query: { ask: SqlStatement; answer: readonly SqlRow[] };
  transaction: {
    ask: { readonly statements: readonly SqlStatement[]; readonly audit: AuditEntry | null };
    answer: readonly (readonly SqlRow[])[];
  };
  /** Between these two the file does not change; see `sqlite-backup.ts`. */
  freeze: { ask: null; answer: null };
  thaw: { ask: null; answer: null };
  close: { ask: null; answer: null };
};

export type Question<Questions extends QuestionMap> = {
  [Kind in keyof Questions]: {
    readonly id: number;
    readonly kind: Kind;
    readonly ask: Questions[Kind]['ask'];
  };
}[keyof Questions];
export type Answer<Questions extends QuestionMap> =
  | { readonly id: number; readonly answer: Questions[keyof Questions]['answer'] }
  | {
      readonly id: number;
      readonly failed: { readonly code: ErrorCode; readonly message: string };
    };

/**
 * Maximum pending questions. Plain SQL comes a few at a time, and a batch of commands is one
 * question.
 */
const MAX_PENDING = 1_000;

type Waiting<Given> = {
  resolve(answer: Given): void;
  readonly reject: (thrown: GatewayError) => void;
};

export class WorkerLink<Questions extends QuestionMap = StoreQuestions> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting<Questions[keyof Questions]['answer']>>();
  #asked = 0;
  /** Why no more questions are possible; null while the thread lives. */
  #ended: string | null = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Answer<Questions>>) => this.#answered(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(`its thread failed: ${event.message}`);
    };
    worker.addEventListener('close', () => this.#end('its thread ended'));
  }

  /**
   * @throws GatewayError `store_unavailable` when the thread is gone or overloaded, or the error
   *   that the thread answers with.
   */
  ask<Kind extends keyof Questions>(
    kind: Kind,
    ask: Questions[Kind]['ask'],
  ): Promise<Questions[Kind]['answer']> {
    if (this.#ended !== null) return Promise.reject(unavailable(this.#ended));
    if (this.#waiting.size >= MAX_PENDING) {
      return Promise.reject(unavailable(`${MAX_PENDING} questions are pending`));
    }
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#worker.postMessage({ id, kind, ask });
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Ends the thread. Pending questions fail with `store_unavailable`. */
  terminate(): void {
    this.#end('it is closed');
    this.#worker.terminate();
  }

  #answered(answer: Answer<Questions>): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('failed' in answer) {
      const { code, message } = answer.failed;
      waiting?.reject(code === 'store_unavailable' ? unavailable(message) : fault(code, message));
    } else waiting?.resolve(answer.answer);
  }

  #end(why: string): void {
    this.#ended ??= why;
    for (const { reject } of this.#waiting.values()) reject(unavailable(why));
    this.#waiting.clear();
  }
}
