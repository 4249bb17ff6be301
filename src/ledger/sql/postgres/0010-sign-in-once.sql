-- A code of an authenticator is taken once: the half minute it was for, counted from 1970, and none before it
-- is taken after it. Null: none was taken yet.
ALTER TABLE totp ADD COLUMN last_step BIGINT;

-- By which nodes know that they sign cookies, and seal what authenticators share, with the same key.
CREATE TABLE console_key (
  -- There is one.
  id BIGINT PRIMARY KEY CHECK (id = 1),
  -- An HMAC-SHA-256 under the key, from which nobody learns it.
  fingerprint BYTEA NOT NULL CHECK (length(fingerprint) = 32)
);
