/** A thread that copies a SQLite file which stands still, leaving what is in its log aside. */
import { constants, Database as SqliteFile } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';

declare const self: Worker;

/** `to`: an empty file that is there already, with the rights that it is to have. */
export type CopyQuestion = { readonly from: string; readonly to: string };
export type CopyAnswer = { readonly failed: string | null };

self.onmessage = ({ data }: MessageEvent<CopyQuestion>) => self.postMessage(answerTo(data));

function answerTo({ from, to }: CopyQuestion): CopyAnswer {
  try {
    // Immutable: read as it is, without a lock (the store's thread has the only one) and without the log.
    // SQLite must be the one to open it: any other handle on the file would, when it is closed, take the
    // process's lock away.
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
