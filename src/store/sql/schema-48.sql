-- The latest backups of the ledger to the configured place, and the failures since. One row. Both
-- engines run this file.
CREATE TABLE backup_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Until when one node has reserved the backup; no other node begins before.
  claimed_until_ms INTEGER NOT NULL DEFAULT 0,
  -- When the last attempt began.
  tried_at_ms INTEGER NOT NULL DEFAULT 0,
  -- The newest sound backup: the time up to which it holds everything, its address and size.
  good_at_ms INTEGER,
  good_file TEXT,
  good_bytes INTEGER,
  -- The failures since then: when the last attempt failed, how many failed, why the last failed,
  -- and when the next attempt is due.
  failed_at_ms INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  failure TEXT,
  due_at_ms INTEGER
) STRICT;
