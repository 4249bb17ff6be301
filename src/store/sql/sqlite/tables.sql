-- The ledger's tables in SQLite, with a constraint for every rule.

-- Reserved money: `own` in the wallet of `currency`, and `reserve` in the other wallet. The reserve
-- pays for the rest of `amount` at the pinned rate. It is exchanged only if the charge needs it.
CREATE TABLE hold (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL REFERENCES api_key (id),
  currency TEXT NOT NULL,
  asked INTEGER NOT NULL CHECK (asked >= 0),
  at_least INTEGER NOT NULL CHECK (at_least BETWEEN 0 AND asked),
  amount INTEGER NOT NULL CHECK (amount >= at_least),
  own INTEGER NOT NULL CHECK (own BETWEEN 0 AND amount),
  reserve INTEGER NOT NULL CHECK (reserve >= 0),
  reserve_currency TEXT CHECK (reserve_currency <> currency),
  fx_rate_id TEXT REFERENCES fx_rate (id),
  epoch TEXT NOT NULL,
  -- A void hold was released without a receipt.
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'settled', 'void')),
  -- The first reply, which a repeated command gets again.
  granted INTEGER NOT NULL,
  available_after INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  resolved_at_ms INTEGER,
  -- The nano-USD, rounded up, that the hold uses of the spending caps while it is pending.
  metered INTEGER NOT NULL DEFAULT 0 CHECK (metered >= 0),
  -- The rate from USD to the hold's currency; null when that currency is USD.
  price_rate_id TEXT REFERENCES fx_rate (id),
  -- The cost at the last extension: the charge, and the receipt's values as a JSON array.
  checkpoint_charge INTEGER CHECK (checkpoint_charge >= 0),
  checkpoint TEXT,
  -- The amount that could be held after a void command; null when there was no such command.
  void_available INTEGER,
  -- 1 after the reaper resolved the hold; a late settlement that corrects it sets 0 again.
  reaped INTEGER NOT NULL DEFAULT 0 CHECK (reaped IN (0, 1)),
  FOREIGN KEY (account_id, currency) REFERENCES wallet (account_id, currency),
  CHECK ((reserve_currency IS NULL) = (fx_rate_id IS NULL)),
  CHECK (reserve = 0 OR reserve_currency IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX hold_pending ON hold (epoch) WHERE state = 'pending';

CREATE TABLE extension (
  id TEXT PRIMARY KEY,
  hold_id TEXT NOT NULL REFERENCES hold (id),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- The first reply, which a repeated command gets again.
  total_after INTEGER NOT NULL,
  available_after INTEGER NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Movements of money. The entries of each sum to zero in each currency. One of kind late corrects a
-- reaped request; its command id is `late:` and the request's id. One of kind credit_limit has no
-- entries.
CREATE TABLE money_transaction (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('credit', 'settle', 'adjust', 'exchange', 'refund', 'late',
                                     'credit_limit')),
  -- The id of the command. For a settlement, this is the id of its hold.
  command_id TEXT NOT NULL,
  reason TEXT,
  available_after INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  -- The command as JSON without its time, to recognize a repeated command. Null for a settlement.
  body TEXT
) STRICT;
-- Settlements are not indexed, which saves a write for each, because the primary key of receipt
-- already keeps their ids unique.
CREATE UNIQUE INDEX money_transaction_of_command ON money_transaction (command_id)
  WHERE kind <> 'settle';

-- The entries of movements. Each is of a customer's account, with its balance after the entry, or
-- of one of the ledger's own accounts. Rows are in order of time, so that a batch appends to one
-- page.
CREATE TABLE entry (
  transaction_id INTEGER NOT NULL REFERENCES money_transaction (id),
  line INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount <> 0),
  balance_after INTEGER,
  PRIMARY KEY (transaction_id, line)
) STRICT, WITHOUT ROWID;

-- The records of requests, complete enough to recompute each price from its card.
CREATE TABLE receipt (
  request_id TEXT PRIMARY KEY REFERENCES hold (id),
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
  CHECK ((image_count IS NULL) = (image_price_key IS NULL))
) STRICT, WITHOUT ROWID;

-- The salt of the keys that encrypt stored answers. The table has one row.
CREATE TABLE idempotency_salt (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  salt BLOB NOT NULL CHECK (length(salt) = 32)
) STRICT;
