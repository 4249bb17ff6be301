/** The balances of the ledger's own accounts, such as `top_up`, in each currency. */
import type { components } from '#api/schema.gen.ts';
import { formatExact, parseAmount } from '#money/amount.ts';

export type BookBalance = components['schemas']['BookBalance'];
export type BookAccount = BookBalance['account'];
export type Currency = BookBalance['currency'];
export type BookRow = {
  readonly account: BookAccount;
  readonly balances: { readonly [Name in Currency]: string };
};

/** The ledger accounts through which money enters from outside. */
const PAID_IN: readonly BookAccount[] = ['top_up', 'redeem_code', 'card_payment'];

/** Groups the balances by ledger account, in the order of the API. */
export function rowsOf(balances: readonly BookBalance[]): readonly BookRow[] {
  return [...Map.groupBy(balances, ({ account }) => account)].map(([account, own]) => ({
    account,
    balances: {
      USD: own.find(({ currency }) => currency === 'USD')?.balance ?? '0',
      CNY: own.find(({ currency }) => currency === 'CNY')?.balance ?? '0',
    },
  }));
}

/**
 * Returns the total of all payments as a positive amount. The ledger accounts in `PAID_IN` have
 * negative balances, because each payment leaves such an account and enters a wallet.
 */
export function paidIn(rows: readonly BookRow[], currency: Currency): string {
  const total = rows
    .filter(({ account }) => PAID_IN.includes(account))
    .reduce((sum, { balances }) => sum - parseAmount(balances[currency]), 0n);
  return formatExact(total);
}
