/** The state of the account pages that is kept in their URLs. */
import { choice, searchReader, text } from '#components/search-reader.ts';

export const ACCOUNT_TABS = ['money', 'keys', 'requests', 'ledger', 'limits', 'people'] as const;
export type AccountTab = (typeof ACCOUNT_TABS)[number];

/** The list of accounts. */
export const accountsSearch = searchReader({ search: text });
/** The page of an account. The default is the tab of wallets. */
export const accountSearch = searchReader({ tab: choice(ACCOUNT_TABS), request: text });
