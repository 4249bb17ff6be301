-- What was served and how it was priced, and accounts whose answers cost more than their holds.
-- `migrations.ts` replaces the types for PostgreSQL.

ALTER TABLE receipt ADD COLUMN reasoning INTEGER NOT NULL DEFAULT 0;
ALTER TABLE receipt ADD COLUMN audio_input INTEGER NOT NULL DEFAULT 0;
ALTER TABLE receipt ADD COLUMN audio_output INTEGER NOT NULL DEFAULT 0;
ALTER TABLE receipt ADD COLUMN image_input INTEGER NOT NULL DEFAULT 0;
ALTER TABLE receipt ADD COLUMN image_output INTEGER NOT NULL DEFAULT 0;
-- The facts that were priced, as JSON; null when the card has one row without conditions.
ALTER TABLE receipt ADD COLUMN facts TEXT;
-- The provider's id of the answer, and its own price in pico-USD, where it reports them.
ALTER TABLE receipt ADD COLUMN upstream_id TEXT;
ALTER TABLE receipt ADD COLUMN reported_cost INTEGER;
-- How the tokens are known (see `Measure`); null for images and in older receipts.
ALTER TABLE receipt ADD COLUMN measure TEXT;

ALTER TABLE late_receipt ADD COLUMN reasoning INTEGER NOT NULL DEFAULT 0;
ALTER TABLE late_receipt ADD COLUMN audio_input INTEGER NOT NULL DEFAULT 0;
ALTER TABLE late_receipt ADD COLUMN audio_output INTEGER NOT NULL DEFAULT 0;
ALTER TABLE late_receipt ADD COLUMN image_input INTEGER NOT NULL DEFAULT 0;
ALTER TABLE late_receipt ADD COLUMN image_output INTEGER NOT NULL DEFAULT 0;
ALTER TABLE late_receipt ADD COLUMN facts TEXT;
ALTER TABLE late_receipt ADD COLUMN upstream_id TEXT;
ALTER TABLE late_receipt ADD COLUMN reported_cost INTEGER;
ALTER TABLE late_receipt ADD COLUMN measure TEXT;

ALTER TABLE usage_day ADD COLUMN reasoning INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_day ADD COLUMN audio_input INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_day ADD COLUMN audio_output INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_day ADD COLUMN image_input INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_day ADD COLUMN image_output INTEGER NOT NULL DEFAULT 0;

ALTER TABLE usage_month ADD COLUMN reasoning INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_month ADD COLUMN audio_input INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_month ADD COLUMN audio_output INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_month ADD COLUMN image_input INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_month ADD COLUMN image_output INTEGER NOT NULL DEFAULT 0;

ALTER TABLE card ADD COLUMN reasoning INTEGER;
ALTER TABLE card ADD COLUMN audio_input INTEGER;
ALTER TABLE card ADD COLUMN audio_output INTEGER;
ALTER TABLE card ADD COLUMN image_input INTEGER;
ALTER TABLE card ADD COLUMN image_output INTEGER;
UPDATE card SET reasoning = output, audio_input = input, audio_output = output,
  image_input = input, image_output = output;
-- The card's rows, multiples and fees as JSON; null when it has one row without conditions.
ALTER TABLE card ADD COLUMN terms TEXT;

-- A digest of the catalogue and the rates that the process sells by; null until it reports them.
ALTER TABLE node ADD COLUMN catalogue TEXT;

-- How many answers the account must keep within their holds before it may have two holds again.
ALTER TABLE account ADD COLUMN careful INTEGER NOT NULL DEFAULT 0;

-- Requests whose price, charge and loss together, is above their hold.
CREATE TABLE overrun (
  request_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  held INTEGER NOT NULL,
  price INTEGER NOT NULL,
  -- When the request was first settled.
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX overrun_by_time ON overrun (at_ms, request_id);
INSERT INTO overrun (request_id, account_id, held, price, at_ms)
SELECT r.request_id, r.account_id, h.amount,
  r.charge + r.loss + COALESCE(l.charge, 0) + COALESCE(l.loss, 0), r.settled_at_ms
FROM receipt r JOIN hold h ON h.id = r.request_id
LEFT JOIN late_receipt l ON l.request_id = r.request_id
WHERE r.charge + r.loss + COALESCE(l.charge, 0) + COALESCE(l.loss, 0) > h.amount;

-- The person who made the key, and who may manage it without being an owner; null when the gateway
-- or the administrator's token made it.
ALTER TABLE api_key ADD COLUMN created_by TEXT;
UPDATE api_key SET created_by = (SELECT MIN(actor) FROM audit WHERE audit.subject = api_key.id
  AND audit.action = 'key.create' AND SUBSTR(audit.actor, 1, 4) = 'usr_') WHERE purpose IS NULL;
