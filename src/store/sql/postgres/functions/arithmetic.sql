-- The arithmetic of `settlement-plan.ts` and `meter.ts`. Computes with NUMERIC where 64 bits are
-- too few.

CREATE OR REPLACE FUNCTION books_half_even(numerator NUMERIC, denominator NUMERIC) RETURNS BIGINT
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  quotient NUMERIC := div(abs(numerator), denominator);
  twice NUMERIC := (abs(numerator) - quotient * denominator) * 2;
BEGIN
  IF twice > denominator OR (twice = denominator AND quotient % 2 = 1) THEN
    quotient := quotient + 1;
  END IF;
  RETURN sign(numerator) * quotient;
END $$;

-- Returns the largest amount that could be held now, at most MAX_BALANCE.
CREATE OR REPLACE FUNCTION books_affordable(own BIGINT, other BIGINT, scaled BIGINT) RETURNS BIGINT
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN scaled IS NULL THEN LEAST(own, 4000000000000000000)
    ELSE LEAST(own + div(other::NUMERIC * scaled, 100000000), 4000000000000000000)::BIGINT END
$$;

-- Divides an amount by a rate and rounds up. Yields a reserve in the other wallet, or the amount
-- that a hold uses of the caps.
CREATE OR REPLACE FUNCTION books_divided_up(amount BIGINT, scaled BIGINT) RETURNS BIGINT
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN scaled IS NULL THEN amount
    ELSE div(amount::NUMERIC * 100000000 + scaled - 1, scaled)::BIGINT END
$$;

-- Returns the amount, in nano-USD, that a charge uses of the caps. A charge without a rate from USD
-- counts as if it were in USD.
CREATE OR REPLACE FUNCTION books_metered(charge BIGINT, rate_id TEXT) RETURNS BIGINT
LANGUAGE plpgsql AS $$
DECLARE
  rate fx_rate;
BEGIN
  IF rate_id IS NULL THEN RETURN charge; END IF;
  SELECT * INTO rate FROM fx_rate WHERE id = rate_id;
  IF NOT FOUND THEN RAISE EXCEPTION 'exchange rate % was never published', rate_id; END IF;
  IF rate.base <> 'USD' THEN RETURN charge; END IF;
  RETURN books_half_even(charge::NUMERIC * 100000000, rate.scaled);
END $$;

CREATE OR REPLACE FUNCTION books_day(at_ms BIGINT) RETURNS BIGINT
LANGUAGE sql IMMUTABLE AS $$ SELECT floor(at_ms::NUMERIC / 86400000)::BIGINT $$;

-- Day 0 was a Thursday, three days after a Monday.
CREATE OR REPLACE FUNCTION books_week(day BIGINT) RETURNS BIGINT
LANGUAGE sql IMMUTABLE AS $$ SELECT day - (((day + 3) % 7) + 7) % 7 $$;

CREATE OR REPLACE FUNCTION books_month(day BIGINT) RETURNS BIGINT
LANGUAGE sql IMMUTABLE AS $$
  SELECT (date_trunc('month', (DATE '1970-01-01' + day::INTEGER)::TIMESTAMP)::DATE
    - DATE '1970-01-01')::BIGINT
$$;

-- Returns the time of the server's clock, which leases use.
CREATE OR REPLACE FUNCTION books_now_ms() RETURNS BIGINT
LANGUAGE sql VOLATILE AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT $$;

-- Casts each number to text: || of a number is not immutable, so the planner could not inline it.
CREATE OR REPLACE FUNCTION books_reply(status TEXT, amount BIGINT, available BIGINT, loss BIGINT)
  RETURNS TEXT
LANGUAGE sql IMMUTABLE AS $$
  SELECT '["' || status || '","' || amount::TEXT || '","' || available::TEXT || '","'
    || loss::TEXT || '"]'
$$;

CREATE OR REPLACE FUNCTION books_purses(of_account TEXT, of_currency TEXT, rate_id TEXT)
  RETURNS books_means
LANGUAGE plpgsql AS $$
DECLARE
  means books_means;
BEGIN
  SELECT GREATEST(w.balance - w.held - w.floor, 0), w.balance INTO means.own, means.balance
    FROM wallet w WHERE w.account_id = of_account AND w.currency = of_currency;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % has no % wallet', of_account, of_currency;
  END IF;
  means.other := 0;
  IF rate_id IS NULL THEN RETURN means; END IF;
  SELECT f.base, f.scaled INTO means.other_currency, means.scaled FROM fx_rate f
    WHERE f.id = rate_id;
  IF NOT FOUND THEN RAISE EXCEPTION 'exchange rate % was never published', rate_id; END IF;
  SELECT GREATEST(w.balance - w.held - w.floor, 0), w.balance INTO means.other, means.other_balance
    FROM wallet w WHERE w.account_id = of_account AND w.currency = means.other_currency;
  RETURN means;
END $$;

-- Fails when a command's rate differs from the rate that was published under the same id.
CREATE OR REPLACE FUNCTION books_must_be_published(rate_id TEXT, of_base TEXT, of_quote TEXT,
  of_scaled BIGINT)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  rate fx_rate;
BEGIN
  SELECT * INTO rate FROM fx_rate WHERE id = rate_id;
  IF NOT FOUND THEN RAISE EXCEPTION 'exchange rate % was never published', rate_id; END IF;
  IF rate.base <> of_base OR rate.quote <> of_quote OR rate.scaled <> of_scaled THEN
    RAISE EXCEPTION 'exchange rate % was published with another number', rate_id;
  END IF;
END $$;

-- Whether an id is in use. A settlement has the id of its hold.
CREATE OR REPLACE FUNCTION books_is_taken(command_id TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
BEGIN
  RETURN EXISTS (SELECT 1 FROM hold WHERE id = command_id)
    OR EXISTS (SELECT 1 FROM extension WHERE id = command_id)
    OR EXISTS (SELECT 1 FROM money_transaction m WHERE m.command_id = books_is_taken.command_id);
END $$;

-- Appends to the audit log. Takes the log's lock, so that concurrent appends wait for each other.
CREATE OR REPLACE FUNCTION books_audit(at BIGINT, who TEXT, what TEXT, of_subject TEXT,
  text_of_detail TEXT)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  head audit;
  next_id BIGINT;
BEGIN
  PERFORM pg_advisory_xact_lock(1835491700, 2);
  SELECT * INTO head FROM audit ORDER BY id DESC LIMIT 1;
  next_id := COALESCE(head.id, 0) + 1;
  INSERT INTO audit (id, at_ms, actor, action, subject, detail, hash)
  VALUES (next_id, at, who, what, of_subject, text_of_detail,
    sha256(COALESCE(head.hash, decode(repeat('00', 32), 'hex')) || convert_to(
      concat_ws(E'\n', next_id, at, who, what, of_subject, text_of_detail), 'UTF8')));
END $$;
