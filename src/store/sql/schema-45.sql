-- Objects that were moved in from other gateways. A second run finds them here and does not add
-- them again. `ref` identifies the object at the source, and `id` the account, key, person or
-- credit that was made of it. Both engines run this file.
CREATE TABLE moved_in (
  source TEXT NOT NULL,
  ref TEXT NOT NULL,
  id TEXT NOT NULL,
  moved_at_ms INTEGER NOT NULL,
  PRIMARY KEY (source, ref)
) STRICT, WITHOUT ROWID;
-- The forms of keys that other gateways made and that moved in, as `KEY_FORMS` names them.
CREATE TABLE key_form (form TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
