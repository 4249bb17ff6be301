-- The account in which the provider's claim decides the person's role. Both engines run this file.
-- It is null if an earlier version has linked the identity, until the next sign-in.
ALTER TABLE identity ADD COLUMN role_account_id TEXT;
