-- Spending caps of members. Both engines run this file.

-- What a member may spend in an account over all API keys that they created, in nano-USD. What they
-- have spent is the sum of the meters of these keys. Without a row, a member has no cap.
CREATE TABLE member_cap (
  account_id TEXT NOT NULL REFERENCES account (id),
  -- Not a reference to `membership`, because the cap remains after the membership ends, as the
  -- member's keys do.
  person_id TEXT NOT NULL,
  cap_day INTEGER CHECK (cap_day >= 0),
  cap_week INTEGER CHECK (cap_week >= 0),
  cap_month INTEGER CHECK (cap_month >= 0),
  revision TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (account_id, person_id),
  CHECK (cap_day IS NOT NULL OR cap_week IS NOT NULL OR cap_month IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_of_creator ON api_key (account_id, created_by) WHERE created_by IS NOT NULL;
