-- Secrets of the operator, encrypted under a key that is not in the store. Both engines run this
-- file. `sealed` is nonce, ciphertext and tag; `secrets/secret-vault.ts` says what the ciphertext
-- is bound to.
CREATE TABLE secret (
  name TEXT PRIMARY KEY,
  sealed BLOB NOT NULL,
  key_id TEXT NOT NULL,
  last_four TEXT,
  set_at_ms INTEGER NOT NULL,
  set_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
