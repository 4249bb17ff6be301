-- Accounts and API keys whose prompts and answers are logged. Both engines run this file.
CREATE TABLE prompt_logging (
  -- The id of the account or of the key.
  subject TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  since_ms INTEGER NOT NULL,
  set_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX prompt_logging_of_account ON prompt_logging (account_id);
-- A prompt with its answer, encrypted. `sealed` is nonce, ciphertext and tag;
-- `telemetry/prompts/prompt-log.ts` says what the ciphertext is bound to.
CREATE TABLE prompt_record (
  request_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  seal_key_id TEXT NOT NULL,
  sealed BLOB NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX prompt_record_of_account ON prompt_record (account_id, at_ms, request_id, bytes);
CREATE INDEX prompt_record_by_time ON prompt_record (at_ms, request_id, bytes);
