-- Each person has a playground key of their own. A playground key without a creator is the one that
-- the people of its account shared before. Both engines run this file.
DROP INDEX api_key_of_purpose;
CREATE UNIQUE INDEX api_key_of_purpose ON api_key (account_id, purpose, COALESCE(created_by, ''))
  WHERE purpose IS NOT NULL AND status <> 'revoked';
