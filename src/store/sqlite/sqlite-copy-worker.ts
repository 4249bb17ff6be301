/**
 * The thread that copies a SQLite file, without its write-ahead log, while no commit changes the
 * file.
 */
import { constants, Database as SqliteFile } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';

declare const self: Worker;

/** The paths of a copy. `to` is an existing empty file, which keeps its permissions. */
export type CopyQuestion = { readonly from: string; readonly to: string };
export type CopyAnswer = { readonly failed: string | null };

self.onmessage = ({ data }: MessageEvent<CopyQuestion>) => self.postMessage(answerTo(data));

function answerTo({ from, to }: CopyQuestion): CopyAnswer {
  try {
    // With `immutable`, SQLite ignores the write-ahead log and the store thread's lock. Opening the
    // file in another way is forbidden: closing that handle would release this process's lock.
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
