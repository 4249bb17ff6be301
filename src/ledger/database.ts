/** The store of an installation together with its ledger. */

import type { Store } from '../store/store.ts';
import type { Ledger } from './ledger.ts';

export type Database = Store & { readonly ledger: Ledger };
