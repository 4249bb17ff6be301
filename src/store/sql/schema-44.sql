-- Which versions may use the database. Each row of a step that older versions cannot work with has
-- its own number here, and other rows 0. The largest is the floor: a version that knows this step
-- may use the database, even if it does not know later ones. Both engines run this file.
ALTER TABLE schema_migration ADD COLUMN oldest INTEGER NOT NULL DEFAULT 0;
