
-- Reserves the name of the ledger's account that bonuses come from.
ALTER TABLE account DROP CONSTRAINT account_is_none_of_the_books;
ALTER TABLE account ADD CONSTRAINT account_is_none_of_the_books
  CHECK (id NOT IN ('redeem_code', 'card_payment', 'bonus'));
