-- Rows that come with others, in PostgreSQL.

-- An account has an empty wallet in each currency, and a spend meter; so has a key.
CREATE FUNCTION account_has_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallet (account_id, currency) VALUES (new.id, 'USD'), (new.id, 'CNY');
  RETURN NULL;
END $$;
CREATE TRIGGER account_has_wallets AFTER INSERT ON account
  FOR EACH ROW EXECUTE FUNCTION account_has_wallets();
CREATE FUNCTION owner_has_meter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO spend_meter (owner_id) VALUES (new.id);
  RETURN NULL;
END $$;
CREATE TRIGGER account_has_meter AFTER INSERT ON account
  FOR EACH ROW EXECUTE FUNCTION owner_has_meter();
CREATE TRIGGER key_has_meter AFTER INSERT ON api_key
  FOR EACH ROW EXECUTE FUNCTION owner_has_meter();

-- Adds the days of usage to their months: once a statement, since a batch of settlements writes all
-- its days in one.
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
    cache_write_1h = m.cache_write_1h + excluded.cache_write_1h,
    output = m.output + excluded.output,
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
      SUM(sign * requests) AS requests, SUM(sign * incomplete) AS incomplete,
      SUM(sign * input) AS input,
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
ALTER TABLE wallet SET (fillfactor = 50);
ALTER TABLE spend_meter SET (fillfactor = 50);
ALTER TABLE usage_day SET (fillfactor = 70);
ALTER TABLE usage_month SET (fillfactor = 70);
