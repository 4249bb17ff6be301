-- Holds are kept in memory. The file keeps only what a crash must not lose: the cost of running
-- streams so far. The held amounts of wallets and meters are no longer stored, so `held` is zero.

CREATE TABLE checkpoint (
  request_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- The process that runs the stream. When it has died, the checkpoint is charged.
  epoch TEXT NOT NULL,
  -- The amount of the hold, and the rate at which the other wallet may pay.
  held INTEGER NOT NULL CHECK (held >= 0),
  exchange_id TEXT,
  -- The cost so far, and the receipt's values as a JSON array; null for a hold of an earlier version
  -- that left no checkpoint.
  charge INTEGER CHECK (charge >= 0),
  receipt TEXT,
  CHECK ((charge IS NULL) = (receipt IS NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO checkpoint
SELECT id, account_id, key_id, currency, epoch, amount, fx_rate_id, checkpoint_charge, checkpoint
FROM hold WHERE state = 'pending';
UPDATE wallet SET held = 0 WHERE held <> 0;
UPDATE spend_meter SET held = 0 WHERE held <> 0;
DROP TABLE extension;
DROP TABLE hold;

-- Requests that the reaper would resolve if their process died now.
CREATE VIEW pending_hold AS SELECT request_id AS id FROM checkpoint;
