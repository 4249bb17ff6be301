-- The receipt is the movement of its settlement: `entry` and `money_transaction` keep only
-- movements that are not of requests. `../sqlite/schema-13.sql` describes the columns.

ALTER TABLE receipt ADD COLUMN seq BIGINT, ADD COLUMN held BIGINT, ADD COLUMN exchange_id TEXT,
  ADD COLUMN bought BIGINT NOT NULL DEFAULT 0, ADD COLUMN sold BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN balance_after BIGINT, ADD COLUMN other_after BIGINT;
ALTER TABLE late_receipt ADD COLUMN seq BIGINT, ADD COLUMN held BIGINT, ADD COLUMN exchange_id TEXT,
  ADD COLUMN bought BIGINT NOT NULL DEFAULT 0, ADD COLUMN sold BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN balance_after BIGINT, ADD COLUMN other_after BIGINT;

-- Updating indexes and foreign keys would cost more than all the rest of this step. They are
-- created again at its end.
DROP INDEX receipt_of_account;
DROP INDEX receipt_by_time;
DROP INDEX receipt_failed;
DROP INDEX entry_of_account;
ALTER TABLE refund DROP CONSTRAINT refund_transaction_id_fkey;
ALTER TABLE credit_limit DROP CONSTRAINT credit_limit_transaction_id_fkey;

-- In the transaction of a settlement, line 1 is the amount that the other wallet sold, line 3 the
-- amount that the paying wallet bought, and line 5 the amount that it paid. If the ledger is
-- unsound, a constraint fails, and the database stays unchanged.
UPDATE receipt r SET seq = t.id, held = h.amount, exchange_id = h.fx_rate_id,
  bought = COALESCE(b.amount, 0), sold = COALESCE(-s.amount, 0), balance_after = p.balance_after,
  other_after = s.balance_after
FROM money_transaction t LEFT JOIN hold h ON h.id = t.command_id
LEFT JOIN entry s ON s.transaction_id = t.id AND s.line = 1
LEFT JOIN entry b ON b.transaction_id = t.id AND b.line = 3
LEFT JOIN entry p ON p.transaction_id = t.id AND p.line = 5
WHERE t.kind = 'settle' AND t.command_id = r.request_id;
-- Receipts that charged nothing had no transaction. They come last, because their order does not
-- matter.
UPDATE receipt r SET seq = nextval('money_transaction_id_seq'), held = h.amount,
  exchange_id = h.fx_rate_id
FROM hold h WHERE h.id = r.request_id AND r.seq IS NULL;
UPDATE late_receipt r SET seq = t.id, held = h.amount, exchange_id = h.fx_rate_id,
  bought = COALESCE(b.amount, 0), sold = COALESCE(-s.amount, 0), balance_after = p.balance_after,
  other_after = s.balance_after
FROM money_transaction t LEFT JOIN hold h ON h.id = SUBSTR(t.command_id, 6)
LEFT JOIN entry s ON s.transaction_id = t.id AND s.line = 1
LEFT JOIN entry b ON b.transaction_id = t.id AND b.line = 3
LEFT JOIN entry p ON p.transaction_id = t.id AND p.line = 5
WHERE t.kind = 'late' AND t.command_id = 'late:' || r.request_id;
UPDATE late_receipt r SET seq = nextval('money_transaction_id_seq'), held = h.amount,
  exchange_id = h.fx_rate_id
FROM hold h WHERE h.id = r.request_id AND r.seq IS NULL;

CREATE TEMPORARY TABLE kept ON COMMIT DROP AS SELECT t.* FROM money_transaction t
WHERE NOT EXISTS (SELECT 1 FROM receipt r WHERE r.seq = t.id AND r.request_id = t.command_id)
  AND NOT EXISTS (SELECT 1 FROM late_receipt r WHERE r.seq = t.id);
CREATE TEMPORARY TABLE kept_entry ON COMMIT DROP AS
SELECT e.* FROM entry e JOIN kept ON kept.id = e.transaction_id;
TRUNCATE entry, money_transaction;
INSERT INTO money_transaction SELECT * FROM kept ORDER BY id;
INSERT INTO entry SELECT * FROM kept_entry ORDER BY transaction_id, line;

ALTER TABLE receipt ALTER COLUMN seq SET NOT NULL, ALTER COLUMN held SET NOT NULL,
  ALTER COLUMN bought DROP DEFAULT, ALTER COLUMN sold DROP DEFAULT,
  ADD CONSTRAINT receipt_movement CHECK (LEAST(held, bought, sold) >= 0 AND bought <= charge
    AND (balance_after IS NULL) = (charge = 0) AND (other_after IS NULL) = (sold = 0));
ALTER TABLE late_receipt ALTER COLUMN seq SET NOT NULL, ALTER COLUMN held SET NOT NULL,
  ALTER COLUMN bought DROP DEFAULT, ALTER COLUMN sold DROP DEFAULT,
  ADD CONSTRAINT late_receipt_movement CHECK (LEAST(held, bought, sold) >= 0
    AND (balance_after IS NULL) = (charge = 0) AND (other_after IS NULL) = (sold = 0));
ALTER TABLE money_transaction DROP CONSTRAINT money_transaction_kind_check,
  ADD CONSTRAINT money_transaction_kind_check
    CHECK (kind IN ('credit', 'adjust', 'exchange', 'refund', 'credit_limit')),
  ALTER COLUMN body SET NOT NULL;
ALTER TABLE refund ADD CONSTRAINT refund_transaction_id_fkey
  FOREIGN KEY (transaction_id) REFERENCES money_transaction (id);
ALTER TABLE credit_limit ADD CONSTRAINT credit_limit_transaction_id_fkey
  FOREIGN KEY (transaction_id) REFERENCES money_transaction (id);
CREATE INDEX receipt_of_account ON receipt (account_id, settled_at_ms, request_id);
CREATE INDEX receipt_by_time ON receipt (settled_at_ms, request_id);
CREATE INDEX receipt_failed ON receipt (account_id, settled_at_ms, request_id)
  WHERE outcome <> 'completed';
CREATE UNIQUE INDEX receipt_by_seq ON receipt (seq);
CREATE UNIQUE INDEX late_receipt_by_seq ON late_receipt (seq);

-- Functions whose arguments change, and those that post entries of settlements.
DROP FUNCTION IF EXISTS books_receipt(JSONB, BIGINT, BIGINT, BIGINT, BIGINT);
DROP FUNCTION IF EXISTS books_post_charge(TEXT, TEXT, hold, books_means, books_charge, BIGINT, BIGINT, BIGINT,
  BIGINT);
