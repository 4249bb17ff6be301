/** The currencies of wallets, in the order in which they are listed. */
import { every } from '../api/lists.ts';
import type { components } from '../api/schema.gen.ts';

export type Currency = components['schemas']['Wallet']['currency'];
export const CURRENCIES = every<Currency>({ USD: true, CNY: true });
