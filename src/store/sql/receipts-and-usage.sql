-- Refunds, corrections, and the sums by day and month that reports read.

-- Serves a wallet's statement, newest entry first.
CREATE INDEX entry_of_account ON entry (account_id, currency, transaction_id);
CREATE INDEX receipt_of_account ON receipt (account_id, settled_at_ms, request_id);
-- Serves reports over all accounts. New rows come last, so a settlement writes one page.
CREATE INDEX receipt_by_time ON receipt (settled_at_ms, request_id);
-- Failed requests are few but often searched for, so they have an index of their own.
CREATE INDEX receipt_failed ON receipt (account_id, settled_at_ms, request_id)
  WHERE outcome <> 'completed';

-- Refunds of request charges.
CREATE TABLE refund (
  transaction_id INTEGER PRIMARY KEY REFERENCES money_transaction (id),
  request_id TEXT NOT NULL REFERENCES receipt (request_id),
  amount INTEGER NOT NULL CHECK (amount > 0)
) STRICT;
CREATE INDEX refund_of_request ON refund (request_id);

CREATE TABLE credit_limit (
  transaction_id INTEGER PRIMARY KEY REFERENCES money_transaction (id),
  account_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0)
) STRICT;

-- The true receipts of requests that were first charged by their checkpoint. `charge` and `loss`
-- are the differences from the first receipt.
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

-- Usage per day (days since 1970, UTC), key, model and channel: the sums of receipts. A late
-- receipt counts on the day of the receipt that it corrects. Its counts replace the first ones, and
-- the charges and losses of both receipts are added.
CREATE TABLE usage_day (
  account_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  channel TEXT NOT NULL,
  currency TEXT NOT NULL,
  requests INTEGER NOT NULL,
  -- The number of requests whose outcome is not `completed`.
  incomplete INTEGER NOT NULL,
  input INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write_5m INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  output INTEGER NOT NULL,
  images INTEGER NOT NULL,
  charge INTEGER NOT NULL,
  loss INTEGER NOT NULL,
  -- The charges in nano-USD, each converted at the pinned rate of its request.
  metered INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, key_id, model, channel, currency)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_day_of_key ON usage_day (key_id, day);
CREATE INDEX usage_day_by_day ON usage_day (day);

-- The sums of usage_day per month. Triggers update them. `month` is the first day of the month, as
-- days since 1970.
CREATE TABLE usage_month (
  account_id TEXT NOT NULL,
  month INTEGER NOT NULL,
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
  PRIMARY KEY (account_id, month, key_id, model, channel, currency)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_month_of_key ON usage_month (key_id, month);
CREATE INDEX usage_month_by_month ON usage_month (month);
