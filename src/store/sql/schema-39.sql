-- The secret of an account's webhook before the last rotation. Both engines run this file.
ALTER TABLE account_webhook ADD COLUMN earlier_sealed BLOB;
-- Until when the earlier secret signs in addition to the current one.
ALTER TABLE account_webhook ADD COLUMN earlier_until_ms INTEGER;
