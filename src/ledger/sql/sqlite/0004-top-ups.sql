-- Top-ups: redeem codes, card payments, and the alerts that an operator is told.

-- Codes are made in batches that are alike but for the code.
CREATE TABLE redeem_batch (
  id TEXT PRIMARY KEY,
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  -- What one code is worth.
  amount INTEGER NOT NULL CHECK (amount > 0),
  codes INTEGER NOT NULL CHECK (codes > 0),
  reason TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  -- Null: never.
  expires_at_ms INTEGER,
  cancelled_at_ms INTEGER
) STRICT, WITHOUT ROWID;

-- A code itself is shown once and never kept. Claimed: it belongs to that account for good, and is
-- credited under an id that is made from the hash.
CREATE TABLE redeem_code (
  -- SHA-256 of the code's letters.
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  batch_id TEXT NOT NULL REFERENCES redeem_batch (id),
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'claimed', 'cancelled')),
  account_id TEXT REFERENCES account (id),
  -- The key it was claimed with.
  key_id TEXT REFERENCES api_key (id),
  claimed_at_ms INTEGER,
  CHECK ((state = 'claimed') = (account_id IS NOT NULL)),
  CHECK ((account_id IS NULL) = (key_id IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX redeem_code_of_batch ON redeem_code (batch_id, state);

-- What an account wants to pay by card. The amounts here are what counts, whatever a provider says.
CREATE TABLE top_up_order (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  key_id TEXT NOT NULL REFERENCES api_key (id),
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- The same in cents or fen, as the provider counts.
  minor_amount INTEGER NOT NULL CHECK (minor_amount * 10000000 = amount),
  -- pending: the provider waits for the money. review: what was paid is not what was ordered.
  state TEXT NOT NULL DEFAULT 'open'
    CHECK (state IN ('open', 'pending', 'paid', 'failed', 'expired', 'review')),
  -- The provider's ids, once they are known.
  session_id TEXT,
  payment_id TEXT,
  url TEXT,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX top_up_order_of_account ON top_up_order (account_id, id);
CREATE INDEX top_up_order_of_payment ON top_up_order (payment_id) WHERE payment_id IS NOT NULL;

-- What the provider told, each event once.
CREATE TABLE payment_event (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  order_id TEXT REFERENCES top_up_order (id),
  outcome TEXT NOT NULL
    CHECK (outcome IN ('booked', 'noted', 'ignored', 'mismatch', 'unknown_order', 'reversed')),
  detail TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_event_by_time ON payment_event (at_ms, id);

-- Money that the provider gave back or took back of a payment, in cents or fen.
CREATE TABLE payment_reversal (
  id TEXT PRIMARY KEY,
  order_id TEXT NOT NULL REFERENCES top_up_order (id),
  kind TEXT NOT NULL CHECK (kind IN ('refund', 'dispute')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- In nano-units: what could be taken from the wallet for it. Null: not tried yet.
  taken INTEGER CHECK (taken >= 0),
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_reversal_of_order ON payment_reversal (order_id, id);

-- When a wallet counts as low, and whether its account has been told that it is.
CREATE TABLE low_balance (
  account_id TEXT NOT NULL REFERENCES account (id),
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  -- Null: that of the configuration.
  threshold INTEGER CHECK (threshold >= 0),
  is_low INTEGER NOT NULL DEFAULT 0 CHECK (is_low IN (0, 1)),
  -- The alert that told of the last crossing.
  alert_id TEXT,
  PRIMARY KEY (account_id, currency)
) STRICT, WITHOUT ROWID;

-- What the operator's webhook is told, until it has heard.
CREATE TABLE alert (
  id TEXT PRIMARY KEY,
  -- The exact text that is signed and sent.
  body TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'given_up')),
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Not before this; whoever takes it to send it moves this on, so that nobody else does.
  next_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_due ON alert (next_at_ms) WHERE state = 'pending';
CREATE INDEX alert_by_age ON alert (created_at_ms);
