-- What providers answered to failed attempts, for administrators only. Both engines run this file.
CREATE TABLE attempt_failure (
  request_id TEXT NOT NULL,
  -- 1, 2, 3, ...; 0 for an answer that broke off after it had begun.
  attempt INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  upstream TEXT NOT NULL,
  model TEXT NOT NULL,
  code TEXT NOT NULL,
  -- Shortened, with the provider's key masked.
  answer TEXT NOT NULL,
  PRIMARY KEY (request_id, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_failure_by_time ON attempt_failure (at_ms, request_id, attempt);
