/**
 * The source of a credit: a customer's payment or a gift. The ledger has an internal account for
 * each source.
 */
export type CreditSource =
  | 'top_up'
  | 'redeem_code'
  | 'card_payment'
  | 'demo'
  | 'goodwill'
  /** Extra credit that comes with a payment. */
  | 'bonus';
