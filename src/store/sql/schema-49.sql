-- Archives: receipts of months long past that were written to files and deleted here. These tables
-- keep what balances, statements and the invariants of the ledger need of them. Both engines run
-- this file.
CREATE TABLE archive (
  id TEXT PRIMARY KEY,
  -- The first day of the month, as days since 1970.
  month INTEGER NOT NULL,
  -- The name of the file, and the SHA-256 of its bytes.
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  -- The number of receipts in the file.
  receipts INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The requests of deleted receipts, so that none is settled twice.
CREATE TABLE archived_request (
  request_id TEXT PRIMARY KEY,
  archive_id TEXT NOT NULL REFERENCES archive (id)
) STRICT, WITHOUT ROWID;

-- Sums of the deleted receipts with their corrections. `sold` is in the other currency.
CREATE TABLE archived_sum (
  archive_id TEXT NOT NULL REFERENCES archive (id),
  currency TEXT NOT NULL,
  receipts INTEGER NOT NULL,
  charge INTEGER NOT NULL,
  loss INTEGER NOT NULL,
  bought INTEGER NOT NULL,
  sold INTEGER NOT NULL,
  PRIMARY KEY (archive_id, currency)
) STRICT, WITHOUT ROWID;

-- The sums of what deleted receipts moved in a wallet between two movements that are kept: one row
-- for each kind, with the `seq` of the last of these receipts. `balance_after` is the wallet's
-- balance with this row.
CREATE TABLE archived_movement (
  account_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  line INTEGER NOT NULL,
  currency TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('settle', 'late', 'exchange')),
  receipts INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  balance_after INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (account_id, seq, line)
) STRICT, WITHOUT ROWID;

-- The part of `usage_day` whose receipts were deleted.
CREATE TABLE archived_day (
  account_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  channel TEXT NOT NULL,
  currency TEXT NOT NULL,
  requests INTEGER NOT NULL,
  incomplete INTEGER NOT NULL,
  input INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write_5m INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  output INTEGER NOT NULL,
  images INTEGER NOT NULL,
  charge INTEGER NOT NULL,
  loss INTEGER NOT NULL,
  metered INTEGER NOT NULL,
  reasoning INTEGER NOT NULL DEFAULT 0,
  audio_input INTEGER NOT NULL DEFAULT 0,
  audio_output INTEGER NOT NULL DEFAULT 0,
  image_input INTEGER NOT NULL DEFAULT 0,
  image_output INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, key_id, model, channel, currency)
) STRICT, WITHOUT ROWID;

-- All movements of wallets: `movement`, and the sums of archived receipts.
CREATE VIEW moved AS
SELECT * FROM movement
UNION ALL
SELECT account_id, seq, line, currency, amount, balance_after,
  CASE kind WHEN 'exchange' THEN 'fx:' || currency ELSE 'revenue' END, kind, 'archived:' || seq,
  at_ms, receipts || ' archived receipts', NULL, NULL, NULL
FROM archived_movement;
