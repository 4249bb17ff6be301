-- What a key or an account may do in a minute, at once, with what and from where, as JSON (`limits.ts`);
-- its spending caps are in its meter. `revision` is new with every change, so that two changes at once are
-- made one after the other, each on what the other left.
ALTER TABLE account ADD COLUMN limits TEXT NOT NULL DEFAULT '{}';
ALTER TABLE account ADD COLUMN expires_at_ms INTEGER;
ALTER TABLE account ADD COLUMN revision TEXT NOT NULL DEFAULT '';
ALTER TABLE api_key ADD COLUMN limits TEXT NOT NULL DEFAULT '{}';
ALTER TABLE api_key ADD COLUMN revision TEXT NOT NULL DEFAULT '';

-- The secret before the last rotation works until then.
ALTER TABLE api_key ADD COLUMN previous_hash BLOB;
ALTER TABLE api_key ADD COLUMN previous_until_ms INTEGER;
CREATE UNIQUE INDEX api_key_by_previous_hash ON api_key (previous_hash);
