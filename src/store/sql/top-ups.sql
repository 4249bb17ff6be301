-- Top-ups: redeem codes, card payments, and the alerts to the operator.

-- Batches of redeem codes. All codes of a batch have the same value and expiry.
CREATE TABLE redeem_batch (
  id TEXT PRIMARY KEY,
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  -- The value of one code.
  amount INTEGER NOT NULL CHECK (amount > 0),
  codes INTEGER NOT NULL CHECK (codes > 0),
  reason TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  -- Null when the codes never expire.
  expires_at_ms INTEGER,
  cancelled_at_ms INTEGER
) STRICT, WITHOUT ROWID;

-- Redeem codes, which are shown once and never stored. The command id of a code's credit is made
-- from its hash.
CREATE TABLE redeem_code (
  -- SHA-256 of the code's letters.
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  batch_id TEXT NOT NULL REFERENCES redeem_batch (id),
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'claimed', 'cancelled')),
  account_id TEXT REFERENCES account (id),
  -- The key or person that claimed the code.
  actor TEXT,
  claimed_at_ms INTEGER,
  CHECK ((state = 'claimed') = (account_id IS NOT NULL)),
  CHECK ((account_id IS NULL) = (actor IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX redeem_code_of_batch ON redeem_code (batch_id, state);

-- Card payments. The credit uses the amount stored here, not the one that the provider reports.
CREATE TABLE top_up_order (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  -- The key or person that ordered the payment.
  actor TEXT NOT NULL,
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- The amount in cents or fen, as the provider counts it.
  minor_amount INTEGER NOT NULL CHECK (minor_amount * 10000000 = amount),
  -- pending: the provider waits for the money. review: the amount paid differs from the order.
  state TEXT NOT NULL DEFAULT 'open'
    CHECK (state IN ('open', 'pending', 'paid', 'failed', 'expired', 'review')),
  -- The provider's ids of the checkout session and of the payment; null until known.
  session_id TEXT,
  payment_id TEXT,
  url TEXT,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX top_up_order_of_account ON top_up_order (account_id, id);
CREATE INDEX top_up_order_of_payment ON top_up_order (payment_id) WHERE payment_id IS NOT NULL;

-- Events that the provider sent. Each event is stored and handled once.
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

-- Refunds and disputes by which the provider returned a payment, in whole or in part. `amount` is
-- in cents or fen.
CREATE TABLE payment_reversal (
  id TEXT PRIMARY KEY,
  order_id TEXT NOT NULL REFERENCES top_up_order (id),
  kind TEXT NOT NULL CHECK (kind IN ('refund', 'dispute')),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- The nano-units taken from the wallet; null until the gateway has tried to take them.
  taken INTEGER CHECK (taken >= 0),
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_reversal_of_order ON payment_reversal (order_id, id);

-- The balance below which a wallet counts as low, and whether the wallet is low.
CREATE TABLE low_balance (
  account_id TEXT NOT NULL REFERENCES account (id),
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  -- Null to use the threshold of the configuration.
  threshold INTEGER CHECK (threshold >= 0),
  is_low INTEGER NOT NULL DEFAULT 0 CHECK (is_low IN (0, 1)),
  -- The id of the alert from when the balance last fell below the threshold.
  alert_id TEXT,
  PRIMARY KEY (account_id, currency)
) STRICT, WITHOUT ROWID;

-- Alerts to the operator's webhook until they are delivered.
CREATE TABLE alert (
  id TEXT PRIMARY KEY,
  -- The exact text that is signed and sent.
  body TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'given_up')),
  attempts INTEGER NOT NULL DEFAULT 0,
  -- The earliest time of the next attempt. A node postpones it before it sends, so that no other
  -- node sends the alert too.
  next_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_due ON alert (next_at_ms) WHERE state = 'pending';
CREATE INDEX alert_by_age ON alert (created_at_ms);
