-- The receipt is the movement of its settlement: `entry` and `money_transaction` keep only
-- movements that are not of requests. The tables are rebuilt, because SQLite cannot change a key or
-- a CHECK.

-- Frees pages for the new tables, so that the file hardly grows.
DROP INDEX entry_of_account;
DROP INDEX receipt_of_account;
DROP INDEX receipt_by_time;
DROP INDEX receipt_failed;

CREATE TABLE receipt_13 (
  -- The sequence number of the movement. Receipts share the sequence with `money_transaction`.
  seq INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  model TEXT NOT NULL,
  channel_requested TEXT,
  channel TEXT NOT NULL,
  upstream TEXT NOT NULL,
  upstream_model TEXT NOT NULL,
  card_id TEXT NOT NULL REFERENCES card (id),
  fx_rate_id TEXT REFERENCES fx_rate (id),
  currency TEXT NOT NULL,
  input INTEGER NOT NULL CHECK (input >= 0),
  cache_read INTEGER NOT NULL CHECK (cache_read >= 0),
  cache_write_5m INTEGER NOT NULL CHECK (cache_write_5m >= 0),
  cache_write_1h INTEGER NOT NULL CHECK (cache_write_1h >= 0),
  output INTEGER NOT NULL CHECK (output >= 0),
  image_count INTEGER CHECK (image_count >= 0),
  image_price_key TEXT,
  -- Exact, in pico-units (1e-12) of the card's currency.
  cost_pico INTEGER NOT NULL CHECK (cost_pico >= 0),
  estimated INTEGER NOT NULL CHECK (estimated IN (0, 1)),
  streamed INTEGER NOT NULL CHECK (streamed IN (0, 1)),
  outcome TEXT NOT NULL,
  error_code TEXT,
  finish_reason TEXT,
  started_at_ms INTEGER NOT NULL,
  first_byte_ms REAL,
  duration_ms REAL NOT NULL,
  -- A JSON array of `AttemptRecord`.
  attempts TEXT NOT NULL,
  -- The amount that was taken from the wallet, and the amount that it could not pay.
  charge INTEGER NOT NULL CHECK (charge >= 0),
  loss INTEGER NOT NULL CHECK (loss >= 0),
  available_after INTEGER NOT NULL,
  settled_at_ms INTEGER NOT NULL,
  reasoning INTEGER NOT NULL DEFAULT 0,
  audio_input INTEGER NOT NULL DEFAULT 0,
  audio_output INTEGER NOT NULL DEFAULT 0,
  image_input INTEGER NOT NULL DEFAULT 0,
  image_output INTEGER NOT NULL DEFAULT 0,
  -- The facts that were priced, as JSON; null when the card has one row without conditions.
  facts TEXT,
  -- The provider's id of the answer, and its own price in pico-USD, where it reports them.
  upstream_id TEXT,
  reported_cost INTEGER,
  -- How the tokens are known (see `Measure`); null for images and in older receipts.
  measure TEXT,
  -- The amount of the hold, extensions included.
  held INTEGER NOT NULL CHECK (held >= 0),
  -- The rate at which the other wallet could pay; null when it could not.
  exchange_id TEXT REFERENCES fx_rate (id),
  -- The part of the charge that was bought from the other wallet, and what that wallet paid for it.
  bought INTEGER NOT NULL CHECK (bought BETWEEN 0 AND charge),
  sold INTEGER NOT NULL CHECK (sold >= 0),
  -- The wallet's balance after the charge, and the other wallet's after its sale; null when the
  -- wallet did not change.
  balance_after INTEGER CHECK ((balance_after IS NULL) = (charge = 0)),
  other_after INTEGER CHECK ((other_after IS NULL) = (sold = 0)),
  CHECK ((image_count IS NULL) = (image_price_key IS NULL))
) STRICT;
CREATE UNIQUE INDEX receipt_of_request ON receipt_13 (request_id);

-- In the transaction of a settlement, line 1 is the amount that the other wallet sold, line 3 the
-- amount that the paying wallet bought, and line 5 the amount that it paid. If the ledger is
-- unsound, a constraint fails, and the database stays unchanged.
INSERT INTO receipt_13
SELECT t.id, r.*, h.amount, h.fx_rate_id, COALESCE(b.amount, 0), COALESCE(-s.amount, 0),
  p.balance_after, s.balance_after
FROM money_transaction t LEFT JOIN receipt r ON r.request_id = t.command_id
LEFT JOIN hold h ON h.id = t.command_id
LEFT JOIN entry s ON s.transaction_id = t.id AND s.line = 1
LEFT JOIN entry b ON b.transaction_id = t.id AND b.line = 3
LEFT JOIN entry p ON p.transaction_id = t.id AND p.line = 5
WHERE t.kind = 'settle' ORDER BY t.id;
-- Receipts that charged nothing had no transaction. They come last, because their order does not
-- matter.
INSERT INTO receipt_13
SELECT (SELECT COALESCE(MAX(id), 0) FROM money_transaction)
    + ROW_NUMBER() OVER (ORDER BY r.settled_at_ms, r.request_id),
  r.*, h.amount, h.fx_rate_id, 0, 0, NULL, NULL
FROM receipt r LEFT JOIN hold h ON h.id = r.request_id
WHERE NOT EXISTS (SELECT 1 FROM receipt_13 AS n WHERE n.request_id = r.request_id);

-- The same for late receipts, whose charge and loss are differences to the first receipt.
CREATE TABLE late_receipt_13 (
  seq INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL REFERENCES receipt (request_id),
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  model TEXT NOT NULL,
  channel_requested TEXT,
  channel TEXT NOT NULL,
  upstream TEXT NOT NULL,
  upstream_model TEXT NOT NULL,
  card_id TEXT NOT NULL REFERENCES card (id),
  fx_rate_id TEXT REFERENCES fx_rate (id),
  currency TEXT NOT NULL,
  input INTEGER NOT NULL CHECK (input >= 0),
  cache_read INTEGER NOT NULL CHECK (cache_read >= 0),
  cache_write_5m INTEGER NOT NULL CHECK (cache_write_5m >= 0),
  cache_write_1h INTEGER NOT NULL CHECK (cache_write_1h >= 0),
  output INTEGER NOT NULL CHECK (output >= 0),
  image_count INTEGER CHECK (image_count >= 0),
  image_price_key TEXT,
  cost_pico INTEGER NOT NULL CHECK (cost_pico >= 0),
  estimated INTEGER NOT NULL CHECK (estimated IN (0, 1)),
  streamed INTEGER NOT NULL CHECK (streamed IN (0, 1)),
  outcome TEXT NOT NULL,
  error_code TEXT,
  finish_reason TEXT,
  started_at_ms INTEGER NOT NULL,
  first_byte_ms REAL,
  duration_ms REAL NOT NULL,
  attempts TEXT NOT NULL,
  charge INTEGER NOT NULL,
  loss INTEGER NOT NULL,
  available_after INTEGER NOT NULL,
  settled_at_ms INTEGER NOT NULL,
  reasoning INTEGER NOT NULL DEFAULT 0,
  audio_input INTEGER NOT NULL DEFAULT 0,
  audio_output INTEGER NOT NULL DEFAULT 0,
  image_input INTEGER NOT NULL DEFAULT 0,
  image_output INTEGER NOT NULL DEFAULT 0,
  facts TEXT,
  upstream_id TEXT,
  reported_cost INTEGER,
  measure TEXT,
  held INTEGER NOT NULL CHECK (held >= 0),
  exchange_id TEXT REFERENCES fx_rate (id),
  bought INTEGER NOT NULL CHECK (bought >= 0),
  sold INTEGER NOT NULL CHECK (sold >= 0),
  balance_after INTEGER CHECK ((balance_after IS NULL) = (charge = 0)),
  other_after INTEGER CHECK ((other_after IS NULL) = (sold = 0)),
  CHECK ((image_count IS NULL) = (image_price_key IS NULL))
) STRICT;
CREATE UNIQUE INDEX late_receipt_of_request ON late_receipt_13 (request_id);
INSERT INTO late_receipt_13
SELECT t.id, r.*, h.amount, h.fx_rate_id, COALESCE(b.amount, 0), COALESCE(-s.amount, 0),
  p.balance_after, s.balance_after
FROM money_transaction t LEFT JOIN late_receipt r ON r.request_id = SUBSTR(t.command_id, 6)
LEFT JOIN hold h ON h.id = r.request_id
LEFT JOIN entry s ON s.transaction_id = t.id AND s.line = 1
LEFT JOIN entry b ON b.transaction_id = t.id AND b.line = 3
LEFT JOIN entry p ON p.transaction_id = t.id AND p.line = 5
WHERE t.kind = 'late' ORDER BY t.id;
INSERT INTO late_receipt_13
SELECT MAX((SELECT COALESCE(MAX(id), 0) FROM money_transaction),
      (SELECT COALESCE(MAX(seq), 0) FROM receipt_13))
    + ROW_NUMBER() OVER (ORDER BY r.settled_at_ms, r.request_id),
  r.*, h.amount, h.fx_rate_id, 0, 0, NULL, NULL
FROM late_receipt r LEFT JOIN hold h ON h.id = r.request_id
WHERE NOT EXISTS (SELECT 1 FROM late_receipt_13 AS n WHERE n.request_id = r.request_id);

-- Movements of money that are not requests. The entries of each sum to zero in each currency. Kind
-- credit_limit has no entries.
CREATE TABLE money_transaction_13 (
  -- The sequence number of the movement.
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('credit', 'adjust', 'exchange', 'refund', 'credit_limit')),
  command_id TEXT NOT NULL,
  reason TEXT,
  available_after INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  -- The command as JSON without its time, to recognize a repeated command.
  body TEXT NOT NULL
) STRICT;
INSERT INTO money_transaction_13
SELECT * FROM money_transaction WHERE kind NOT IN ('settle', 'late') ORDER BY id;

-- The entries of these movements. An entry is of a customer's account, with its balance after the
-- entry, or of one of the ledger's own accounts. Lines come in pairs: the wallet's entry, then the
-- opposite entry.
CREATE TABLE entry_13 (
  transaction_id INTEGER NOT NULL REFERENCES money_transaction (id),
  line INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount <> 0),
  balance_after INTEGER,
  PRIMARY KEY (transaction_id, line)
) STRICT, WITHOUT ROWID;
INSERT INTO entry_13
SELECT e.transaction_id, e.line, e.account_id, e.currency, e.amount, e.balance_after
FROM money_transaction_13 t CROSS JOIN entry e ON e.transaction_id = t.id
ORDER BY e.transaction_id, e.line;

DROP TABLE entry;
DROP TABLE money_transaction;
DROP TABLE late_receipt;
DROP TABLE receipt;
-- RENAME checks the triggers, which may name columns that later steps add. The triggers are created
-- again below.
DROP TRIGGER usage_day_is_new;
DROP TRIGGER usage_day_is_more;
ALTER TABLE receipt_13 RENAME TO receipt;
ALTER TABLE late_receipt_13 RENAME TO late_receipt;
ALTER TABLE money_transaction_13 RENAME TO money_transaction;
ALTER TABLE entry_13 RENAME TO entry;

CREATE UNIQUE INDEX money_transaction_of_command ON money_transaction (command_id);
CREATE INDEX receipt_of_account ON receipt (account_id, settled_at_ms, request_id);
-- Serves reports over all accounts. New rows come last, so a settlement writes one page.
CREATE INDEX receipt_by_time ON receipt (settled_at_ms, request_id);
-- Failed requests are few but often searched for, so they have an index of their own.
CREATE INDEX receipt_failed ON receipt (account_id, settled_at_ms, request_id)
  WHERE outcome <> 'completed';
