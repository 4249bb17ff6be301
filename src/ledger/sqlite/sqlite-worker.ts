/** The store's thread. Only this thread accesses the file, so a slow disk never delays a stream. */
import type { ErrorCode } from '../../errors.ts';
import {
  DataFolderInUse,
  describeFailure,
  isStoreFailure,
  StoreFile,
} from '../../store/sqlite/store-file.ts';
import type { Answer, Question, StoreQuestions } from '../../store/sqlite/worker-link.ts';
import type { Reaped } from '../ledger.ts';
import { decodeCommands, encodeReplies } from '../wire.ts';
import { type Joining, SqliteLedger } from './sqlite-ledger.ts';

declare const self: Worker;

/** The questions that the thread answers, for the store and for the ledger. */
export type Questions = StoreQuestions & {
  /** Commands and their replies, encoded by `wire.ts`. */
  write: { ask: string; answer: string };
  join: { ask: Joining; answer: null };
  renew: { ask: { readonly epoch: string; readonly untilMs: number }; answer: boolean };
  leave: { ask: { readonly epoch: string; readonly nowMs: number }; answer: null };
  reap: { ask: { readonly nowMs: number }; answer: Reaped };
};

/** The path of the file, for messages. */
let path = '';
let opened: { readonly store: StoreFile; readonly ledger: SqliteLedger } | null = null;

self.onmessage = ({ data }: MessageEvent<Question<Questions>>) => self.postMessage(answerTo(data));

function answerTo(question: Question<Questions>): Answer<Questions> {
  const { id } = question;
  try {
    return { id, answer: run(question) };
  } catch (thrown) {
    return { id, failed: { code: codeOf(thrown), message: describeFailure(path, thrown) } };
  }
}

function codeOf(thrown: unknown): ErrorCode {
  if (thrown instanceof DataFolderInUse) return 'conflict';
  return isStoreFailure(thrown) ? 'store_unavailable' : 'internal_error';
}

function run(question: Question<Questions>): Questions[keyof Questions]['answer'] {
  if (question.kind === 'open') {
    path = question.ask.path;
    const store = StoreFile.open(path, question.ask.nowMs);
    opened = { store, ledger: new SqliteLedger(store) };
    return null;
  }
  if (opened === null) throw new Error('the file is not open');
  const { store, ledger } = opened;
  switch (question.kind) {
    case 'write':
      return encodeReplies(ledger.write(decodeCommands(question.ask)));
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
    case 'reap':
      return ledger.reap(question.ask.nowMs);
    case 'freeze':
      store.freeze();
      return null;
    case 'thaw':
      store.thaw();
      return null;
    case 'close':
      store.close();
      opened = null;
      return null;
  }
}
