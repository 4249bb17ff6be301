-- The settings of gateways with `config: database`, as whole documents. Both engines run this file.
CREATE TABLE config_revision (
  -- 1, 2, 3, ... without a gap; the newest one is in force.
  revision INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  -- `system`, `admin`, or the id of a person.
  actor TEXT NOT NULL,
  note TEXT NOT NULL,
  -- The settings as JSON, and the SHA-256 of this text in hexadecimal.
  document TEXT NOT NULL,
  checksum TEXT NOT NULL
) STRICT;
-- The revision that a node runs, and why it does not run a newer one. Null with `config: file`.
ALTER TABLE node ADD COLUMN config_revision INTEGER;
ALTER TABLE node ADD COLUMN config_failure TEXT;
