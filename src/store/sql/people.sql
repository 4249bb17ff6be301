-- People who sign in to the console, and their credentials.

-- `account_id` is the main account of a person. Email addresses are stored in lower case.
CREATE TABLE person (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  role TEXT NOT NULL CHECK (role IN ('read_only', 'member', 'owner', 'administrator')),
  email TEXT NOT NULL UNIQUE,
  -- Always 0, because no code sets it.
  email_verified INTEGER NOT NULL DEFAULT 0 CHECK (email_verified IN (0, 1)),
  name TEXT NOT NULL,
  -- Whether sign-in requires a TOTP code in addition to the password.
  totp_enabled INTEGER NOT NULL DEFAULT 0 CHECK (totp_enabled IN (0, 1)),
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX person_of_account ON person (account_id, id);

CREATE TABLE credential (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  -- Equal to person_id. Another kind of provider would store its own id of the person here.
  subject TEXT NOT NULL,
  provider TEXT NOT NULL CHECK (provider = 'credential'),
  password_hash TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  UNIQUE (person_id, provider)
) STRICT, WITHOUT ROWID;

-- Console sessions. The token is only in the person's cookie; the table has its hash.
CREATE TABLE session (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  -- SHA-256 of the token.
  token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  address TEXT NOT NULL DEFAULT '',
  user_agent TEXT NOT NULL DEFAULT '',
  created_at_ms INTEGER NOT NULL,
  -- When the session was last used, to the minute.
  seen_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_of_person ON session (person_id, created_at_ms);
CREATE INDEX session_by_end ON session (expires_at_ms);

-- State of an unfinished sign-in, such as one that waits for its TOTP code.
CREATE TABLE verification (
  id TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX verification_of ON verification (identifier, created_at_ms);
CREATE INDEX verification_by_end ON verification (expires_at_ms);

-- The secret of an authenticator and its recovery codes, both encrypted.
CREATE TABLE totp (
  id TEXT PRIMARY KEY,
  person_id TEXT NOT NULL UNIQUE REFERENCES person (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  recovery_codes TEXT NOT NULL,
  -- Whether a correct code was ever entered. Until then, no code is required.
  verified INTEGER NOT NULL DEFAULT 0 CHECK (verified IN (0, 1)),
  failures INTEGER DEFAULT 0,
  locked_until_ms INTEGER,
  -- The 30 s step (from 1970) of the last accepted code; only a later step is accepted.
  last_step INTEGER
) STRICT, WITHOUT ROWID;

-- One-time links. The token is only in the link; the table has its hash.
CREATE TABLE one_time_link (
  id TEXT PRIMARY KEY,
  -- SHA-256 of the token.
  token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  kind TEXT NOT NULL CHECK (kind IN ('setup', 'invitation', 'password_reset')),
  -- The person whose password the link resets.
  person_id TEXT REFERENCES person (id) ON DELETE CASCADE,
  -- An invitation is to the account account_id, or to a new account with the name account_name. A
  -- null email allows any address.
  account_id TEXT REFERENCES account (id),
  account_name TEXT,
  role TEXT CHECK (role IN ('read_only', 'member', 'owner', 'administrator')),
  email TEXT,
  -- `admin`, `system`, or a person's id.
  made_by TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  used_at_ms INTEGER,
  -- The person who used the link.
  used_by TEXT,
  CHECK ((kind = 'password_reset') = (person_id IS NOT NULL)),
  CHECK ((kind = 'invitation') = (role IS NOT NULL)),
  CHECK ((kind = 'invitation') = (account_id IS NOT NULL OR account_name IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX one_time_link_of_account ON one_time_link (account_id, id) WHERE kind = 'invitation';
CREATE INDEX one_time_link_of_person ON one_time_link (person_id) WHERE person_id IS NOT NULL;

-- One row, with which nodes verify that they sign and encrypt with the same key.
CREATE TABLE console_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- An HMAC-SHA-256 under this key, from which the key cannot be computed.
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32)
) STRICT;
