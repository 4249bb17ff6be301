-- Whether a new sign-in opens this account, because the person used it last. If no membership is
-- marked, a sign-in opens the main account. Both engines run this file.
ALTER TABLE membership ADD COLUMN opens INTEGER NOT NULL DEFAULT 0 CHECK (opens IN (0, 1));
