/** The state of the billing page that is kept in its URL. */
import { every, oneOf } from '#api/lists.ts';
import type { components } from '#api/schema.gen.ts';
import { CURRENCIES, type Currency } from '#money/currencies.ts';

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

export type LedgerFilter = {
  readonly kind?: MovementKind;
  readonly currency?: Currency;
  /** The first and the last UTC day. */
  readonly from?: string;
  readonly to?: string;
};
export type BillingSearch = LedgerFilter & {
  /** The open tab; left out for the wallets tab. */
  readonly tab?: BillingTab;
  /** The result of a payment, which the payment provider adds when it redirects the person back. */
  readonly payment?: 'paid' | 'cancelled';
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function billingSearchOf(search: Readonly<Record<string, unknown>>): BillingSearch {
  const tab = oneOf(BILLING_TABS, search['tab']);
  const kind = oneOf(MOVEMENT_KINDS, search['kind']);
  const currency = oneOf(CURRENCIES, search['currency']);
  const payment = oneOf(['paid', 'cancelled'], search['payment']);
  const from = dayOf(search['from']);
  const to = dayOf(search['to']);
  return {
    ...(tab === undefined || tab === 'wallets' ? {} : { tab }),
    ...(kind === undefined ? {} : { kind }),
    ...(currency === undefined ? {} : { currency }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(payment === undefined ? {} : { payment }),
  };
}

/** Returns only the filters of the URL. */
export function ledgerFilterOf(search: BillingSearch): LedgerFilter {
  const { tab: _tab, payment: _payment, ...filter } = search;
  return filter;
}

/** Sets one filter in the URL, or removes it when empty. */
export const withFilter = (
  search: BillingSearch,
  name: keyof LedgerFilter,
  text: string,
): BillingSearch => billingSearchOf({ ...search, [name]: text });

/** Returns the URL of the filtered ledger as a CSV file. */
export const ledgerCsvAddress = (filter: LedgerFilter): string =>
  `/console/api/ledger?${new URLSearchParams({ ...filter, format: 'csv' })}`;

const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
