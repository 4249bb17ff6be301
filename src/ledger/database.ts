/** The store of an installation with the ledger in it. */
import type { Ledger } from './ledger.ts';
import type { Store } from './store.ts';

export type Database = Store & { readonly ledger: Ledger };
