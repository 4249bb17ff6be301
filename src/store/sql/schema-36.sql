-- The further accounts of a person, besides the main account of `person`. Both engines run this.
CREATE TABLE membership (
  person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES account (id),
  role TEXT NOT NULL CHECK (role IN ('read_only', 'member', 'owner')),
  joined_at_ms INTEGER NOT NULL,
  PRIMARY KEY (person_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_of_account ON membership (account_id, person_id);
-- The further account that the session is for; null for the main account.
ALTER TABLE session ADD COLUMN account_id TEXT REFERENCES account (id);
