/** The currencies of wallets, in display order. */
import { every } from '#api/lists.ts';
import type { components } from '#api/schema.gen.ts';

export type Currency = components['schemas']['Wallet']['currency'];
export const CURRENCIES = every<Currency>({ USD: true, CNY: true });
