/** The store of an installation together with its ledger. */

import type { Store } from '../store/store.ts';
import type { Ledger } from './ledger.ts';

export type Database = Store & {
  readonly ledger: Ledger;
  /**
   * Whether no other process can have resolved the holds of this epoch, an epoch of this process,
   * because its lease is certainly live.
   */
  readonly isLive: (epoch: string) => boolean;
  /**
   * Returns the time in Unix milliseconds by the clock that all nodes of the store share: that of
   * the PostgreSQL server, or of this machine.
   */
  readonly nowMs: () => number;
};
