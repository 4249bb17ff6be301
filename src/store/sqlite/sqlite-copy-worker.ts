/** A thread that copies a SQLite file which does not change, without its log. */
import { constants, Database as SqliteFile } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';

declare const self: Worker;

/** `to`: an existing empty file with the permissions that it shall have. */
export type CopyQuestion = { readonly from: string; readonly to: string };
export type CopyAnswer = { readonly failed: string | null };

self.onmessage = ({ data }: MessageEvent<CopyQuestion>) => self.postMessage(answerTo(data));

function answerTo({ from, to }: CopyQuestion): CopyAnswer {
  try {
    // Immutable: SQLite reads the file without a lock, which the store's thread has, and without
    // the log. SQLite itself must open it, because closing any other handle on the file would
    // release the lock of this process.
    const file = new SqliteFile(
      `${pathToFileURL(from).href}?immutable=1`,
      constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
    );
    try {
      file.query('VACUUM INTO ?').run(to);
    } finally {
      file.close();
    }
    return { failed: null };
  } catch (thrown) {
    return { failed: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
