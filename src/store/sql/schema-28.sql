-- Email that waits to be sent, and email that was sent or failed recently. Both engines run this
-- file.
CREATE TABLE mail (
  id TEXT PRIMARY KEY,
  -- Names the event and the recipient, so that a repeated event queues no second email; null for
  -- email without an event.
  event TEXT UNIQUE,
  kind TEXT NOT NULL,
  -- The account that the email is about; null if none.
  account_id TEXT,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- The letter, encrypted, since it may contain a one-time link. Null once it was sent or failed.
  sealed BLOB,
  state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  -- When the email is due, or until when a node that sends it has reserved it.
  next_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER,
  -- The mail server's last answer.
  answer TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX mail_due ON mail (next_at_ms) WHERE state = 'queued';
CREATE INDEX mail_by_state ON mail (state, id);
CREATE INDEX mail_of_account ON mail (account_id, id);
