-- How a revision of the settings came to be, and what it changed. Both engines run this file.
ALTER TABLE config_revision ADD COLUMN origin TEXT NOT NULL DEFAULT 'change';
-- The earlier revision that this revision restored; null if none.
ALTER TABLE config_revision ADD COLUMN restored INTEGER;
-- How many settings the revision changed, and the first of their paths as JSON.
ALTER TABLE config_revision ADD COLUMN changes INTEGER;
ALTER TABLE config_revision ADD COLUMN paths TEXT NOT NULL DEFAULT '[]';
UPDATE config_revision SET origin = 'file' WHERE revision = 1;
