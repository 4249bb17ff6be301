-- Price lists: the list that an account is on, and the list that a price card belongs to. Null
-- means the public prices. Both engines run this file.
ALTER TABLE account ADD COLUMN price_list TEXT;
ALTER TABLE card ADD COLUMN price_list TEXT;
-- Lets a count of the accounts on a list read only accounts with a list.
CREATE INDEX account_on_price_list ON account (price_list) WHERE price_list IS NOT NULL;
