-- Requests that ended with an error before anything was charged. Both engines run this file.
CREATE TABLE refusal (
  request_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  -- Null if the request failed before its model was read.
  model TEXT,
  status INTEGER NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX refusal_of_account ON refusal (account_id, at_ms, request_id);
CREATE INDEX refusal_by_time ON refusal (at_ms, request_id);
-- The number of refusals, including those of a flood that `refusal` omits. `day` counts from 1970,
-- UTC.
CREATE TABLE refusal_count (
  day INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  code TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (day, account_id, code)
) STRICT, WITHOUT ROWID;
