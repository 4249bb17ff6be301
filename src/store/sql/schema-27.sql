-- Price lists: the list that an account is on, and the list that a price card belongs to. Null is
-- the public prices. Both engines run this file.
ALTER TABLE account ADD COLUMN price_list TEXT;
ALTER TABLE card ADD COLUMN price_list TEXT;
-- Counting the accounts of a list reads only those that are on one.
CREATE INDEX account_on_price_list ON account (price_list) WHERE price_list IS NOT NULL;
