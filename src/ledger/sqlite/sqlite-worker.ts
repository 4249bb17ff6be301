/** The store's thread: it alone touches the file, so a slow disk never holds up a stream. */
import type { ErrorCode } from '../../errors.ts';
import { decodeCommands, encodeReplies } from '../wire.ts';
import { BooksFile, DataFolderInUse, isStoreFailure } from './sqlite-file.ts';
import type { Answer, Question, Questions } from './worker-link.ts';

declare const self: Worker;

let books: BooksFile | null = null;

self.onmessage = ({ data }: MessageEvent<Question>) => self.postMessage(answerTo(data));

function answerTo(question: Question): Answer {
  const { id } = question;
  try {
    return { id, answer: run(question) };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { id, failed: { code: codeOf(thrown), message } };
  }
}

function codeOf(thrown: unknown): ErrorCode {
  if (thrown instanceof DataFolderInUse) return 'conflict';
  return isStoreFailure(thrown) ? 'store_unavailable' : 'internal_error';
}

function run(question: Question): Questions[keyof Questions]['answer'] {
  if (question.kind === 'open') {
    books = BooksFile.open(question.ask.path, question.ask.nowMs);
    return null;
  }
  if (books === null) throw new Error('the file is not open');
  switch (question.kind) {
    case 'write':
      return encodeReplies(books.write(decodeCommands(question.ask)));
    case 'query':
      return books.query(question.ask);
    case 'transaction':
      return books.transaction(question.ask.statements, question.ask.audit);
    case 'join':
      books.join(question.ask);
      return null;
    case 'renew':
      return books.renew(question.ask);
    case 'leave':
      books.leave(question.ask);
      return null;
    case 'reap':
      return books.reap(question.ask.nowMs);
    case 'freeze':
      books.freeze();
      return null;
    case 'thaw':
      books.thaw();
      return null;
    case 'close':
      books.close();
      books = null;
      return null;
  }
}
