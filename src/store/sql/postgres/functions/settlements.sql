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

-- Returns a receipt's values as a row. It returns a set of one row, so that the planner can inline
-- it. `place` is the sequence number of the movement; `after` is null for an unchanged wallet.
CREATE OR REPLACE FUNCTION books_receipt(r JSONB, charge BIGINT, loss BIGINT, available BIGINT,
  at BIGINT, place BIGINT, held BIGINT, exchange_id TEXT, bought BIGINT, sold BIGINT,
  after BIGINT, other_after BIGINT)
RETURNS SETOF receipt LANGUAGE sql IMMUTABLE AS $$
  SELECT {{receipt r}}, charge, loss, available, at{{later receipt r}},
    place, held, exchange_id, bought, sold, after, other_after{{latest receipt r}}
$$;

-- Whether two receipts, as objects, are equal except for the values that the settlement computed.
CREATE OR REPLACE FUNCTION books_is_same(stored JSONB, r JSONB) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
DECLARE
  decided TEXT[] := '{charge, loss, available_after, settled_at_ms, seq, held, exchange_id, bought,
    sold, balance_after, other_after}';
BEGIN
  RETURN stored - decided = r - decided;
END $$;

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

-- Splits a charge between the wallets. Only what the paying wallet lacks is exchanged.
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

-- Moves a charge and returns its receipt. `freed` and `freed_other` are the held amounts to
-- release.
CREATE OR REPLACE FUNCTION books_move_charge(
  h hold, r JSONB, means books_means, p books_charge, freed BIGINT, freed_other BIGINT,
  available BIGINT, at BIGINT
) RETURNS receipt LANGUAGE plpgsql AS $$
DECLARE
  kept receipt;
BEGIN
  UPDATE wallet SET balance = balance + (p.bought - p.taken), held = held - freed
    WHERE account_id = h.account_id AND currency = h.currency;
  IF means.other_currency IS NOT NULL AND (p.sold <> 0 OR freed_other <> 0) THEN
    UPDATE wallet SET balance = balance - p.sold, held = held - freed_other
      WHERE account_id = h.account_id AND currency = means.other_currency;
  END IF;
  SELECT * INTO kept FROM books_receipt(r, p.taken, p.loss, available, at,
    nextval('money_transaction_id_seq'), h.amount, h.fx_rate_id, p.bought, p.sold,
    CASE WHEN p.taken <> 0 THEN means.balance + p.bought - p.taken END,
    CASE WHEN p.sold <> 0 THEN means.other_balance - p.sold END);
  RETURN kept;
END $$;

-- Lists the request as an overrun if its price is above its hold, and makes the account careful. If
-- its price is within its hold, counts the answer for a careful account. `answers` is null for a
-- charge by checkpoint, which is not an answer.
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

-- Settles a hold. `h` must have amounts of zero if the reaper has released them already.
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
  kept := books_move_charge(h, r, means, p, h.own, h.reserve, available, at);
  INSERT INTO receipt VALUES (kept.*);
  counted := books_metered(p.taken, {{r.fx_rate_id}});
  UPDATE spend_meter SET held = held - h.metered, total = total + counted,
    in_day = CASE WHEN today > day THEN counted ELSE in_day + counted END,
    day = GREATEST(day, today),
    in_week = CASE WHEN books_week(today) > week THEN counted ELSE in_week + counted END,
    week = GREATEST(week, books_week(today)),
    in_month = CASE WHEN books_month(today) > month THEN counted ELSE in_month + counted END,
    month = GREATEST(month, books_month(today))
    WHERE owner_id IN (h.key_id, h.account_id);
  PERFORM books_note_uses(ARRAY[kept.seq]);
  RETURN books_reply('applied', p.taken, available, p.loss);
END $$;

-- Inserts the row of a hold that was only in a node's memory, and that ended with the node's lease.
CREATE OR REPLACE FUNCTION books_ended_hold(c JSONB) RETURNS hold
LANGUAGE plpgsql AS $$
DECLARE
  r JSONB := c->4;
  held BIGINT := (c->>6)::BIGINT;
  at BIGINT := (c->>3)::BIGINT;
  h hold;
BEGIN
  INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, granted, own,
    reserve, reserve_currency, fx_rate_id, epoch, state, reaped, available_after, created_at_ms,
    expires_at_ms, resolved_at_ms)
  VALUES (c->>1, {{r.account_id}}, {{r.key_id}}, {{r.currency}}, held, held, held, held, 0, 0,
    CASE WHEN c->>7 IS NOT NULL THEN CASE {{r.currency}} WHEN 'USD' THEN 'CNY' ELSE 'USD' END END,
    c->>7, '', 'void', 1, 0, at, at, at)
  RETURNING * INTO h;
  RETURN h;
END $$;

-- c: ["settle", hold, charge, atMs, receipt, carefulAnswers, amount of a hold that may have no row,
-- exchange rate of that hold, whether the request has an Idempotency-Key]
CREATE OR REPLACE FUNCTION books_settle(c JSONB, locked TEXT[]) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  h hold := books_hold_row(c->>1, locked);
  charge BIGINT := (c->>2)::BIGINT;
  at BIGINT := (c->>3)::BIGINT;
  -- A node of an earlier version does not send `carefulAnswers`.
  answers BIGINT := COALESCE((c->>5)::BIGINT, 0);
  -- After the hold of a request with an Idempotency-Key was resolved, a repeat of the request may
  -- have been charged. Its node then keeps the charge on disk, and `mayCharge` decides.
  is_keyed BOOLEAN := COALESCE((c->>8)::BOOLEAN, FALSE);
  reply TEXT;
BEGIN
  IF h.id IS NULL THEN
    IF EXISTS (SELECT 1 FROM receipt WHERE request_id = c->>1) THEN
      RETURN books_repeated_settle(c->>1, charge, (SELECT to_jsonb(given) FROM
        books_receipt(c->4, 0, 0, 0, 0, 0, 0, NULL, 0, 0, NULL, NULL) AS given));
    END IF;
    IF c->>6 IS NULL THEN RETURN '["hold_unknown"]'; END IF;
    IF is_keyed THEN RETURN '["epoch_over"]'; END IF;
    h := books_ended_hold(c);
  END IF;
  IF h.state <> 'pending' THEN
    IF h.reaped = 0 THEN
      RETURN books_repeated_settle(h.id, charge, (SELECT to_jsonb(given) FROM
        books_receipt(c->4, 0, 0, 0, 0, 0, 0, NULL, 0, 0, NULL, NULL) AS given));
    END IF;
    IF is_keyed THEN RETURN '["epoch_over"]'; END IF;
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

-- Corrects a request that was charged by its checkpoint, like `SqliteSettlements`.
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
  kept := books_move_charge(h, r, means, p, 0, 0, available, at);
  INSERT INTO late_receipt VALUES (kept.*);
  UPDATE hold SET reaped = 0 WHERE id = h.id;
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

-- Replies to a request that has a receipt. `r` is the receipt of the command as an object.
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
  is_same := books_is_same(
    CASE WHEN late.request_id IS NULL THEN to_jsonb(first) ELSE to_jsonb(late) END, r);
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
