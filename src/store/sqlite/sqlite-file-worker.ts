/**
 * The thread that reads a SQLite file, without its write-ahead log, while no commit changes the
 * file.
 */
import { constants, type SQLQueryBindings, Database as SqliteFile } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';
import type { SqlRow } from '../sql.ts';
import type { Answer, Question, StoreQuestions } from './worker-link.ts';

declare const self: Worker;

export type FileQuestions = Pick<StoreQuestions, 'query' | 'close'> & {
  /** Opens the file at this path. */
  open: { ask: string; answer: null };
};

let file: SqliteFile | null = null;

self.onmessage = ({ data }: MessageEvent<Question<FileQuestions>>) =>
  self.postMessage(answerTo(data));

function answerTo(question: Question<FileQuestions>): Answer<FileQuestions> {
  const { id } = question;
  try {
    return { id, answer: run(question) };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { id, failed: { code: 'internal_error', message } };
  }
}

function run(question: Question<FileQuestions>): readonly SqlRow[] | null {
  if (question.kind === 'open') {
    // With `immutable`, SQLite ignores the write-ahead log and the store thread's lock. Opening the
    // file in another way is forbidden: closing that handle would release this process's lock.
    file = new SqliteFile(
      `${pathToFileURL(question.ask).href}?immutable=1`,
      constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
    );
    return null;
  }
  if (question.kind === 'close') {
    file?.close();
    return null;
  }
  if (file === null) throw new Error('the file is not open');
  const { sql, params } = question.ask;
  return file
    .query<SqlRow, SQLQueryBindings[]>(sql)
    .safeIntegers(true)
    .all(...params);
}
