/** The state of the account pages that is kept in their URLs. */

export const ACCOUNT_TABS = ['money', 'keys', 'requests', 'ledger', 'limits', 'people'] as const;
export type AccountTab = (typeof ACCOUNT_TABS)[number];
/** The state of an account page. The open tab is left out for the wallets tab. */
export type AccountSearch = { readonly tab?: Exclude<AccountTab, 'money'> };

export const isAccountTab = (name: unknown): name is AccountTab =>
  ACCOUNT_TABS.some((tab) => tab === name);

export function accountSearch({ tab }: Readonly<Record<string, unknown>>): AccountSearch {
  return isAccountTab(tab) && tab !== 'money' ? { tab } : {};
}
