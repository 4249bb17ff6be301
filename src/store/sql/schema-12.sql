-- Comparisons of providers' bills with the receipts, one for each upstream and night.
CREATE TABLE reconciliation (
  upstream TEXT NOT NULL,
  -- The last day that was compared: days since 1970, UTC.
  day INTEGER NOT NULL,
  -- Until when one node works on it; no other node begins before.
  claimed_until_ms INTEGER NOT NULL,
  -- When it ended, with the result as JSON or with what failed; null until then.
  at_ms INTEGER,
  body TEXT,
  failure TEXT,
  PRIMARY KEY (upstream, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX reconciliation_by_day ON reconciliation (day, upstream);
