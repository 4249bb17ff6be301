-- The states and encrypted answers of requests with an Idempotency-Key. Of the request and of the
-- key, only digests are stored.
CREATE TABLE idempotency (
  -- The owner of the key: an account, a person, or `admin`.
  owner_id TEXT NOT NULL,
  -- `chat`, `messages`, `images`, or a route of the console or of administrators.
  operation TEXT NOT NULL,
  -- SHA-256 of the Idempotency-Key.
  key_hash BLOB NOT NULL CHECK (length(key_hash) = 32),
  -- Identifies the execution that may store the result. A new execution with the same key has a new
  -- id.
  claim_id TEXT NOT NULL,
  -- A digest of the request, keyed with the Idempotency-Key.
  meaning BLOB NOT NULL CHECK (length(meaning) = 32),
  request_id TEXT NOT NULL,
  -- kept: the answer can be replayed. spent: the request was executed, but its answer is not
  -- stored.
  state TEXT NOT NULL CHECK (state IN ('running', 'kept', 'spent')),
  -- The process that runs the request, and the time until which the request counts as running.
  epoch TEXT NOT NULL,
  lease_until_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  answer_bytes INTEGER NOT NULL DEFAULT 0 CHECK (answer_bytes >= 0),
  -- The encrypted answer. It is the last column, so that reads of other columns do not load it.
  answer BLOB,
  PRIMARY KEY (owner_id, operation, key_hash),
  CHECK ((state = 'kept') = (answer IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX idempotency_by_claim ON idempotency (claim_id);
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at_ms, claim_id, answer_bytes);
-- These two indexes find the oldest answers, of one owner and of all owners.
CREATE INDEX idempotency_kept_of_owner
  ON idempotency (owner_id, created_at_ms, claim_id, answer_bytes) WHERE state = 'kept';
CREATE INDEX idempotency_kept
  ON idempotency (created_at_ms, claim_id, answer_bytes) WHERE state = 'kept';
