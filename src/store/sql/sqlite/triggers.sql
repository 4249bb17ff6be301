-- The triggers of a SQLite store.

-- Reserves the names of the ledger's own accounts that the CHECK of the table does not list.
DROP TRIGGER IF EXISTS account_is_none_of_the_books;
CREATE TRIGGER account_is_none_of_the_books BEFORE INSERT ON account
WHEN new.id IN ('redeem_code', 'card_payment', 'bonus') BEGIN
  SELECT RAISE(ABORT, 'an account of the books has this name');
END;

-- Gives each account an empty wallet in each currency, and each account and key a spend meter.
DROP TRIGGER IF EXISTS account_has_wallets;
CREATE TRIGGER account_has_wallets AFTER INSERT ON account BEGIN
  INSERT INTO wallet (account_id, currency) VALUES (new.id, 'USD'), (new.id, 'CNY');
END;
DROP TRIGGER IF EXISTS account_has_meter;
CREATE TRIGGER account_has_meter AFTER INSERT ON account BEGIN
  INSERT INTO spend_meter (owner_id) VALUES (new.id);
END;
DROP TRIGGER IF EXISTS key_has_meter;
CREATE TRIGGER key_has_meter AFTER INSERT ON api_key BEGIN
  INSERT INTO spend_meter (owner_id) VALUES (new.id);
END;

-- Adds changes of usage_day to usage_month.
DROP TRIGGER IF EXISTS usage_day_is_new;
CREATE TRIGGER usage_day_is_new AFTER INSERT ON usage_day BEGIN
  INSERT INTO usage_month VALUES (
    new.account_id, new.day - CAST(strftime('%d', new.day * 86400, 'unixepoch') AS INTEGER) + 1,
    new.key_id, new.model, new.channel, new.currency, {{counts: new.$}}
  ) ON CONFLICT (account_id, month, key_id, model, channel, currency) DO UPDATE SET
    {{counts: $ = $ + excluded.$}};
END;
DROP TRIGGER IF EXISTS usage_day_is_more;
CREATE TRIGGER usage_day_is_more AFTER UPDATE ON usage_day BEGIN
  UPDATE usage_month SET
    {{counts: $ = $ + new.$ - old.$}}
  WHERE account_id = new.account_id
    AND month = new.day - CAST(strftime('%d', new.day * 86400, 'unixepoch') AS INTEGER) + 1
    AND key_id = new.key_id AND model = new.model AND channel = new.channel
    AND currency = new.currency;
END;
