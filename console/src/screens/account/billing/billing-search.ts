/** The state of the billing page that is kept in its URL. */
import { type Given, given } from '#api/given.ts';
import { every } from '#api/lists.ts';
import type { components } from '#api/schema.gen.ts';
import { choice, dayOrTime, searchReader } from '#components/search-reader.ts';
import { CURRENCIES } from '#money/currencies.ts';

export const BILLING_TABS = ['wallets', 'ledger', 'statements', 'alerts'] as const;
export type BillingTab = (typeof BILLING_TABS)[number];

export type MovementKind = components['schemas']['Movement']['kind'];
export const MOVEMENT_KINDS = every<MovementKind>({
  credit: true,
  settle: true,
  exchange: true,
  refund: true,
  adjust: true,
  late: true,
});

/** The filters of the ledger. `from` and `to` are UTC days or times. */
const LEDGER_FILTERS = {
  kind: choice(MOVEMENT_KINDS),
  currency: choice(CURRENCIES),
  from: dayOrTime,
  to: dayOrTime,
};
export const billingSearch = searchReader({
  ...LEDGER_FILTERS,
  /** The open tab; omitted for the wallets tab. */
  tab: choice(BILLING_TABS),
  /** The result of a payment, which the payment provider adds when it redirects the person back. */
  payment: choice(['paid', 'cancelled']),
});
type BillingSearch = ReturnType<typeof billingSearch>;
export type LedgerFilter = Given<Pick<BillingSearch, keyof typeof LEDGER_FILTERS>>;

/** Returns the ledger's filters from the parameters of the URL. */
export const ledgerFilterOf = ({ kind, currency, from, to }: BillingSearch): LedgerFilter =>
  given({ kind, currency, from, to });

/** Returns the URL of the filtered ledger, for a download. */
export const ledgerAddress = (filter: LedgerFilter): string =>
  `/console/api/ledger?${new URLSearchParams(filter)}`;
