/** The internal ledger account that a credit is taken from: of money that was paid, or given. */
export type CreditSource =
  | 'top_up'
  | 'redeem_code'
  | 'card_payment'
  | 'demo'
  | 'goodwill'
  /** What is given on top of a payment. */
  | 'bonus';
