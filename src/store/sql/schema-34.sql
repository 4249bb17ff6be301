-- The account that an administrator views as its owner, and when the view ends. Both engines run
-- this.
ALTER TABLE session ADD COLUMN viewed_account TEXT REFERENCES account (id);
ALTER TABLE session ADD COLUMN view_ends_at_ms INTEGER NOT NULL DEFAULT 0;
