-- How a person gets e-mail: the language, and whether alerts of the account. Both engines run this.
CREATE TABLE mail_preference (
  person_id TEXT PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
  language TEXT NOT NULL CHECK (language IN ('en', 'zh')),
  alerts INTEGER NOT NULL DEFAULT 1 CHECK (alerts IN (0, 1))
) STRICT, WITHOUT ROWID;
