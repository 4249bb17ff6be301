-- What a node has planned for a charge, besides its receipt: the epoch that planned it, what it
-- counts against caps, the account's new `careful` (null: unchanged), and the amounts that it
-- releases of what the paying wallet and the other wallet hold.
CREATE TYPE books_plan AS (
  epoch TEXT,
  metered BIGINT,
  careful BIGINT,
  freed BIGINT,
  freed_other BIGINT
);
