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

CREATE FUNCTION books_add_to_month() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  first BIGINT := books_month(new.day);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO usage_month AS m VALUES (
      new.account_id, first, new.key_id, new.model, new.channel, new.currency, new.requests,
      new.incomplete, new.input, new.cache_read, new.cache_write_5m, new.cache_write_1h, new.output,
      new.images, new.charge, new.loss, new.metered
    ) ON CONFLICT (account_id, month, key_id, model, channel, currency) DO UPDATE SET
      requests = m.requests + excluded.requests, incomplete = m.incomplete + excluded.incomplete,
      input = m.input + excluded.input, cache_read = m.cache_read + excluded.cache_read,
      cache_write_5m = m.cache_write_5m + excluded.cache_write_5m,
      cache_write_1h = m.cache_write_1h + excluded.cache_write_1h, output = m.output + excluded.output,
      images = m.images + excluded.images, charge = m.charge + excluded.charge,
      loss = m.loss + excluded.loss, metered = m.metered + excluded.metered;
  ELSE
    UPDATE usage_month AS m SET
      requests = m.requests + new.requests - old.requests,
      incomplete = m.incomplete + new.incomplete - old.incomplete,
      input = m.input + new.input - old.input,
      cache_read = m.cache_read + new.cache_read - old.cache_read,
      cache_write_5m = m.cache_write_5m + new.cache_write_5m - old.cache_write_5m,
      cache_write_1h = m.cache_write_1h + new.cache_write_1h - old.cache_write_1h,
      output = m.output + new.output - old.output, images = m.images + new.images - old.images,
      charge = m.charge + new.charge - old.charge, loss = m.loss + new.loss - old.loss,
      metered = m.metered + new.metered - old.metered
    WHERE account_id = new.account_id
      AND month = first
      AND key_id = new.key_id AND model = new.model AND channel = new.channel
      AND currency = new.currency;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_day_is_more AFTER INSERT OR UPDATE ON usage_day
FOR EACH ROW EXECUTE FUNCTION books_add_to_month();
