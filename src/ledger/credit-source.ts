/** The internal account that pays for a credit: with a customer's money, or as a gift. */
export type CreditSource =
  | 'top_up'
  | 'redeem_code'
  | 'card_payment'
  | 'demo'
  | 'goodwill'
  /** Extra money given with a payment. */
  | 'bonus';
