/** Answers the gateway's questions about the SQLite database, one at a time. */
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
import { TailNotBooked } from './sqlite-tail.ts';
import { SLICE_WORK } from './tail-window.ts';
import { TouchedAccounts } from './touched-accounts.ts';

export type Questions = StoreQuestions & FloatQuestions;

type Opened = {
  readonly store: StoreFile;
  readonly ledger: SqliteLedger;
  readonly touched: TouchedAccounts;
};

export class SqliteThread {
  readonly #openFile: typeof StoreFile.open;
  readonly #sliceWork: number;
  /** The path of the database, for error messages. */
  #path = '';
  #opened: Opened | null = null;

  constructor(openFile: typeof StoreFile.open = StoreFile.open, sliceWork = SLICE_WORK) {
    this.#openFile = openFile;
    this.#sliceWork = sliceWork;
  }

  answer(question: Question<Questions>): Answer<Questions> {
    const { id } = question;
    try {
      const answer = this.#run(question);
      return question.kind === 'append' || this.#opened === null
        ? { id, answer }
        : { id, answer, touched: this.#opened.touched.take() };
    } catch (thrown) {
      return { id, failed: { code: codeOf(thrown), message: describeFailure(this.#path, thrown) } };
    }
  }

  #run(question: Question<Questions>): Questions[keyof Questions]['answer'] {
    if (question.kind === 'open') {
      this.#path = question.ask.path;
      const store = this.#openFile(this.#path, question.ask.nowMs);
      const touched = new TouchedAccounts(store);
      const ledger = new SqliteLedger(store, this.#sliceWork, (id) => touched.add(id));
      this.#opened = { store, ledger, touched };
      ledger.tail.bookAll();
      return null;
    }
    if (this.#opened === null) throw new Error('the file is not open');
    const { store, ledger } = this.#opened;
    if (question.kind === 'append') {
      ledger.tail.append(question.ask);
      return null;
    }
    if (question.kind === 'book') return ledger.tail.bookSlice();
    if (question.kind === 'thaw') {
      store.thaw();
      return null;
    }
    if (question.kind === 'close') return this.#close();
    if (question.kind === 'query') {
      const statement = question.ask;
      return ledger.tail.read(() => store.query(statement));
    }
    if (question.kind === 'sheets') {
      const { accountId, keyId } = question.ask;
      return ledger.tail.read(() => ledger.sheets(accountId, keyId));
    }
    // The tail has durable charges that the tables lack. It is booked before the question is
    // answered, because the answer is read from the tables.
    ledger.tail.bookAll();
    switch (question.kind) {
      case 'write':
        return encodeReplies(ledger.write(decodeWrites(question.ask)));
      case 'lost':
        return ledger.lost(question.ask.live);
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
    }
  }

  #close(): null {
    try {
      this.#opened?.ledger.tail.bookAll();
    } catch {
      // If booking failed, the tail (the durable charges that are not booked yet) stays in the
      // database. The next start books it, or fails with the reason.
    }
    this.#opened?.store.close();
    this.#opened = null;
    return null;
  }
}

function codeOf(thrown: unknown): ErrorCode {
  if (thrown instanceof DataFolderInUse) return 'conflict';
  const isAway = thrown instanceof TailNotBooked || isStoreFailure(thrown);
  return isAway ? 'store_unavailable' : 'internal_error';
}
