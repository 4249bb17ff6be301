-- What the console needs of the books: keys that are out of use for a while, a key for its playground, money
-- that a person brings in, and requests of people that can be made again under their Idempotency-Key.

-- disabled: out of use until it is enabled again. revoked: for good. The books sell to none of the two.
ALTER TABLE api_key DROP CONSTRAINT api_key_status_check;
ALTER TABLE api_key ADD CONSTRAINT api_key_status_check
  CHECK (status IN ('active', 'disabled', 'revoked'));
-- Null: whatever its owner uses it for.
ALTER TABLE api_key ADD COLUMN purpose TEXT CHECK (purpose = 'playground');
-- An account has one key for each purpose; when that is revoked it may have another.
CREATE UNIQUE INDEX api_key_of_purpose ON api_key (account_id, purpose)
  WHERE purpose IS NOT NULL AND status <> 'revoked';

-- Who claimed it, or ordered it: a key of the account, or a person.
ALTER TABLE redeem_code DROP CONSTRAINT redeem_code_key_id_fkey;
ALTER TABLE redeem_code RENAME COLUMN key_id TO actor;
ALTER TABLE top_up_order DROP CONSTRAINT top_up_order_key_id_fkey;
ALTER TABLE top_up_order RENAME COLUMN key_id TO actor;

-- Whose key it is: an account of callers, a person, or `admin`.
ALTER TABLE idempotency DROP CONSTRAINT idempotency_account_id_fkey;
ALTER TABLE idempotency RENAME COLUMN account_id TO owner_id;
-- Which operation: `chat`, `messages`, `images`, or a route of the console or of administrators.
ALTER TABLE idempotency DROP CONSTRAINT idempotency_endpoint_check;
ALTER TABLE idempotency RENAME COLUMN endpoint TO operation;
ALTER INDEX idempotency_kept_of_account RENAME TO idempotency_kept_of_owner;

-- What went wrong lately is looked for often and is rare.
CREATE INDEX receipt_failed ON receipt (account_id, settled_at_ms, request_id)
  WHERE outcome <> 'completed';
