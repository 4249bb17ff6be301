/**
 * Sends requests, which the code calls questions, to the store's thread. All pending questions fail
 * if the thread ends.
 */
import { extname } from 'node:path';
import type { ErrorCode, GatewayError } from '../../errors.ts';
import type { AuditEntry } from '../audit.ts';
import type { SqlRow, SqlStatement } from '../sql.ts';
import { fault, unavailable } from '../store-fault.ts';

/**
 * For each kind of question (a request to the thread), the types of the question and of its answer.
 */
type QuestionMap = { readonly [kind: string]: { readonly ask: unknown; readonly answer: unknown } };

/** The questions of the store itself. Modules that share its thread add their own questions. */
export type StoreQuestions = {
  open: { ask: { readonly path: string; readonly nowMs: number }; answer: null };
  query: { ask: SqlStatement; answer: readonly SqlRow[] };
  transaction: {
    ask: { readonly statements: readonly SqlStatement[]; readonly audit: AuditEntry | null };
    answer: readonly (readonly SqlRow[])[];
  };
  /** Between `freeze` and `thaw`, the database file does not change; see `frozen-file.ts`. */
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
  | {
      readonly id: number;
      readonly answer: Questions[keyof Questions]['answer'];
      /**
       * The accounts that the thread has changed: absent if it has changed none, null if any may
       * have changed.
       */
      readonly touched?: readonly string[] | null;
    }
  | {
      readonly id: number;
      readonly failed: { readonly code: ErrorCode; readonly message: string };
    };

/**
 * Starts a thread that runs a file. `path` is relative to the caller's file and has no extension:
 * the extension, `.ts` or `.js`, is that of the caller's file.
 */
export const startThread = (path: string, { url }: ImportMeta): Worker =>
  new Worker(new URL(`${path}${extname(url)}`, url));

/**
 * The maximum number of pending questions (requests to the thread). A batch of ledger commands is
 * one question.
 */
const MAX_PENDING = 1_000;

type Waiting<Given> = {
  resolve(answer: Given): void;
  received(answer: Given): void;
  readonly reject: (thrown: GatewayError) => void;
};

export class WorkerLink<Questions extends QuestionMap = StoreQuestions> {
  readonly #worker;
  readonly #onTouched;
  readonly #waiting = new Map<number, Waiting<Questions[keyof Questions]['answer']>>();
  readonly #closed = Promise.withResolvers<void>();
  #asked = 0;
  /** The reason why the thread accepts no more questions; null while it runs. */
  #ended: string | null = null;

  /**
   * @param onTouched called before an answer is delivered, with the accounts that the thread has
   *   changed; null if any account may have changed.
   */
  constructor(
    worker: Pick<
      Worker,
      'onmessage' | 'onerror' | 'addEventListener' | 'postMessage' | 'terminate'
    >,
    onTouched: (accountIds: readonly string[] | null) => void = () => undefined,
  ) {
    this.#worker = worker;
    this.#onTouched = onTouched;
    worker.onmessage = ({ data }: MessageEvent<Answer<Questions>>) => this.#answered(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(`its thread failed: ${event.message}`);
    };
    worker.addEventListener('close', () => {
      this.#end('its thread ended');
      this.#closed.resolve();
    });
  }

  /**
   * Sends a question (a request) to the thread. Answers come in the order of the questions.
   * `received` is called before the promise resolves, and before any later answer is handled.
   * @throws GatewayError `store_unavailable` when the thread has ended or is overloaded.
   */
  ask<Kind extends keyof Questions>(
    kind: Kind,
    ask: Questions[Kind]['ask'],
    received: (answer: Questions[Kind]['answer']) => void = () => undefined,
  ): Promise<Questions[Kind]['answer']> {
    if (this.#ended !== null) return Promise.reject(unavailable(this.#ended));
    if (this.#waiting.size >= MAX_PENDING) {
      return Promise.reject(unavailable(`${MAX_PENDING} calls to its thread are pending`));
    }
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#worker.postMessage({ id, kind, ask });
      this.#waiting.set(id, { resolve, received, reject });
    });
  }

  /**
   * Ends the thread. Pending questions fail with `store_unavailable`. Resolves when the thread has
   * ended, because its prepared statements keep the database locked until then.
   */
  terminate(): Promise<void> {
    this.#end('it is closed');
    this.#worker.terminate();
    return this.#closed.promise;
  }

  #answered(answer: Answer<Questions>): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('failed' in answer) {
      const { code, message } = answer.failed;
      // A commit may be durable although its failure was reported, so any account may have changed.
      if (code === 'store_unavailable') this.#onTouched(null);
      waiting?.reject(code === 'store_unavailable' ? unavailable(message) : fault(code, message));
      return;
    }
    const { touched = [] } = answer;
    if (touched === null || touched.length > 0) this.#onTouched(touched);
    waiting?.received(answer.answer);
    waiting?.resolve(answer.answer);
  }

  #end(why: string): void {
    this.#ended ??= why;
    for (const { reject } of this.#waiting.values()) reject(unavailable(why));
    this.#waiting.clear();
  }
}
