-- Idempotency-Key: which requests were made under one, and their answers while they can be asked for again.

-- One row an installation: it goes into every key that answers are sealed with.
CREATE TABLE idempotency_salt (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  salt BYTEA NOT NULL CHECK (length(salt) = 32)
);

-- Neither the Idempotency-Key, nor the request, nor a readable answer is in here.
CREATE TABLE idempotency (
  account_id TEXT NOT NULL REFERENCES account (id),
  endpoint TEXT NOT NULL CHECK (endpoint IN ('chat', 'messages', 'images')),
  -- SHA-256 of the Idempotency-Key.
  key_hash BYTEA NOT NULL CHECK (length(key_hash) = 32),
  -- Whoever holds this id may say how the request ended; a new claim of the key has a new one.
  claim_id TEXT NOT NULL,
  -- What was asked, as a digest under the Idempotency-Key.
  meaning BYTEA NOT NULL CHECK (length(meaning) = 32),
  request_id TEXT NOT NULL,
  -- kept: its answer can be had again. spent: charged, and there is no answer to give.
  state TEXT NOT NULL CHECK (state IN ('running', 'kept', 'spent')),
  -- While it runs: the process that runs it, and until when it is believed to.
  epoch TEXT NOT NULL,
  lease_until_ms BIGINT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL,
  answer_bytes BIGINT NOT NULL DEFAULT 0 CHECK (answer_bytes >= 0),
  -- Sealed. Last, so that no other column is read through it.
  answer BYTEA,
  PRIMARY KEY (account_id, endpoint, key_hash),
  CHECK ((state = 'kept') = (answer IS NOT NULL))
);
CREATE UNIQUE INDEX idempotency_by_claim ON idempotency (claim_id);
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at_ms, claim_id, answer_bytes);
-- Whose answers, and which of all, are the oldest.
CREATE INDEX idempotency_kept_of_account
  ON idempotency (account_id, created_at_ms, claim_id, answer_bytes) WHERE state = 'kept';
CREATE INDEX idempotency_kept
  ON idempotency (created_at_ms, claim_id, answer_bytes) WHERE state = 'kept';
