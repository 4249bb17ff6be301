-- Money of a wallet that one process may hold in memory. `wallet.held` counts it.
CREATE TABLE assignment (
  account_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  epoch TEXT NOT NULL,
  amount BIGINT NOT NULL CHECK (amount >= 0),
  -- The part that requests of the process held when it last reported.
  used BIGINT NOT NULL DEFAULT 0,
  -- Replaced with each change of `amount` by the process, so that a change that arrives late is
  -- not applied.
  version BIGINT NOT NULL,
  -- 1 when the process must surrender the account.
  is_recalled BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, currency, epoch)
) WITH (fillfactor = 50);
CREATE INDEX assignment_of_epoch ON assignment (epoch);
CREATE SEQUENCE assignment_version;

-- Wallets as their owners see them: money that is assigned to a process but that no request holds
-- does not count as held.
CREATE VIEW wallet_in_use AS
SELECT w.account_id, w.currency, w.balance, w.floor,
  w.held - COALESCE((SELECT SUM(a.amount - a.used) FROM assignment a
    WHERE a.account_id = w.account_id AND a.currency = w.currency), 0)::BIGINT AS held
FROM wallet w;

-- Functions whose arguments change, or that are not needed any more.
DROP FUNCTION IF EXISTS books_apply(JSONB);
DROP FUNCTION IF EXISTS books_one(JSONB, TEXT[], TEXT[]);
DROP FUNCTION IF EXISTS books_is_live(TEXT);
DROP FUNCTION IF EXISTS books_charge_one(receipt, books_plan, TEXT[]);
