/**
 * The questions that the float (the holds in memory) asks the store's thread. They are answered in
 * the order in which they are asked.
 */

import type { SqlRow, SqlStatement } from '../../store/sql.ts';
import type { NodeIdentity } from '../ledger.ts';
import type { AccountSheet, KeySheet } from './account-state.ts';

export type FloatQuestions = {
  /**
   * Returns the amounts that an account and one of its keys may spend; null for an account or key
   * that does not exist.
   */
  sheets: { ask: { readonly accountId: string; readonly keyId: string }; answer: Sheets };
  /**
   * Makes writes durable whose outcomes are already decided. They are booked later. `ask` is
   * encoded by `float-wire.ts`.
   */
  append: { ask: string; answer: null };
  /** Books a slice of the durable writes. Returns what is left to book: see `Unbooked`. */
  book: { ask: null; answer: 'nothing' | 'window' | 'tail' };
  /** Applies writes that the store decides. `float-wire.ts` encodes question and answer. */
  write: { ask: string; answer: string };
  /** Returns up to `REAP_BATCH` streams that have a checkpoint and whose process has died. */
  lost: { ask: { readonly live: string | null }; answer: readonly LostStream[] };
  join: { ask: Joining; answer: null };
  renew: { ask: { readonly epoch: string; readonly untilMs: number }; answer: boolean };
  leave: { ask: { readonly epoch: string; readonly nowMs: number }; answer: null };
  query: { ask: SqlStatement; answer: readonly SqlRow[] };
};

export type Sheets = { readonly account: AccountSheet | null; readonly key: KeySheet | null };
export type LostStream = { readonly id: string; readonly accountId: string };
export type Joining = NodeIdentity & { readonly nowMs: number; readonly untilMs: number };

/**
 * The accounts that a statement has changed; null if there are too many to list, so any account may
 * have changed.
 */
export type Touched = readonly string[] | null;

export type FloatLink = {
  /**
   * Asks a question. `received` is called with the answer before the promise resolves, and before
   * any later question is answered.
   * @throws GatewayError `store_unavailable` when the thread has ended or the database failed
   */
  ask<Kind extends keyof FloatQuestions>(
    kind: Kind,
    ask: FloatQuestions[Kind]['ask'],
    received?: (answer: FloatQuestions[Kind]['answer']) => void,
  ): Promise<FloatQuestions[Kind]['answer']>;
};
