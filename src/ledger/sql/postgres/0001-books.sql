-- The books of an installation. Amounts are integer nano-units (1e-9) of their row's currency; times
-- are milliseconds since 1970. Nothing here is ever deleted: a mistake is corrected by a new row.

CREATE TABLE account (
  id TEXT PRIMARY KEY
    -- The names of the books' own accounts, which stand opposite a wallet in every transaction.
    CHECK (id NOT IN ('top_up', 'demo', 'goodwill', 'adjustment', 'revenue', 'operator_loss',
                      'fx:USD', 'fx:CNY')),
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  -- 1: a wallet that is short may draw on the other currency.
  allow_exchange BIGINT NOT NULL DEFAULT 1 CHECK (allow_exchange IN (0, 1)),
  created_at_ms BIGINT NOT NULL
);

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  name TEXT NOT NULL,
  -- SHA-256 of the whole key; the key itself is shown once and never kept.
  hash BYTEA NOT NULL UNIQUE CHECK (length(hash) = 32),
  prefix TEXT NOT NULL,
  last4 TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'revoked')),
  created_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT,
  revoked_at_ms BIGINT,
  last_used_at_ms BIGINT
);
CREATE INDEX api_key_of_account ON api_key (account_id, created_at_ms);

CREATE TABLE wallet (
  account_id TEXT NOT NULL REFERENCES account (id),
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  balance BIGINT NOT NULL DEFAULT 0,
  -- The part of the balance that pending holds have set aside.
  held BIGINT NOT NULL DEFAULT 0 CHECK (held >= 0),
  -- Zero, or minus the credit that the operator allows.
  floor BIGINT NOT NULL DEFAULT 0 CHECK (floor <= 0),
  PRIMARY KEY (account_id, currency),
  -- The last line of defence: no statement, however wrong, takes a wallet below its floor.
  CHECK (balance - held >= floor)
);

-- An account is born with an empty wallet of each currency, so no reader meets one that is missing.
CREATE FUNCTION account_has_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallet (account_id, currency) VALUES (new.id, 'USD'), (new.id, 'CNY');
  RETURN NULL;
END $$;
CREATE TRIGGER account_has_wallets AFTER INSERT ON account
  FOR EACH ROW EXECUTE FUNCTION account_has_wallets();

-- Pinned exchange rates: one unit of base buys scaled / 1e8 units of quote.
CREATE TABLE fx_rate (
  id TEXT PRIMARY KEY,
  base TEXT NOT NULL CHECK (base IN ('USD', 'CNY')),
  quote TEXT NOT NULL CHECK (quote IN ('USD', 'CNY') AND quote <> base),
  scaled BIGINT NOT NULL CHECK (scaled > 0),
  effective_from_ms BIGINT NOT NULL
);

-- Published price cards. Rates are pico-units (1e-12) a token; null on an image card.
CREATE TABLE card (
  id TEXT PRIMARY KEY,
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  model TEXT NOT NULL,
  channel TEXT NOT NULL,
  input BIGINT CHECK (input >= 0),
  cache_read BIGINT CHECK (cache_read >= 0),
  cache_write_5m BIGINT CHECK (cache_write_5m >= 0),
  cache_write_1h BIGINT CHECK (cache_write_1h >= 0),
  output BIGINT CHECK (output >= 0),
  effective_from_ms BIGINT NOT NULL
);

CREATE TABLE card_image (
  card_id TEXT NOT NULL REFERENCES card (id),
  price_key TEXT NOT NULL,
  price BIGINT NOT NULL CHECK (price >= 0),
  PRIMARY KEY (card_id, price_key)
);

-- Money set aside for one request. own is held in the wallet of currency; reserve is held in the other
-- wallet for the rest of amount, at the pinned rate, and is exchanged only if the request needs it.
CREATE TABLE hold (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL REFERENCES api_key (id),
  currency TEXT NOT NULL,
  asked BIGINT NOT NULL,
  at_least BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  own BIGINT NOT NULL,
  reserve BIGINT NOT NULL,
  reserve_currency TEXT,
  fx_rate_id TEXT REFERENCES fx_rate (id),
  epoch TEXT NOT NULL,
  -- void: freed without a receipt, since the process that made it died before it could write one.
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'settled', 'void')),
  -- The first answer, for a caller who asks again.
  granted BIGINT NOT NULL,
  available_after BIGINT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL,
  resolved_at_ms BIGINT,
  FOREIGN KEY (account_id, currency) REFERENCES wallet (account_id, currency),
  -- Few checks that say much: the server reads each of them again for every statement.
  CONSTRAINT hold_amounts
    CHECK (LEAST(at_least, own, reserve) >= 0 AND at_least <= LEAST(asked, amount) AND own <= amount),
  CHECK ((reserve_currency IS NULL) = (fx_rate_id IS NULL)
    AND (reserve = 0 OR reserve_currency IS NOT NULL) AND reserve_currency <> currency)
);

CREATE TABLE extension (
  id TEXT PRIMARY KEY,
  hold_id TEXT NOT NULL REFERENCES hold (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  -- The first answer, for a caller who asks again.
  total_after BIGINT NOT NULL,
  available_after BIGINT NOT NULL,
  at_ms BIGINT NOT NULL
);

-- A movement of money: its entries sum to zero in each currency.
CREATE TABLE money_transaction (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('credit', 'settle', 'adjust')),
  -- The command that made it; the hold's id when it is a settlement.
  command_id TEXT NOT NULL,
  reason TEXT,
  available_after BIGINT NOT NULL,
  at_ms BIGINT NOT NULL
);
CREATE UNIQUE INDEX money_transaction_of_command ON money_transaction (command_id);

-- One side of a movement. account_id is a wallet's account, then balance_after is that wallet's balance
-- once the entry is in; or it is one of the books' own accounts, whose balance is the sum of its entries.
-- In order of time, so that a batch appends to one page instead of touching a page for every account.
CREATE TABLE entry (
  transaction_id BIGINT NOT NULL REFERENCES money_transaction (id),
  line BIGINT NOT NULL,
  account_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount BIGINT NOT NULL CHECK (amount <> 0),
  balance_after BIGINT,
  PRIMARY KEY (transaction_id, line)
);

-- What a request was and what it cost: enough for anyone to recompute the price from the card.
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
  input BIGINT NOT NULL,
  cache_read BIGINT NOT NULL,
  cache_write_5m BIGINT NOT NULL,
  cache_write_1h BIGINT NOT NULL,
  output BIGINT NOT NULL,
  image_count BIGINT,
  image_price_key TEXT,
  -- Exact, in pico-units (1e-12) of the card's currency.
  cost_pico BIGINT NOT NULL,
  estimated BIGINT NOT NULL,
  streamed BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  error_code TEXT,
  finish_reason TEXT,
  started_at_ms BIGINT NOT NULL,
  first_byte_ms DOUBLE PRECISION,
  duration_ms DOUBLE PRECISION NOT NULL,
  -- A JSON array of strings.
  attempts TEXT NOT NULL,
  -- What was taken from the wallet, and what could not be.
  charge BIGINT NOT NULL,
  loss BIGINT NOT NULL,
  available_after BIGINT NOT NULL,
  settled_at_ms BIGINT NOT NULL,
  CHECK (LEAST(input, cache_read, cache_write_5m, cache_write_1h, output, image_count, cost_pico, estimated,
    streamed, charge, loss) >= 0 AND GREATEST(estimated, streamed) <= 1),
  CHECK ((image_count IS NULL) = (image_price_key IS NULL))
);

-- What a key was charged on a day (days since 1970, UTC): the sum of its receipts, kept so that neither
-- a spending limit nor a page that shows it ever reads them all.
CREATE TABLE key_spend (
  key_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  day BIGINT NOT NULL,
  charge BIGINT NOT NULL,
  PRIMARY KEY (key_id, currency, day)
);

-- One row that readiness checks write and read back.
CREATE TABLE heartbeat (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  beat BIGINT NOT NULL
);
