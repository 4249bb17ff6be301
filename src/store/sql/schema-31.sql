-- What an API key may do, separated by spaces: `accounts/scopes.ts`. Both engines run this file.
-- Keys had these rights before they had scopes.
ALTER TABLE api_key ADD COLUMN scopes TEXT NOT NULL DEFAULT 'inference usage top_up';
