-- What was used and charged in a month (its first day, as days since 1970, UTC): the sum of its days, so
-- that a year reads as fast as it is asked for. Kept by the days themselves, whoever writes them: they are
-- added to and never taken away.
CREATE TABLE usage_month (
  account_id TEXT NOT NULL,
  month BIGINT NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  channel TEXT NOT NULL,
  currency TEXT NOT NULL,
  requests BIGINT NOT NULL,
  incomplete BIGINT NOT NULL,
  input BIGINT NOT NULL,
  cache_read BIGINT NOT NULL,
  cache_write_5m BIGINT NOT NULL,
  cache_write_1h BIGINT NOT NULL,
  output BIGINT NOT NULL,
  images BIGINT NOT NULL,
  charge BIGINT NOT NULL,
  loss BIGINT NOT NULL,
  metered BIGINT NOT NULL,
  PRIMARY KEY (account_id, month, key_id, model, channel, currency)
);
CREATE INDEX usage_month_of_key ON usage_month (key_id, month);
-- All accounts at once.
CREATE INDEX usage_month_by_month ON usage_month (month);

INSERT INTO usage_month
  SELECT account_id, books_month(day) AS month,
    key_id, model, channel, currency,
    SUM(requests), SUM(incomplete), SUM(input), SUM(cache_read), SUM(cache_write_5m),
    SUM(cache_write_1h), SUM(output), SUM(images), SUM(charge), SUM(loss), SUM(metered)
  FROM usage_day GROUP BY account_id, month, key_id, model, channel, currency;

-- Once a statement, since a batch of settlements writes all its days in one.
CREATE FUNCTION books_add_new_days() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM added) THEN RETURN NULL; END IF;
  INSERT INTO usage_month AS m
  SELECT account_id, books_month(day) AS month, key_id, model, channel, currency,
    SUM(requests), SUM(incomplete), SUM(input), SUM(cache_read), SUM(cache_write_5m),
    SUM(cache_write_1h), SUM(output), SUM(images), SUM(charge), SUM(loss), SUM(metered)
  FROM added GROUP BY account_id, month, key_id, model, channel, currency
  ON CONFLICT (account_id, month, key_id, model, channel, currency) DO UPDATE SET
    requests = m.requests + excluded.requests, incomplete = m.incomplete + excluded.incomplete,
    input = m.input + excluded.input, cache_read = m.cache_read + excluded.cache_read,
    cache_write_5m = m.cache_write_5m + excluded.cache_write_5m,
    cache_write_1h = m.cache_write_1h + excluded.cache_write_1h, output = m.output + excluded.output,
    images = m.images + excluded.images, charge = m.charge + excluded.charge,
    loss = m.loss + excluded.loss, metered = m.metered + excluded.metered;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_day_is_new AFTER INSERT ON usage_day
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION books_add_new_days();

CREATE FUNCTION books_add_to_days() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE usage_month AS m SET
    requests = m.requests + d.requests, incomplete = m.incomplete + d.incomplete,
    input = m.input + d.input, cache_read = m.cache_read + d.cache_read,
    cache_write_5m = m.cache_write_5m + d.cache_write_5m,
    cache_write_1h = m.cache_write_1h + d.cache_write_1h, output = m.output + d.output,
    images = m.images + d.images, charge = m.charge + d.charge, loss = m.loss + d.loss,
    metered = m.metered + d.metered
  FROM (
    SELECT account_id, books_month(day) AS month, key_id, model, channel, currency,
      SUM(sign * requests) AS requests, SUM(sign * incomplete) AS incomplete, SUM(sign * input) AS input,
      SUM(sign * cache_read) AS cache_read, SUM(sign * cache_write_5m) AS cache_write_5m,
      SUM(sign * cache_write_1h) AS cache_write_1h, SUM(sign * output) AS output,
      SUM(sign * images) AS images, SUM(sign * charge) AS charge, SUM(sign * loss) AS loss,
      SUM(sign * metered) AS metered
    FROM (SELECT 1 AS sign, * FROM after UNION ALL SELECT -1, * FROM before) AS days
    GROUP BY account_id, month, key_id, model, channel, currency
  ) AS d
  WHERE m.account_id = d.account_id AND m.month = d.month AND m.key_id = d.key_id
    AND m.model = d.model AND m.channel = d.channel AND m.currency = d.currency;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_day_is_more AFTER UPDATE ON usage_day
REFERENCING OLD TABLE AS before NEW TABLE AS after
FOR EACH STATEMENT EXECUTE FUNCTION books_add_to_days();

-- Rows that every request changes: room in their page keeps the change out of the indexes.
ALTER TABLE usage_month SET (fillfactor = 70);
