-- Routes that an operator has taken out of service. `model` is the upstream's own name of the model,
-- or empty for all routes of the upstream. Both engines run this file.
CREATE TABLE route_state (
  upstream TEXT NOT NULL,
  model TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('drained', 'disabled')),
  return_at_ms INTEGER,
  reason TEXT NOT NULL,
  set_at_ms INTEGER NOT NULL,
  set_by TEXT NOT NULL,
  PRIMARY KEY (upstream, model)
) STRICT, WITHOUT ROWID;
