-- Webhooks that accounts set for their alerts, and the deliveries to them. Both engines run this.
CREATE TABLE account_webhook (
  account_id TEXT PRIMARY KEY REFERENCES account (id),
  url TEXT NOT NULL,
  -- The secret that signs what is posted, encrypted.
  sealed BLOB NOT NULL,
  created_at_ms INTEGER NOT NULL,
  -- When the URL or the secret was changed.
  changed_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_delivery (
  -- The id of the alert, or of a test.
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  is_test INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1)),
  -- The exact text that is signed and posted.
  body TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'given_up')),
  attempts INTEGER NOT NULL DEFAULT 0,
  -- When the delivery is due, or until when a node that posts it has reserved it.
  next_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER,
  -- The result of the last attempt, as a sentence.
  answer TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_at_ms) WHERE state = 'pending';
CREATE INDEX webhook_delivery_of_account ON webhook_delivery (account_id, created_at_ms);
CREATE INDEX webhook_delivery_by_age ON webhook_delivery (created_at_ms);
