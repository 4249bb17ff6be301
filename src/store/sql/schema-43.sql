-- Whether a new sign-in opens this account, because the person used it last. Without one, it opens
-- the main account. Both engines run this file.
ALTER TABLE membership ADD COLUMN opens INTEGER NOT NULL DEFAULT 0 CHECK (opens IN (0, 1));
