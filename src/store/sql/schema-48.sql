-- When the ledger was backed up to the place of the settings, and when not. One row. Both engines
-- run this file.
CREATE TABLE backup_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Until when one node makes a backup; no other node begins before.
  claimed_until_ms INTEGER NOT NULL DEFAULT 0,
  -- When the last attempt began.
  tried_at_ms INTEGER NOT NULL DEFAULT 0,
  -- The newest sound backup: the time up to which it holds everything, its address and size.
  good_at_ms INTEGER,
  good_file TEXT,
  good_bytes INTEGER,
  -- When the last attempts after it failed, how many, why, and when the next one is due.
  failed_at_ms INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  failure TEXT,
  due_at_ms INTEGER
) STRICT;
