-- The triggers of a PostgreSQL store.

-- Gives each account an empty wallet in each currency, and each account and key a spend meter.
CREATE OR REPLACE FUNCTION account_has_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO wallet (account_id, currency) VALUES (new.id, 'USD'), (new.id, 'CNY');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER account_has_wallets AFTER INSERT ON account
  FOR EACH ROW EXECUTE FUNCTION account_has_wallets();
CREATE OR REPLACE FUNCTION owner_has_meter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO spend_meter (owner_id) VALUES (new.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER account_has_meter AFTER INSERT ON account
  FOR EACH ROW EXECUTE FUNCTION owner_has_meter();
CREATE OR REPLACE TRIGGER key_has_meter AFTER INSERT ON api_key
  FOR EACH ROW EXECUTE FUNCTION owner_has_meter();

-- Adds new rows of usage_day to usage_month, once per statement, since a batch is one statement.
CREATE OR REPLACE FUNCTION books_add_new_days() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM added) THEN RETURN NULL; END IF;
  INSERT INTO usage_month AS m
  SELECT account_id, books_month(day) AS month, key_id, model, channel, currency,
    {{counts: SUM($)}}
  FROM added GROUP BY account_id, month, key_id, model, channel, currency
  ON CONFLICT (account_id, month, key_id, model, channel, currency) DO UPDATE SET
    {{counts: $ = m.$ + excluded.$}};
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER usage_day_is_new AFTER INSERT ON usage_day
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION books_add_new_days();

CREATE OR REPLACE FUNCTION books_add_to_days() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE usage_month AS m SET
    {{counts: $ = m.$ + d.$}}
  FROM (
    SELECT account_id, books_month(day) AS month, key_id, model, channel, currency,
      {{counts: SUM(sign * $) AS $}}
    FROM (SELECT 1 AS sign, * FROM after UNION ALL SELECT -1, * FROM before) AS days
    GROUP BY account_id, month, key_id, model, channel, currency
  ) AS d
  WHERE m.account_id = d.account_id AND m.month = d.month AND m.key_id = d.key_id
    AND m.model = d.model AND m.channel = d.channel AND m.currency = d.currency;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER usage_day_is_more AFTER UPDATE ON usage_day
REFERENCING OLD TABLE AS before NEW TABLE AS after
FOR EACH STATEMENT EXECUTE FUNCTION books_add_to_days();

-- Free space in the pages lets the updates of every request avoid writing the indexes.
ALTER TABLE wallet SET (fillfactor = 50);
ALTER TABLE spend_meter SET (fillfactor = 50);
ALTER TABLE usage_day SET (fillfactor = 70);
ALTER TABLE usage_month SET (fillfactor = 70);
