-- Rows that come with others, in SQLite.

-- Names of the ledger's own accounts that the CHECK of the table lacks.
CREATE TRIGGER account_is_none_of_the_books BEFORE INSERT ON account
WHEN new.id IN ('redeem_code', 'card_payment') BEGIN
  SELECT RAISE(ABORT, 'an account of the books has this name');
END;

-- An account has an empty wallet in each currency, and a spend meter; so has a key.
CREATE TRIGGER account_has_wallets AFTER INSERT ON account BEGIN
  INSERT INTO wallet (account_id, currency) VALUES (new.id, 'USD'), (new.id, 'CNY');
END;
CREATE TRIGGER account_has_meter AFTER INSERT ON account BEGIN
  INSERT INTO spend_meter (owner_id) VALUES (new.id);
END;
CREATE TRIGGER key_has_meter AFTER INSERT ON api_key BEGIN
  INSERT INTO spend_meter (owner_id) VALUES (new.id);
END;

-- Adds the days of usage to their months.
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
