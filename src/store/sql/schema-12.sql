-- Comparisons of providers' bills with the receipts, one for each upstream and night.
CREATE TABLE reconciliation (
  upstream TEXT NOT NULL,
  -- The last day that was compared: days since 1970, UTC.
  day INTEGER NOT NULL,
  -- Until when one node has reserved the comparison; no other node begins before.
  claimed_until_ms INTEGER NOT NULL,
  -- When the comparison ended, and its result as JSON or the reason why it failed; null until then.
  at_ms INTEGER,
  body TEXT,
  failure TEXT,
  PRIMARY KEY (upstream, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX reconciliation_by_day ON reconciliation (day, upstream);
