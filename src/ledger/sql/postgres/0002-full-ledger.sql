-- The ledger in full: leases of nodes, checkpoints of holds, spending caps, corrections after the fact,
-- refunds and exchanges, daily roll-ups, the audit log.

-- A process that sells from these books. Its holds are reaped when its lease has ended.
CREATE TABLE node (
  epoch TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  joined_at_ms BIGINT NOT NULL,
  lease_until_ms BIGINT NOT NULL
);
CREATE INDEX node_by_lease ON node (lease_until_ms);

-- metered: what the hold counts against spending caps while it is pending, in nano-USD, rounded up.
ALTER TABLE hold ADD COLUMN metered BIGINT NOT NULL DEFAULT 0;
-- From USD to the hold's currency; null when that is USD.
ALTER TABLE hold ADD COLUMN price_rate_id TEXT REFERENCES fx_rate (id);
-- What it had come to when it was last extended: the charge, and the receipt's values as a JSON array.
ALTER TABLE hold ADD COLUMN checkpoint_charge BIGINT;
ALTER TABLE hold ADD COLUMN checkpoint TEXT;
-- What the wallet could afford once the hold was given back by a command; null when none did.
ALTER TABLE hold ADD COLUMN void_available BIGINT;
-- 1: resolved by the reaper, so that a late settlement may still correct it, once; then 0 again.
ALTER TABLE hold ADD COLUMN reaped BIGINT NOT NULL DEFAULT 0;
ALTER TABLE hold ADD CHECK (LEAST(metered, checkpoint_charge, reaped) >= 0 AND reaped <= 1);
CREATE INDEX hold_pending_until ON hold (expires_at_ms) WHERE state = 'pending';

-- The kinds of movement are more than they were. late: the correction of a reaped request, under the
-- command id `late:` + the request's. credit_limit: moves nothing; its entries are none.
ALTER TABLE money_transaction DROP CONSTRAINT money_transaction_kind_check;
ALTER TABLE money_transaction ADD CHECK (kind IN ('credit', 'settle', 'adjust', 'exchange', 'refund',
                                                  'late', 'credit_limit'));
-- The command of a person as JSON, without its time: what makes a second one under its id the same.
-- Null: a settlement.
ALTER TABLE money_transaction ADD COLUMN body TEXT;

-- The books' own accounts are more, too: no caller's account may have their names.
ALTER TABLE account ADD CONSTRAINT account_is_none_of_the_books
  CHECK (id NOT IN ('redeem_code', 'card_payment'));

-- A wallet's statement, newest first.
CREATE INDEX entry_of_account ON entry (account_id, currency, transaction_id);

-- What was given back of a request's charge.
CREATE TABLE refund (
  transaction_id BIGINT PRIMARY KEY REFERENCES money_transaction (id),
  request_id TEXT NOT NULL REFERENCES receipt (request_id),
  amount BIGINT NOT NULL CHECK (amount > 0)
);
CREATE INDEX refund_of_request ON refund (request_id);

-- A credit limit that was set: the body of its command.
CREATE TABLE credit_limit (
  transaction_id BIGINT PRIMARY KEY REFERENCES money_transaction (id),
  account_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount BIGINT NOT NULL CHECK (amount >= 0)
);

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
  input BIGINT NOT NULL CHECK (input >= 0),
  cache_read BIGINT NOT NULL CHECK (cache_read >= 0),
  cache_write_5m BIGINT NOT NULL CHECK (cache_write_5m >= 0),
  cache_write_1h BIGINT NOT NULL CHECK (cache_write_1h >= 0),
  output BIGINT NOT NULL CHECK (output >= 0),
  image_count BIGINT CHECK (image_count >= 0),
  image_price_key TEXT,
  cost_pico BIGINT NOT NULL CHECK (cost_pico >= 0),
  estimated BIGINT NOT NULL CHECK (estimated IN (0, 1)),
  streamed BIGINT NOT NULL CHECK (streamed IN (0, 1)),
  outcome TEXT NOT NULL,
  error_code TEXT,
  finish_reason TEXT,
  started_at_ms BIGINT NOT NULL,
  first_byte_ms DOUBLE PRECISION,
  duration_ms DOUBLE PRECISION NOT NULL,
  attempts TEXT NOT NULL,
  charge BIGINT NOT NULL,
  loss BIGINT NOT NULL,
  available_after BIGINT NOT NULL,
  settled_at_ms BIGINT NOT NULL,
  CHECK ((image_count IS NULL) = (image_price_key IS NULL))
);
CREATE INDEX receipt_of_account ON receipt (account_id, settled_at_ms, request_id);

-- What was used and charged on a day (days since 1970, UTC) by one key on one model and channel: the sum of
-- its receipts, kept so that neither a report nor a page that shows one ever reads them all. A late
-- receipt takes the place of the one it corrects, on that one's day, with the charge and loss of both.
CREATE TABLE usage_day (
  account_id TEXT NOT NULL,
  day BIGINT NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  channel TEXT NOT NULL,
  currency TEXT NOT NULL,
  requests BIGINT NOT NULL,
  -- Of them, those whose outcome was not `completed`.
  incomplete BIGINT NOT NULL,
  input BIGINT NOT NULL,
  cache_read BIGINT NOT NULL,
  cache_write_5m BIGINT NOT NULL,
  cache_write_1h BIGINT NOT NULL,
  output BIGINT NOT NULL,
  images BIGINT NOT NULL,
  charge BIGINT NOT NULL,
  loss BIGINT NOT NULL,
  -- The charge in nano-USD, each request's at its own pinned rate.
  metered BIGINT NOT NULL,
  PRIMARY KEY (account_id, day, key_id, model, channel, currency)
);
CREATE INDEX usage_day_of_key ON usage_day (key_id, day);

-- What a key or an account has spent and may spend, in nano-USD, each charge at its request's own pinned
-- rate. A window's count belongs to the day, Monday or first of a month beside it (days since 1970, UTC);
-- once that is over, the count is read as zero. A window never moves back: when the clock does, what is
-- charged meanwhile counts in the later window, so that a jump can make a cap bite early, never late.
CREATE TABLE spend_meter (
  owner_id TEXT PRIMARY KEY,
  -- What pending holds may come to.
  held BIGINT NOT NULL DEFAULT 0 CHECK (held >= 0),
  total BIGINT NOT NULL DEFAULT 0,
  day BIGINT NOT NULL DEFAULT 0,
  in_day BIGINT NOT NULL DEFAULT 0,
  week BIGINT NOT NULL DEFAULT 0,
  in_week BIGINT NOT NULL DEFAULT 0,
  month BIGINT NOT NULL DEFAULT 0,
  in_month BIGINT NOT NULL DEFAULT 0,
  -- Null: no cap.
  cap_day BIGINT CHECK (cap_day >= 0),
  cap_week BIGINT CHECK (cap_week >= 0),
  cap_month BIGINT CHECK (cap_month >= 0),
  cap_total BIGINT CHECK (cap_total >= 0)
);
CREATE FUNCTION owner_has_meter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO spend_meter (owner_id) VALUES (new.id);
  RETURN NULL;
END $$;
CREATE TRIGGER account_has_meter AFTER INSERT ON account
  FOR EACH ROW EXECUTE FUNCTION owner_has_meter();
CREATE TRIGGER key_has_meter AFTER INSERT ON api_key
  FOR EACH ROW EXECUTE FUNCTION owner_has_meter();

-- Who changed what; see `audit.ts` for the chain of hashes.
CREATE TABLE audit (
  id BIGINT PRIMARY KEY,
  at_ms BIGINT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  hash BYTEA NOT NULL CHECK (length(hash) = 32)
);
CREATE INDEX audit_of_subject ON audit (subject, id);

-- `usage_day` has all that `key_spend` knew.
DROP TABLE key_spend;

-- Each of these would cost a look-up and a shared lock for every row that the money path writes. The functions
-- write such a row only beside the one it refers to, which they have read or made in the same call.
ALTER TABLE hold DROP CONSTRAINT hold_account_id_currency_fkey, DROP CONSTRAINT hold_key_id_fkey;
ALTER TABLE extension DROP CONSTRAINT extension_hold_id_fkey;
ALTER TABLE entry DROP CONSTRAINT entry_transaction_id_fkey;
ALTER TABLE hold DROP CONSTRAINT hold_fx_rate_id_fkey, DROP CONSTRAINT hold_price_rate_id_fkey;
ALTER TABLE receipt DROP CONSTRAINT receipt_request_id_fkey, DROP CONSTRAINT receipt_card_id_fkey,
  DROP CONSTRAINT receipt_fx_rate_id_fkey;
-- Rows that every request changes: room in their page keeps the change out of the indexes.
ALTER TABLE wallet SET (fillfactor = 50);
ALTER TABLE spend_meter SET (fillfactor = 50);
ALTER TABLE usage_day SET (fillfactor = 70);
