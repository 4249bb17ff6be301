-- Settles and corrects holds, with the arithmetic of `settlement-plan.ts`.

-- Fails when account, key or currency of the receipt differ from those of its hold.
CREATE OR REPLACE FUNCTION books_must_match(h hold, r JSONB) RETURNS VOID
LANGUAGE plpgsql AS $$
BEGIN
  IF h.account_id = {{r.account_id}} AND h.key_id = {{r.key_id}} AND h.currency = {{r.currency}}
    THEN RETURN; END IF;
  RAISE EXCEPTION 'the receipt of % names another account, key or currency than its hold',
    {{r.request_id}};
END $$;

-- Returns a receipt's values as a row. Declared as a set of one row, which the planner can inline.
CREATE OR REPLACE FUNCTION books_receipt(r JSONB, charge BIGINT, loss BIGINT, available BIGINT,
  at BIGINT)
RETURNS SETOF receipt LANGUAGE sql IMMUTABLE AS $$
  SELECT {{receipt r}}, charge, loss, available, at{{later receipt r}}
$$;

CREATE OR REPLACE FUNCTION books_add_use(r receipt, on_day BIGINT, times BIGINT, of_charge BIGINT,
  of_loss BIGINT, counted BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_day AS u (account_id, day, key_id, model, channel, currency, requests,
    incomplete, {{buckets: $}}, images, charge, loss, metered)
  VALUES (r.account_id, on_day, r.key_id, r.model, r.channel, r.currency, times,
    CASE WHEN r.outcome = 'completed' THEN 0 ELSE times END, {{buckets: times * r.$}},
    times * COALESCE(r.image_count, 0), of_charge, of_loss, counted)
  ON CONFLICT (account_id, day, key_id, model, channel, currency) DO UPDATE SET
    {{counts: $ = u.$ + excluded.$}};
END $$;

-- Splits a charge; only what the paying wallet lacks is exchanged.
CREATE OR REPLACE FUNCTION books_plan_settle(charge BIGINT, means books_means) RETURNS books_charge
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  own_part BIGINT := LEAST(charge, means.own);
  missing BIGINT := charge - own_part;
  bought BIGINT;
BEGIN
  IF missing = 0 OR means.scaled IS NULL THEN RETURN ROW(own_part, 0, 0, missing)::books_charge;
    END IF;
  bought := LEAST(missing, div(means.other::NUMERIC * means.scaled, 100000000));
  RETURN ROW(own_part + bought, bought,
    books_half_even(bought::NUMERIC * 100000000, means.scaled), missing - bought)::books_charge;
END $$;

-- Moves and posts a charge. `freed` and `freed_other` are the held amounts to release.
CREATE OR REPLACE FUNCTION books_post_charge(
  of_kind TEXT, of_command TEXT, h hold, means books_means, p books_charge,
  freed BIGINT, freed_other BIGINT, available BIGINT, at BIGINT
) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  posted BIGINT;
BEGIN
  UPDATE wallet SET balance = balance + (p.bought - p.taken), held = held - freed
    WHERE account_id = h.account_id AND currency = h.currency;
  IF means.other_currency IS NOT NULL AND (p.sold <> 0 OR freed_other <> 0) THEN
    UPDATE wallet SET balance = balance - p.sold, held = held - freed_other
      WHERE account_id = h.account_id AND currency = means.other_currency;
  END IF;
  IF p.taken = 0 AND p.loss = 0 THEN RETURN; END IF;
  INSERT INTO money_transaction (kind, command_id, available_after, at_ms)
    VALUES (of_kind, of_command, available, at) RETURNING id INTO posted;
  IF p.bought = 0 AND p.loss = 0 THEN
    INSERT INTO entry (transaction_id, line, account_id, currency, amount, balance_after) VALUES
      (posted, 5, h.account_id, h.currency, -p.taken, means.balance - p.taken),
      (posted, 6, 'revenue', h.currency, p.taken, NULL);
    RETURN;
  END IF;
  INSERT INTO entry (transaction_id, line, account_id, currency, amount, balance_after)
  SELECT posted, e.line, e.account_id, e.currency, e.amount, e.balance_after FROM (VALUES
    (1, h.account_id, means.other_currency, -p.sold, means.other_balance - p.sold),
    (2, 'fx:' || means.other_currency, means.other_currency, p.sold, NULL),
    (3, h.account_id, h.currency, p.bought, means.balance + p.bought),
    (4, 'fx:' || h.currency, h.currency, -p.bought, NULL),
    (5, h.account_id, h.currency, -p.taken, means.balance + p.bought - p.taken),
    (6, 'revenue', h.currency, p.taken, NULL),
    (7, 'operator_loss', h.currency, -p.loss, NULL),
    (8, 'revenue', h.currency, p.loss, NULL)
  ) AS e (line, account_id, currency, amount, balance_after) WHERE e.amount <> 0;
END $$;

-- Lists a price above its hold, and makes the account careful or counts its answers within holds.
-- `answers` is null for a charge by checkpoint, which is no answer.
CREATE OR REPLACE FUNCTION books_watch(h hold, total BIGINT, answers BIGINT, at BIGINT) RETURNS VOID
LANGUAGE plpgsql AS $$
BEGIN
  IF total > h.amount THEN
    INSERT INTO overrun (request_id, account_id, held, price, at_ms)
      VALUES (h.id, h.account_id, h.amount, total, at)
      ON CONFLICT (request_id) DO UPDATE SET price = excluded.price;
    IF answers > 0 THEN UPDATE account SET careful = answers WHERE id = h.account_id; END IF;
    RETURN;
  END IF;
  DELETE FROM overrun WHERE request_id = h.id;
  IF total > 0 AND answers IS NOT NULL THEN
    UPDATE account SET careful = careful - 1 WHERE id = h.account_id AND careful > 0;
  END IF;
END $$;

-- Settles a hold. `h` must have amounts of zero if the reaper has already released them.
CREATE OR REPLACE FUNCTION books_settle_pending(h hold, charge BIGINT, r JSONB, at BIGINT,
  is_reaped BOOLEAN)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  free books_means;
  means books_means;
  p books_charge;
  available BIGINT;
  kept receipt;
  counted BIGINT;
  today BIGINT := books_day(at);
BEGIN
  PERFORM books_must_match(h, r);
  IF NOT EXISTS (SELECT 1 FROM card WHERE id = {{r.card_id}}) THEN
    RAISE EXCEPTION 'price card % was never published', {{r.card_id}};
  END IF;
  free := books_purses(h.account_id, h.currency, h.fx_rate_id);
  means := free;
  means.own := free.own + h.own;
  means.other := free.other + h.reserve;
  p := books_plan_settle(charge, means);
  available := books_affordable(means.own + p.bought - p.taken, means.other - p.sold, means.scaled);
  UPDATE hold SET state = 'settled', resolved_at_ms = at, reaped = is_reaped::INTEGER
    WHERE id = h.id;
  SELECT * INTO kept FROM books_receipt(r, p.taken, p.loss, available, at);
  INSERT INTO receipt VALUES (kept.*);
  PERFORM books_post_charge('settle', h.id, h, means, p, h.own, h.reserve, available, at);
  counted := books_metered(p.taken, {{r.fx_rate_id}});
  UPDATE spend_meter SET held = held - h.metered, total = total + counted,
    in_day = CASE WHEN today > day THEN counted ELSE in_day + counted END,
    day = GREATEST(day, today),
    in_week = CASE WHEN books_week(today) > week THEN counted ELSE in_week + counted END,
    week = GREATEST(week, books_week(today)),
    in_month = CASE WHEN books_month(today) > month THEN counted ELSE in_month + counted END,
    month = GREATEST(month, books_month(today))
    WHERE owner_id IN (h.key_id, h.account_id);
  PERFORM books_add_use(kept, today, 1, p.taken, p.loss, counted);
  RETURN books_reply('applied', p.taken, available, p.loss);
END $$;

-- c: ["settle", hold, charge, atMs, receipt, carefulAnswers]
CREATE OR REPLACE FUNCTION books_settle(c JSONB, locked TEXT[]) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  h hold := books_hold_row(c->>1, locked);
  charge BIGINT := (c->>2)::BIGINT;
  at BIGINT := (c->>3)::BIGINT;
  -- A node of an earlier version does not send it.
  answers BIGINT := COALESCE((c->>5)::BIGINT, 0);
  reply TEXT;
BEGIN
  IF h.id IS NULL THEN RETURN '["hold_unknown"]'; END IF;
  IF h.state <> 'pending' THEN
    IF h.reaped = 0 THEN RETURN books_repeated_settle(h.id, charge, c->4); END IF;
    -- The reaper has already resolved the hold and released what it reserved.
    PERFORM books_must_match(h, c->4);
    IF h.state = 'settled' THEN
      reply := books_correct(h, charge, c->4, at);
      PERFORM books_watch(h, r.charge + r.loss + l.charge + l.loss, answers, r.settled_at_ms)
        FROM receipt r JOIN late_receipt l ON l.request_id = r.request_id
        WHERE r.request_id = h.id;
      RETURN reply;
    END IF;
    h.own := 0;
    h.reserve := 0;
    h.metered := 0;
  END IF;
  reply := books_settle_pending(h, charge, c->4, at, FALSE);
  PERFORM books_watch(h, charge, answers, at);
  RETURN reply;
END $$;

-- Corrects a request that was charged by its checkpoint, as `SqliteSettlements` does.
CREATE OR REPLACE FUNCTION books_correct(h hold, of_charge BIGINT, r JSONB, at BIGINT) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  first receipt;
  refunded BIGINT;
  means books_means;
  p books_charge;
  available BIGINT;
  before BIGINT;
  after BIGINT;
  kept receipt;
  of_day BIGINT;
BEGIN
  SELECT * INTO STRICT first FROM receipt WHERE request_id = h.id;
  SELECT COALESCE(SUM(amount), 0)::BIGINT INTO refunded FROM refund WHERE request_id = h.id;
  means := books_purses(h.account_id, h.currency, h.fx_rate_id);
  IF of_charge >= first.charge THEN
    p := books_plan_settle(of_charge - first.charge, means);
    p.loss := p.loss - first.loss;
  ELSE
    p := ROW(LEAST(GREATEST(of_charge, refunded) - first.charge, 0), 0, 0,
      -first.loss)::books_charge;
  END IF;
  available := books_affordable(means.own + p.bought - p.taken, means.other - p.sold, means.scaled);
  SELECT * INTO kept FROM books_receipt(r, p.taken, p.loss, available, at);
  INSERT INTO late_receipt VALUES (kept.*);
  UPDATE hold SET reaped = 0 WHERE id = h.id;
  PERFORM books_post_charge('late', 'late:' || h.id, h, means, p, 0, 0, available, at);
  before := books_metered(first.charge, first.fx_rate_id);
  after := books_metered(first.charge + p.taken, {{r.fx_rate_id}});
  -- The correction counts on the day of the receipt that it replaces.
  of_day := books_day(first.settled_at_ms);
  UPDATE spend_meter SET total = total + after - before,
    in_day = CASE WHEN of_day >= day THEN in_day + after - before ELSE in_day END,
    in_week = CASE WHEN of_day >= week THEN in_week + after - before ELSE in_week END,
    in_month = CASE WHEN of_day >= month THEN in_month + after - before ELSE in_month END
    WHERE owner_id IN (h.key_id, h.account_id);
  PERFORM books_add_use(first, of_day, -1, -first.charge, -first.loss, -before);
  PERFORM books_add_use(kept, of_day, 1, first.charge + p.taken, first.loss + p.loss, after);
  RETURN books_reply('applied', first.charge + p.taken, available, first.loss + p.loss);
END $$;

CREATE OR REPLACE FUNCTION books_repeated_settle(of_request TEXT, of_charge BIGINT, r JSONB)
  RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  first receipt;
  late late_receipt;
  is_same BOOLEAN;
  charged BIGINT;
  lost BIGINT;
BEGIN
  SELECT * INTO first FROM receipt WHERE request_id = of_request;
  IF NOT FOUND THEN RETURN '["hold_resolved"]'; END IF;
  SELECT * INTO late FROM late_receipt WHERE request_id = of_request;
  IF late.request_id IS NULL THEN
    is_same := to_jsonb(first) = (SELECT to_jsonb(k) FROM
      books_receipt(r, first.charge, first.loss, first.available_after, first.settled_at_ms) AS k);
  ELSE
    is_same := to_jsonb(late) = (SELECT to_jsonb(k) FROM
      books_receipt(r, late.charge, late.loss, late.available_after, late.settled_at_ms) AS k);
  END IF;
  charged := first.charge + COALESCE(late.charge, 0);
  lost := first.loss + COALESCE(late.loss, 0);
  -- After a refund, a correction may leave a total above the charge of the command.
  IF is_same AND (charged + lost = of_charge OR (late.request_id IS NOT NULL
    AND charged > of_charge))
  THEN
    RETURN books_reply('already_applied', charged,
      COALESCE(late.available_after, first.available_after), lost);
  END IF;
  RETURN '["hold_resolved"]';
END $$;
