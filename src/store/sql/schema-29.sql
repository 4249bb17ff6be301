-- The identities at an identity provider with which people sign in. Both engines run this file.
CREATE TABLE identity (
  id TEXT PRIMARY KEY,
  -- Null once the person is removed, so that the identity does not come back as a new person.
  person_id TEXT REFERENCES person (id) ON DELETE SET NULL,
  -- `iss` and `sub` of the provider's ID token.
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- When the identity was linked to the person.
  created_at_ms INTEGER NOT NULL,
  UNIQUE (issuer, subject),
  -- A person has one identity at each provider, because a later owner of the same email address is
  -- another person.
  UNIQUE (person_id, issuer)
) STRICT, WITHOUT ROWID;
