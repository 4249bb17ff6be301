-- What is durable and not booked yet: a commit of charges only appends the text of its batch, in the
-- encoding of `float-wire.ts`. The store's thread soon books it and deletes it in one transaction.

CREATE TABLE receipt_tail (
  -- The order of the commits.
  seq INTEGER PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
