-- What the console needs of the books: keys that are out of use for a while, a key for its playground, money
-- that a person brings in, and requests of people that can be made again under their Idempotency-Key.
-- SQLite cannot change a check or a reference, so these tables are built anew with what they hold.

CREATE TABLE api_key_anew (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  name TEXT NOT NULL,
  -- SHA-256 of the whole key; the key itself is shown once and never kept.
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  prefix TEXT NOT NULL,
  last4 TEXT NOT NULL,
  -- disabled: out of use until it is enabled again. revoked: for good. The books sell to none of the two.
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled', 'revoked')),
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  revoked_at_ms INTEGER,
  last_used_at_ms INTEGER,
  limits TEXT NOT NULL DEFAULT '{}',
  revision TEXT NOT NULL DEFAULT '',
  -- The secret before the last rotation works until then.
  previous_hash BLOB,
  previous_until_ms INTEGER,
  -- Null: whatever its owner uses it for.
  purpose TEXT CHECK (purpose = 'playground')
) STRICT, WITHOUT ROWID;
INSERT INTO api_key_anew (id, account_id, name, hash, prefix, last4, status, created_at_ms, expires_at_ms,
    revoked_at_ms, last_used_at_ms, limits, revision, previous_hash, previous_until_ms)
  SELECT id, account_id, name, hash, prefix, last4, status, created_at_ms, expires_at_ms,
    revoked_at_ms, last_used_at_ms, limits, revision, previous_hash, previous_until_ms FROM api_key;
DROP TABLE api_key;
ALTER TABLE api_key_anew RENAME TO api_key;
CREATE INDEX api_key_of_account ON api_key (account_id, created_at_ms);
CREATE UNIQUE INDEX api_key_by_previous_hash ON api_key (previous_hash);
-- An account has one key for each purpose; when that is revoked it may have another.
CREATE UNIQUE INDEX api_key_of_purpose ON api_key (account_id, purpose)
  WHERE purpose IS NOT NULL AND status <> 'revoked';
CREATE TRIGGER key_has_meter AFTER INSERT ON api_key BEGIN
  INSERT INTO spend_meter (owner_id) VALUES (new.id);
END;

CREATE TABLE redeem_code_anew (
  -- SHA-256 of the code's letters.
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  batch_id TEXT NOT NULL REFERENCES redeem_batch (id),
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'claimed', 'cancelled')),
  account_id TEXT REFERENCES account (id),
  -- Who claimed it: a key of the account, or a person.
  actor TEXT,
  claimed_at_ms INTEGER,
  CHECK ((state = 'claimed') = (account_id IS NOT NULL)),
  CHECK ((account_id IS NULL) = (actor IS NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO redeem_code_anew (hash, batch_id, state, account_id, actor, claimed_at_ms)
  SELECT hash, batch_id, state, account_id, key_id, claimed_at_ms FROM redeem_code;
DROP TABLE redeem_code;
ALTER TABLE redeem_code_anew RENAME TO redeem_code;
CREATE INDEX redeem_code_of_batch ON redeem_code (batch_id, state);

CREATE TABLE top_up_order_anew (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  -- Who ordered it: a key of the account, or a person.
  actor TEXT NOT NULL,
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- The same in cents or fen, as the provider counts.
  minor_amount INTEGER NOT NULL CHECK (minor_amount * 10000000 = amount),
  -- pending: the provider waits for the money. review: what was paid is not what was ordered.
  state TEXT NOT NULL DEFAULT 'open'
    CHECK (state IN ('open', 'pending', 'paid', 'failed', 'expired', 'review')),
  -- The provider's ids, once they are known.
  session_id TEXT,
  payment_id TEXT,
  url TEXT,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO top_up_order_anew (id, account_id, actor, currency, amount, minor_amount, state, session_id,
    payment_id, url, created_at_ms, updated_at_ms)
  SELECT id, account_id, key_id, currency, amount, minor_amount, state, session_id,
    payment_id, url, created_at_ms, updated_at_ms FROM top_up_order;
DROP TABLE top_up_order;
ALTER TABLE top_up_order_anew RENAME TO top_up_order;
CREATE INDEX top_up_order_of_account ON top_up_order (account_id, id);
CREATE INDEX top_up_order_of_payment ON top_up_order (payment_id) WHERE payment_id IS NOT NULL;

-- Neither the Idempotency-Key, nor the request, nor a readable answer is in here.
CREATE TABLE idempotency_anew (
  -- Whose key it is: an account of callers, a person, or `admin`.
  owner_id TEXT NOT NULL,
  -- Which operation: `chat`, `messages`, `images`, or a route of the console or of administrators.
  operation TEXT NOT NULL,
  -- SHA-256 of the Idempotency-Key.
  key_hash BLOB NOT NULL CHECK (length(key_hash) = 32),
  -- Whoever holds this id may say how the request ended; a new claim of the key has a new one.
  claim_id TEXT NOT NULL,
  -- What was asked, as a digest under the Idempotency-Key.
  meaning BLOB NOT NULL CHECK (length(meaning) = 32),
  request_id TEXT NOT NULL,
  -- kept: its answer can be had again. spent: it was done, and there is no answer to give.
  state TEXT NOT NULL CHECK (state IN ('running', 'kept', 'spent')),
  -- While it runs: the process that runs it, and until when it is believed to.
  epoch TEXT NOT NULL,
  lease_until_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  answer_bytes INTEGER NOT NULL DEFAULT 0 CHECK (answer_bytes >= 0),
  -- Sealed. Last, so that no other column is read through it.
  answer BLOB,
  PRIMARY KEY (owner_id, operation, key_hash),
  CHECK ((state = 'kept') = (answer IS NOT NULL))
) STRICT;
INSERT INTO idempotency_anew (owner_id, operation, key_hash, claim_id, meaning, request_id, state, epoch,
    lease_until_ms, created_at_ms, expires_at_ms, answer_bytes, answer)
  SELECT account_id, endpoint, key_hash, claim_id, meaning, request_id, state, epoch,
    lease_until_ms, created_at_ms, expires_at_ms, answer_bytes, answer FROM idempotency;
DROP TABLE idempotency;
ALTER TABLE idempotency_anew RENAME TO idempotency;
CREATE UNIQUE INDEX idempotency_by_claim ON idempotency (claim_id);
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at_ms, claim_id, answer_bytes);
-- Whose answers, and which of all, are the oldest.
CREATE INDEX idempotency_kept_of_owner
  ON idempotency (owner_id, created_at_ms, claim_id, answer_bytes) WHERE state = 'kept';
CREATE INDEX idempotency_kept
  ON idempotency (created_at_ms, claim_id, answer_bytes) WHERE state = 'kept';

-- What went wrong lately is looked for often and is rare.
CREATE INDEX receipt_failed ON receipt (account_id, settled_at_ms, request_id)
  WHERE outcome <> 'completed';
