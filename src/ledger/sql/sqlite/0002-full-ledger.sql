-- The ledger in full: leases of nodes, checkpoints of holds, spending caps, corrections after the fact,
-- refunds and exchanges, daily roll-ups, the audit log.

-- A process that sells from these books. Its holds are reaped when its lease has ended.
CREATE TABLE node (
  epoch TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  joined_at_ms INTEGER NOT NULL,
  lease_until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX node_by_lease ON node (lease_until_ms);

-- metered: what the hold counts against spending caps while it is pending, in nano-USD, rounded up.
ALTER TABLE hold ADD COLUMN metered INTEGER NOT NULL DEFAULT 0 CHECK (metered >= 0);
-- From USD to the hold's currency; null when that is USD.
ALTER TABLE hold ADD COLUMN price_rate_id TEXT REFERENCES fx_rate (id);
-- What it had come to when it was last extended: the charge, and the receipt's values as a JSON array.
ALTER TABLE hold ADD COLUMN checkpoint_charge INTEGER CHECK (checkpoint_charge >= 0);
ALTER TABLE hold ADD COLUMN checkpoint TEXT;
-- What the wallet could afford once the hold was given back by a command; null when none did.
ALTER TABLE hold ADD COLUMN void_available INTEGER;
-- 1: resolved by the reaper, so that a late settlement may still correct it, once; then 0 again.
ALTER TABLE hold ADD COLUMN reaped INTEGER NOT NULL DEFAULT 0 CHECK (reaped IN (0, 1));

-- The kinds of movement are more than they were. late: the correction of a reaped request, under the
-- command id `late:` + the request's. credit_limit: moves nothing; its entries are none.
CREATE TABLE money_transaction_2 (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('credit', 'settle', 'adjust', 'exchange', 'refund', 'late',
                                     'credit_limit')),
  command_id TEXT NOT NULL,
  reason TEXT,
  available_after INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  -- The command of a person as JSON, without its time: what makes a second one under its id the same.
  -- Null: a settlement, or written before this column was.
  body TEXT
) STRICT;
INSERT INTO money_transaction_2 (id, kind, command_id, reason, available_after, at_ms)
  SELECT id, kind, command_id, reason, available_after, at_ms FROM money_transaction;
DROP TABLE money_transaction;
ALTER TABLE money_transaction_2 RENAME TO money_transaction;
-- Settlements are left out: each has its hold's id and its hold one receipt, and nobody looks for their
-- movement by that, so that they need not write this.
CREATE UNIQUE INDEX money_transaction_of_command ON money_transaction (command_id)
  WHERE kind <> 'settle';

-- The books' own accounts are more, too: no caller's account may have their names.
CREATE TRIGGER account_is_none_of_the_books BEFORE INSERT ON account
WHEN new.id IN ('redeem_code', 'card_payment') BEGIN
  SELECT RAISE(ABORT, 'an account of the books has this name');
END;

-- A wallet's statement, newest first.
CREATE INDEX entry_of_account ON entry (account_id, currency, transaction_id);

-- What was given back of a request's charge.
CREATE TABLE refund (
  transaction_id INTEGER PRIMARY KEY REFERENCES money_transaction (id),
  request_id TEXT NOT NULL REFERENCES receipt (request_id),
  amount INTEGER NOT NULL CHECK (amount > 0)
) STRICT;
CREATE INDEX refund_of_request ON refund (request_id);

-- A credit limit that was set: the body of its command.
CREATE TABLE credit_limit (
  transaction_id INTEGER PRIMARY KEY REFERENCES money_transaction (id),
  account_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0)
) STRICT;

-- The truth about a request whose checkpoint the reaper had charged: a receipt like any other, whose
-- charge and loss are what it added to the first one's, so they may be below zero.
CREATE TABLE late_receipt (
  request_id TEXT PRIMARY KEY REFERENCES receipt (request_id),
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
  CHECK ((image_count IS NULL) = (image_price_key IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_of_account ON receipt (account_id, settled_at_ms, request_id);

-- What was used and charged on a day (days since 1970, UTC) by one key on one model and channel: the sum of
-- its receipts, kept so that neither a report nor a page that shows one ever reads them all. A late
-- receipt takes the place of the one it corrects, on that one's day, with the charge and loss of both.
CREATE TABLE usage_day (
  account_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  channel TEXT NOT NULL,
  currency TEXT NOT NULL,
  requests INTEGER NOT NULL,
  -- Of them, those whose outcome was not `completed`.
  incomplete INTEGER NOT NULL,
  input INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write_5m INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  output INTEGER NOT NULL,
  images INTEGER NOT NULL,
  charge INTEGER NOT NULL,
  loss INTEGER NOT NULL,
  -- The charge in nano-USD, each request's at its own pinned rate.
  metered INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, key_id, model, channel, currency)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_day_of_key ON usage_day (key_id, day);

-- What a key or an account has spent and may spend, in nano-USD, each charge at its request's own pinned
-- rate. A window's count belongs to the day, Monday or first of a month beside it (days since 1970, UTC);
-- once that is over, the count is read as zero. A window never moves back: when the clock does, what is
-- charged meanwhile counts in the later window, so that a jump can make a cap bite early, never late.
CREATE TABLE spend_meter (
  owner_id TEXT PRIMARY KEY,
  -- What pending holds may come to.
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  total INTEGER NOT NULL DEFAULT 0,
  day INTEGER NOT NULL DEFAULT 0,
  in_day INTEGER NOT NULL DEFAULT 0,
  week INTEGER NOT NULL DEFAULT 0,
  in_week INTEGER NOT NULL DEFAULT 0,
  month INTEGER NOT NULL DEFAULT 0,
  in_month INTEGER NOT NULL DEFAULT 0,
  -- Null: no cap.
  cap_day INTEGER CHECK (cap_day >= 0),
  cap_week INTEGER CHECK (cap_week >= 0),
  cap_month INTEGER CHECK (cap_month >= 0),
  cap_total INTEGER CHECK (cap_total >= 0)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER account_has_meter AFTER INSERT ON account BEGIN
  INSERT INTO spend_meter (owner_id) VALUES (new.id);
END;
CREATE TRIGGER key_has_meter AFTER INSERT ON api_key BEGIN
  INSERT INTO spend_meter (owner_id) VALUES (new.id);
END;

-- Who changed what; see `audit.ts` for the chain of hashes.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE INDEX audit_of_subject ON audit (subject, id);

INSERT INTO spend_meter (owner_id) SELECT id FROM account;
INSERT INTO spend_meter (owner_id) SELECT id FROM api_key;
-- The roll-ups and meters of what is in the books already need wider integers than SQL has: they are filled
-- in by `roll-up.ts`, in this step's transaction. `usage_day` has all that `key_spend` knew.
UPDATE hold SET metered = amount WHERE state = 'pending';
DROP TABLE key_spend;
