/** The store of an installation with the ledger in it. */

import type { Store } from '../store/store.ts';
import type { Ledger } from './ledger.ts';

export type Database = Store & { readonly ledger: Ledger };
