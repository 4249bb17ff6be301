-- Passkeys, with which people sign in without a password. Both engines run this file.
CREATE TABLE passkey (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  -- The name that the person chose for the passkey.
  name TEXT NOT NULL,
  -- The id that the authenticator assigned to the passkey, in base64url.
  credential_id TEXT NOT NULL UNIQUE,
  -- The public key, as COSE.
  public_key BLOB NOT NULL,
  -- The authenticator's signature counter; 0 if the authenticator does not count.
  uses INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  last_used_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_of_person ON passkey (person_id, created_at_ms);
-- Whether the session began with a passkey, which counts as both factors.
ALTER TABLE session ADD COLUMN by_passkey INTEGER NOT NULL DEFAULT 0 CHECK (by_passkey IN (0, 1));
