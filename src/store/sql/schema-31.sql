-- The scopes of an API key, separated by spaces: see `accounts/scopes.ts`. Both engines run this
-- file. The default is what every key could do before keys had scopes.
ALTER TABLE api_key ADD COLUMN scopes TEXT NOT NULL DEFAULT 'inference usage top_up';
