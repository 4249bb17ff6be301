-- Incidents and planned maintenance that administrators write for the status page.
-- `affects` and `updates` are JSON; `reports/notices/notice.ts` has their shape. Both engines run this file.
CREATE TABLE notice (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('incident', 'maintenance')),
  title TEXT NOT NULL,
  affects TEXT NOT NULL,
  starts_at_ms INTEGER NOT NULL,
  -- NULL while an incident is open.
  ends_at_ms INTEGER,
  updates TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL,
  -- Counts the changes, so that of two concurrent ones only the first succeeds.
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
