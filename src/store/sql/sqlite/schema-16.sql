-- The tail: charges that are durable but not booked yet. A commit only appends the text of its
-- batch of charges, in the encoding of `float-wire.ts`. The store's thread soon books the batch and
-- deletes its row in one transaction.

CREATE TABLE receipt_tail (
  -- The order of the commits.
  seq INTEGER PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
