-- The language of a person's email, and whether they get the alerts of the account. Both engines
-- run this file.
CREATE TABLE mail_preference (
  person_id TEXT PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
  language TEXT NOT NULL CHECK (language IN ('en', 'zh')),
  alerts INTEGER NOT NULL DEFAULT 1 CHECK (alerts IN (0, 1))
) STRICT, WITHOUT ROWID;
