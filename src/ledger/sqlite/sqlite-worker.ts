/**
 * The store's thread. Only this thread accesses the SQLite database, so a slow disk never delays a
 * stream.
 */
import type { Question } from '../../store/sqlite/worker-link.ts';
import { type Questions, SqliteThread } from './sqlite-thread.ts';

export type { Questions } from './sqlite-thread.ts';

declare const self: Worker;

const thread = new SqliteThread();

self.onmessage = ({ data }: MessageEvent<Question<Questions>>) =>
  self.postMessage(thread.answer(data));
