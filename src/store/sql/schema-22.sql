-- Answers of providers to failed attempts, which only administrators see. Both engines run this
-- file.
CREATE TABLE attempt_failure (
  request_id TEXT NOT NULL,
  -- The number of the attempt: 1, 2, 3, ...; 0 for an answer that broke off after it had begun.
  attempt INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  upstream TEXT NOT NULL,
  model TEXT NOT NULL,
  code TEXT NOT NULL,
  -- The provider's answer, shortened and with the provider's key masked.
  answer TEXT NOT NULL,
  PRIMARY KEY (request_id, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_failure_by_time ON attempt_failure (at_ms, request_id, attempt);
