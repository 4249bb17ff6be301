/** Answers the questions of the gateway about a SQLite file, one after the other. */
import type { ErrorCode } from '../../errors.ts';
import {
  DataFolderInUse,
  describeFailure,
  isStoreFailure,
  StoreFile,
} from '../../store/sqlite/store-file.ts';
import type { Answer, Question, StoreQuestions } from '../../store/sqlite/worker-link.ts';
import type { FloatQuestions } from '../float/float-store.ts';
import { decodeWrites } from '../float/float-wire.ts';
import { encodeReplies } from '../wire.ts';
import { SqliteLedger } from './sqlite-ledger.ts';
import { TouchedAccounts } from './touched-accounts.ts';

/** The questions that the thread answers, for the store and for the ledger. */
export type Questions = StoreQuestions & FloatQuestions;

type Opened = {
  readonly store: StoreFile;
  readonly ledger: SqliteLedger;
  readonly touched: TouchedAccounts;
};

export class SqliteThread {
  /** The path of the file, for messages. */
  #path = '';
  #opened: Opened | null = null;

  answer(question: Question<Questions>): Answer<Questions> {
    const { id } = question;
    try {
      const answer = this.#run(question);
      const isSql = question.kind === 'query' || question.kind === 'transaction';
      return isSql && this.#opened !== null
        ? { id, answer, touched: this.#opened.touched.take() }
        : { id, answer };
    } catch (thrown) {
      return { id, failed: { code: codeOf(thrown), message: describeFailure(this.#path, thrown) } };
    }
  }

  #run(question: Question<Questions>): Questions[keyof Questions]['answer'] {
    if (question.kind === 'open') {
      this.#path = question.ask.path;
      const store = StoreFile.open(this.#path, question.ask.nowMs);
      this.#opened = {
        store,
        ledger: new SqliteLedger(store),
        touched: new TouchedAccounts(store),
      };
      return null;
    }
    if (this.#opened === null) throw new Error('the file is not open');
    const { store, ledger } = this.#opened;
    switch (question.kind) {
      case 'write':
        return encodeReplies(ledger.write(decodeWrites(question.ask)));
      case 'sheets':
        return ledger.sheets(question.ask.accountId, question.ask.keyId);
      case 'lost':
        return ledger.lost(question.ask.live);
      case 'query':
        return store.query(question.ask);
      case 'transaction':
        return store.transaction(question.ask.statements, question.ask.audit);
      case 'join':
        ledger.join(question.ask);
        return null;
      case 'renew':
        return ledger.renew(question.ask);
      case 'leave':
        ledger.leave(question.ask);
        return null;
      case 'freeze':
        store.freeze();
        return null;
      case 'thaw':
        store.thaw();
        return null;
      case 'close':
        store.close();
        this.#opened = null;
        return null;
    }
  }
}

function codeOf(thrown: unknown): ErrorCode {
  if (thrown instanceof DataFolderInUse) return 'conflict';
  return isStoreFailure(thrown) ? 'store_unavailable' : 'internal_error';
}
