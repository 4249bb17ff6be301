-- Accounts, API keys, wallets and prices. Amounts are integer nano-units (1e-9) of their row's
-- currency; times are milliseconds since 1970. Rows of money are never deleted.
-- `migrations.ts` replaces the types for PostgreSQL. Other differences: `sqlite/`, `postgres/`.

CREATE TABLE account (
  id TEXT PRIMARY KEY
    -- Reserves the names of the ledger's own accounts, which are the other side of wallet entries.
    CHECK (id NOT IN ('top_up', 'demo', 'goodwill', 'adjustment', 'revenue', 'operator_loss',
                      'fx:USD', 'fx:CNY')),
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  -- 1 when a wallet that runs short may draw on the account's wallet in the other currency.
  allow_exchange INTEGER NOT NULL DEFAULT 1 CHECK (allow_exchange IN (0, 1)),
  created_at_ms INTEGER NOT NULL,
  -- Limits of rate, concurrency, models and addresses as JSON (`limits.ts`), without spending caps.
  limits TEXT NOT NULL DEFAULT '{}',
  expires_at_ms INTEGER,
  -- Replaced with every change, so that one of two concurrent changes is refused.
  revision TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  name TEXT NOT NULL,
  -- SHA-256 of the whole key. The key itself is shown once and never stored.
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  prefix TEXT NOT NULL,
  last4 TEXT NOT NULL,
  -- A disabled key can be enabled again; a revoked key cannot. Neither can be used for requests.
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled', 'revoked')),
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  revoked_at_ms INTEGER,
  last_used_at_ms INTEGER,
  limits TEXT NOT NULL DEFAULT '{}',
  revision TEXT NOT NULL DEFAULT '',
  -- The hash of the secret before the last rotation, which is valid until previous_until_ms.
  previous_hash BLOB,
  previous_until_ms INTEGER,
  -- `playground` for the key of the console's playground; null for keys that people made.
  purpose TEXT CHECK (purpose = 'playground')
) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_of_account ON api_key (account_id, created_at_ms);
CREATE UNIQUE INDEX api_key_by_previous_hash ON api_key (previous_hash);
-- An account has at most one key per purpose that is not revoked.
CREATE UNIQUE INDEX api_key_of_purpose ON api_key (account_id, purpose)
  WHERE purpose IS NOT NULL AND status <> 'revoked';

-- Triggers create both wallets of an account, empty, together with the account.
CREATE TABLE wallet (
  account_id TEXT NOT NULL REFERENCES account (id),
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  balance INTEGER NOT NULL DEFAULT 0,
  -- The part of the balance that pending holds reserve.
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  -- Minus the credit limit; zero without a credit limit.
  floor INTEGER NOT NULL DEFAULT 0 CHECK (floor <= 0),
  PRIMARY KEY (account_id, currency),
  -- The last line of defense: no statement can take a wallet below its floor.
  CHECK (balance - held >= floor)
) STRICT, WITHOUT ROWID;

-- Spending and caps of a key or an account, in nano-USD. in_day, in_week and in_month are the
-- amounts spent in the periods that begin on day, week (a Monday) and month, as days since 1970,
-- UTC. A period that has ended counts as zero. A period is never set back, even if the clock is, so
-- a cap may refuse too early but never too late.
CREATE TABLE spend_meter (
  owner_id TEXT PRIMARY KEY,
  -- The part of the caps that pending holds use.
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  total INTEGER NOT NULL DEFAULT 0,
  day INTEGER NOT NULL DEFAULT 0,
  in_day INTEGER NOT NULL DEFAULT 0,
  week INTEGER NOT NULL DEFAULT 0,
  in_week INTEGER NOT NULL DEFAULT 0,
  month INTEGER NOT NULL DEFAULT 0,
  in_month INTEGER NOT NULL DEFAULT 0,
  -- Null when there is no cap.
  cap_day INTEGER CHECK (cap_day >= 0),
  cap_week INTEGER CHECK (cap_week >= 0),
  cap_month INTEGER CHECK (cap_month >= 0),
  cap_total INTEGER CHECK (cap_total >= 0)
) STRICT, WITHOUT ROWID;

-- Pinned exchange rates: one unit of base buys scaled / 1e8 units of quote.
CREATE TABLE fx_rate (
  id TEXT PRIMARY KEY,
  base TEXT NOT NULL CHECK (base IN ('USD', 'CNY')),
  quote TEXT NOT NULL CHECK (quote IN ('USD', 'CNY') AND quote <> base),
  scaled INTEGER NOT NULL CHECK (scaled > 0),
  effective_from_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Published price cards. Prices of tokens are in pico-units (1e-12) per token; null on an image
-- card.
CREATE TABLE card (
  id TEXT PRIMARY KEY,
  currency TEXT NOT NULL CHECK (currency IN ('USD', 'CNY')),
  model TEXT NOT NULL,
  channel TEXT NOT NULL,
  input INTEGER CHECK (input >= 0),
  cache_read INTEGER CHECK (cache_read >= 0),
  cache_write_5m INTEGER CHECK (cache_write_5m >= 0),
  cache_write_1h INTEGER CHECK (cache_write_1h >= 0),
  output INTEGER CHECK (output >= 0),
  effective_from_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE card_image (
  card_id TEXT NOT NULL REFERENCES card (id),
  price_key TEXT NOT NULL,
  price INTEGER NOT NULL CHECK (price >= 0),
  PRIMARY KEY (card_id, price_key)
) STRICT, WITHOUT ROWID;

-- Processes of the gateway. The holds of a process are reaped when its lease has ended.
CREATE TABLE node (
  epoch TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  joined_at_ms INTEGER NOT NULL,
  lease_until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX node_by_lease ON node (lease_until_ms);

-- The audit log: who changed what. `audit.ts` describes the chain of hashes.
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

-- The row that readiness checks write and read back.
CREATE TABLE heartbeat (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  beat INTEGER NOT NULL
) STRICT;
