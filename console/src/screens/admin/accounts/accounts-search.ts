/** The state of the account pages that is kept in their URLs. */
import { choice, searchReader, text } from '#components/search-reader.ts';

export const ACCOUNT_TABS = ['money', 'keys', 'requests', 'ledger', 'limits', 'people'] as const;
export type AccountTab = (typeof ACCOUNT_TABS)[number];

/** The search parameters of the list of accounts. */
export const accountsSearch = searchReader({ search: text });
/** The search parameters of an account's page. Without `tab`, the tab of wallets is open. */
export const accountSearch = searchReader({ tab: choice(ACCOUNT_TABS), request: text });
