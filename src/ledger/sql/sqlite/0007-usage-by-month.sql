-- What was used and charged in a month (its first day, as days since 1970, UTC): the sum of its days, so
-- that a year reads as fast as it is asked for. Kept by the days themselves, whoever writes them: they are
-- added to and never taken away.
CREATE TABLE usage_month (
  account_id TEXT NOT NULL,
  month INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  channel TEXT NOT NULL,
  currency TEXT NOT NULL,
  requests INTEGER NOT NULL,
  incomplete INTEGER NOT NULL,
  input INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write_5m INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  output INTEGER NOT NULL,
  images INTEGER NOT NULL,
  charge INTEGER NOT NULL,
  loss INTEGER NOT NULL,
  metered INTEGER NOT NULL,
  PRIMARY KEY (account_id, month, key_id, model, channel, currency)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_month_of_key ON usage_month (key_id, month);
-- All accounts at once.
CREATE INDEX usage_month_by_month ON usage_month (month);

INSERT INTO usage_month
  SELECT account_id, day - CAST(strftime('%d', day * 86400, 'unixepoch') AS INTEGER) + 1 AS month,
    key_id, model, channel, currency,
    SUM(requests), SUM(incomplete), SUM(input), SUM(cache_read), SUM(cache_write_5m),
    SUM(cache_write_1h), SUM(output), SUM(images), SUM(charge), SUM(loss), SUM(metered)
  FROM usage_day GROUP BY account_id, month, key_id, model, channel, currency;

CREATE TRIGGER usage_day_is_new AFTER INSERT ON usage_day BEGIN
  INSERT INTO usage_month VALUES (
    new.account_id, new.day - CAST(strftime('%d', new.day * 86400, 'unixepoch') AS INTEGER) + 1,
    new.key_id, new.model, new.channel, new.currency, new.requests, new.incomplete, new.input,
    new.cache_read, new.cache_write_5m, new.cache_write_1h, new.output, new.images, new.charge,
    new.loss, new.metered
  ) ON CONFLICT (account_id, month, key_id, model, channel, currency) DO UPDATE SET
    requests = requests + excluded.requests, incomplete = incomplete + excluded.incomplete,
    input = input + excluded.input, cache_read = cache_read + excluded.cache_read,
    cache_write_5m = cache_write_5m + excluded.cache_write_5m,
    cache_write_1h = cache_write_1h + excluded.cache_write_1h, output = output + excluded.output,
    images = images + excluded.images, charge = charge + excluded.charge, loss = loss + excluded.loss,
    metered = metered + excluded.metered;
END;
CREATE TRIGGER usage_day_is_more AFTER UPDATE ON usage_day BEGIN
  UPDATE usage_month SET
    requests = requests + new.requests - old.requests,
    incomplete = incomplete + new.incomplete - old.incomplete, input = input + new.input - old.input,
    cache_read = cache_read + new.cache_read - old.cache_read,
    cache_write_5m = cache_write_5m + new.cache_write_5m - old.cache_write_5m,
    cache_write_1h = cache_write_1h + new.cache_write_1h - old.cache_write_1h,
    output = output + new.output - old.output, images = images + new.images - old.images,
    charge = charge + new.charge - old.charge, loss = loss + new.loss - old.loss,
    metered = metered + new.metered - old.metered
  WHERE account_id = new.account_id
    AND month = new.day - CAST(strftime('%d', new.day * 86400, 'unixepoch') AS INTEGER) + 1
    AND key_id = new.key_id AND model = new.model AND channel = new.channel
    AND currency = new.currency;
END;
