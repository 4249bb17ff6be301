-- Usage by day and month. Each batch notes the receipts that it wrote in `uncounted`. From time to
-- time, a batch adds all noted receipts to `usage_day`, which is much faster than adding them in
-- each batch. Readers use the views, which add the receipts that are not counted yet.

-- Returns the number of batches that are counted together.
CREATE OR REPLACE FUNCTION books_count_each() RETURNS BIGINT
LANGUAGE sql IMMUTABLE AS $$ SELECT 16::BIGINT $$;

-- Returns what receipts, given by their `seq`, add to `usage_day`: one row each. Neither this
-- function nor the views name the type's columns, because later steps add columns and run this file
-- again.
CREATE OR REPLACE FUNCTION books_uses(places BIGINT[]) RETURNS SETOF usage_day
LANGUAGE sql STABLE AS $$
  SELECT account_id, day, key_id, model, channel, currency, {{counts: $}} FROM (
    SELECT r.account_id, r.settled_at_ms / 86400000 AS day, r.key_id, r.model, r.channel,
      r.currency, 1::BIGINT AS requests,
      CASE r.outcome WHEN 'completed' THEN 0 ELSE 1 END::BIGINT AS incomplete, {{buckets: r.$}},
      COALESCE(r.image_count, 0) AS images, r.charge, r.loss,
      CASE WHEN r.fx_rate_id IS NULL THEN r.charge ELSE books_metered(r.charge, r.fx_rate_id) END
        AS metered
    FROM unnest(places) AS written (place) JOIN receipt r ON r.seq = written.place
  ) AS uses
$$;

-- Like `books_uses`, for `usage_month`.
CREATE OR REPLACE FUNCTION books_month_uses(places BIGINT[]) RETURNS SETOF usage_month
LANGUAGE sql STABLE AS $$
  SELECT account_id, books_month(day), key_id, model, channel, currency, {{counts: $}}
  FROM books_uses(places)
$$;

CREATE OR REPLACE VIEW usage_by_day AS
SELECT * FROM usage_day
UNION ALL
SELECT u.* FROM uncounted CROSS JOIN LATERAL books_uses(uncounted.receipts) AS u;

CREATE OR REPLACE VIEW usage_by_month AS
SELECT * FROM usage_month
UNION ALL
SELECT u.* FROM uncounted CROSS JOIN LATERAL books_month_uses(uncounted.receipts) AS u;

-- Notes receipts as not counted yet. When enough batches have noted some, counts them all, unless
-- another node is counting.
CREATE OR REPLACE FUNCTION books_note_uses(places BIGINT[]) RETURNS VOID
LANGUAGE plpgsql AS $$
DECLARE
  batch BIGINT;
BEGIN
  INSERT INTO uncounted (receipts) VALUES (places) RETURNING id INTO batch;
  IF batch % books_count_each() = 0 AND pg_try_advisory_xact_lock(1835491700, 5) THEN
    PERFORM books_count_uses();
  END IF;
END $$;

-- Adds all receipts that are not counted yet to `usage_day`, whose rows it locks in a fixed order.
CREATE OR REPLACE FUNCTION books_count_uses() RETURNS VOID
LANGUAGE plpgsql AS $$
DECLARE
  places BIGINT[];
BEGIN
  WITH counted AS (
    DELETE FROM uncounted WHERE id IN (SELECT id FROM uncounted FOR UPDATE SKIP LOCKED)
    RETURNING receipts
  )
  SELECT array_agg(place) INTO places FROM counted CROSS JOIN unnest(receipts) AS written (place);
  INSERT INTO usage_day AS u (account_id, day, key_id, model, channel, currency, {{counts: $}})
  SELECT account_id, day, key_id, model, channel, currency, {{counts: SUM($)}}
  FROM books_uses(places)
  GROUP BY account_id, day, key_id, model, channel, currency
  ORDER BY account_id, day, key_id, model, channel, currency
  ON CONFLICT (account_id, day, key_id, model, channel, currency) DO UPDATE SET
    {{counts: $ = u.$ + excluded.$}};
END $$;
