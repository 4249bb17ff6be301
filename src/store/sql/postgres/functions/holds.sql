-- Makes, extends and releases holds on rows that the batch has locked. `wire.ts` has the replies.

-- Whether a key may be used for an account now.
CREATE OR REPLACE FUNCTION books_is_usable(of_key TEXT, of_account TEXT, at BIGINT) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
BEGIN
  RETURN EXISTS (SELECT 1 FROM api_key WHERE id = of_key AND account_id = of_account
    AND status = 'active' AND (expires_at_ms IS NULL OR expires_at_ms > at));
END $$;

-- Returns the amount that the caps allow, in the quote currency of the rate `scaled`; null without
-- caps. `owner` and `period` name the first cap that allows less than `at_least`: the key's caps
-- come first, then those of the member who created it, then the account's.
CREATE OR REPLACE FUNCTION books_caps(
  of_key TEXT, of_account TEXT, at BIGINT, scaled BIGINT, at_least BIGINT,
  OUT room NUMERIC, OUT owner TEXT, OUT period TEXT
) LANGUAGE plpgsql AS $$
DECLARE
  today BIGINT;
  monday BIGINT;
  first BIGINT;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM spend_meter WHERE owner_id IN (of_key, of_account)
    AND (cap_day IS NOT NULL OR cap_week IS NOT NULL OR cap_month IS NOT NULL
      OR cap_total IS NOT NULL))
    AND NOT EXISTS (SELECT 1 FROM member_cap WHERE account_id = of_account)
  THEN RETURN; END IF;
  today := books_day(at);
  monday := books_week(today);
  first := books_month(today);
  WITH meters AS (
    SELECT CASE WHEN owner_id = of_key THEN 1 ELSE 3 END AS whose,
      cap_day, cap_week, cap_month, cap_total, held::NUMERIC AS held, total::NUMERIC AS total,
      CASE WHEN day < today THEN 0 ELSE in_day END::NUMERIC AS in_day,
      CASE WHEN week < monday THEN 0 ELSE in_week END::NUMERIC AS in_week,
      CASE WHEN month < first THEN 0 ELSE in_month END::NUMERIC AS in_month
    FROM spend_meter WHERE owner_id IN (of_key, of_account)
    UNION ALL
    -- A member has no meter: all keys of the account that they created count, revoked ones too.
    SELECT 2, c.cap_day, c.cap_week, c.cap_month, NULL, SUM(m.held), SUM(m.total),
      SUM(CASE WHEN m.day < today THEN 0 ELSE m.in_day END),
      SUM(CASE WHEN m.week < monday THEN 0 ELSE m.in_week END),
      SUM(CASE WHEN m.month < first THEN 0 ELSE m.in_month END)
    FROM api_key k
      JOIN member_cap c ON c.account_id = k.account_id AND c.person_id = k.created_by
      JOIN api_key made ON made.account_id = c.account_id AND made.created_by = c.person_id
      JOIN spend_meter m ON m.owner_id = made.id
    WHERE k.id = of_key AND k.account_id = of_account
    GROUP BY c.cap_day, c.cap_week, c.cap_month
  ),
  caps AS (
    SELECT m.whose, c.place, c.name,
      CASE WHEN scaled IS NULL THEN GREATEST(c.cap - c.spent - m.held, 0)
        ELSE div(GREATEST(c.cap - c.spent - m.held, 0) * scaled, 100000000) END AS leaves
    FROM meters m CROSS JOIN LATERAL (VALUES
      (1, 'day', m.cap_day::NUMERIC, m.in_day),
      (2, 'week', m.cap_week, m.in_week),
      (3, 'month', m.cap_month, m.in_month),
      (4, 'total', m.cap_total, m.total)
    ) AS c (place, name, cap, spent)
    WHERE c.cap IS NOT NULL
  )
  SELECT (SELECT MIN(leaves) FROM caps), (ARRAY['key', 'member', 'account'])[f.whose], f.name
    INTO room, owner, period
  FROM (SELECT 1) AS one LEFT JOIN LATERAL (
    SELECT whose, name FROM caps WHERE leaves < at_least ORDER BY whose, place LIMIT 1
  ) AS f ON TRUE;
END $$;

CREATE OR REPLACE FUNCTION books_repeated_hold(c JSONB) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  h hold;
BEGIN
  SELECT * INTO h FROM hold WHERE id = c->>1 AND account_id = c->>2 AND key_id = c->>3
    AND currency = c->>4 AND asked = (c->>5)::BIGINT AND at_least = (c->>6)::BIGINT
    AND epoch = c->>7 AND fx_rate_id IS NOT DISTINCT FROM c->10->>0
    AND price_rate_id IS NOT DISTINCT FROM c->11->>0;
  IF NOT FOUND THEN RETURN '["id_reused"]'; END IF;
  RETURN books_reply('already_applied', h.granted, h.available_after, 0);
END $$;

-- c: ["hold", id, account, key, currency, amount, atLeast, epoch, atMs, expiresAtMs, [rate, base,
-- scaled] of the exchange rate, the same three of the price rate, worstCase]
CREATE OR REPLACE FUNCTION books_hold(c JSONB, live TEXT[]) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  hold_id TEXT := c->>1;
  of_account TEXT := c->>2;
  of_key TEXT := c->>3;
  of_currency TEXT := c->>4;
  amount BIGINT := (c->>5)::BIGINT;
  at_least BIGINT := (c->>6)::BIGINT;
  at BIGINT := (c->>8)::BIGINT;
  exchange_id TEXT := c->10->>0;
  price_scaled BIGINT := (c->11->>2)::BIGINT;
  account_status TEXT;
  is_careful BOOLEAN;
  -- The smallest and the largest amount to hold: those of the command or, for a careful account,
  -- the worst case for both.
  least BIGINT := at_least;
  wanted BIGINT := amount;
  means books_means;
  most BIGINT;
  caps RECORD;
  granted BIGINT;
  own_part BIGINT;
  reserved BIGINT;
  left_over BIGINT;
  counted BIGINT;
BEGIN
  IF books_is_taken(hold_id) THEN RETURN books_repeated_hold(c); END IF;
  SELECT status, careful > 0 INTO account_status, is_careful FROM account WHERE id = of_account;
  IF NOT FOUND THEN RETURN '["account_unknown"]'; END IF;
  IF NOT books_is_usable(of_key, of_account, at) THEN RETURN '["key_inactive"]'; END IF;
  IF account_status <> 'active' THEN RETURN '["account_inactive"]'; END IF;
  IF NOT COALESCE(c->>7 = ANY (live), FALSE) THEN RETURN '["epoch_over"]'; END IF;
  IF is_careful THEN
    IF EXISTS (SELECT 1 FROM spend_meter WHERE owner_id = of_account AND held > 0) THEN
      RETURN '["one_at_a_time"]';
    END IF;
    -- A node of an earlier version sends no worst case.
    wanted := COALESCE((c->>12)::BIGINT, amount);
    least := wanted;
  END IF;
  IF exchange_id IS NOT NULL THEN
    PERFORM books_must_be_published(exchange_id, c->10->>1, of_currency, (c->10->>2)::BIGINT);
  END IF;
  IF price_scaled IS NOT NULL THEN
    PERFORM books_must_be_published(c->11->>0, c->11->>1, of_currency, price_scaled);
  END IF;

  means := books_purses(of_account, of_currency, exchange_id);
  most := books_affordable(means.own, means.other, means.scaled);
  SELECT * INTO caps FROM books_caps(of_key, of_account, at, price_scaled, least);
  IF is_careful AND (most < least OR caps.owner IS NOT NULL) THEN
    RETURN '["worst_case_too_low","' || LEAST(most, caps.room) || '"]';
  END IF;
  IF most < least THEN RETURN '["balance_too_low","' || most || '"]'; END IF;
  IF caps.owner IS NOT NULL THEN
    RETURN '["cap_reached","' || caps.owner || '","' || caps.period || '","' || caps.room || '"]';
  END IF;
  granted := LEAST(wanted, caps.room, most);
  own_part := LEAST(granted, means.own);
  reserved := CASE WHEN means.scaled IS NULL THEN 0
    ELSE books_divided_up(granted - own_part, means.scaled) END;
  left_over := books_affordable(means.own - own_part, means.other - reserved, means.scaled);
  counted := books_divided_up(granted, price_scaled);

  INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, granted, own,
    reserve,
    reserve_currency, fx_rate_id, price_rate_id, metered, epoch, available_after, created_at_ms,
    expires_at_ms)
  VALUES (hold_id, of_account, of_key, of_currency, amount, at_least, granted, granted, own_part,
    reserved, c->10->>1, exchange_id, c->11->>0, counted, c->>7, left_over, at, (c->>9)::BIGINT);
  PERFORM books_set_aside(of_account, of_key, of_currency, own_part, means.other_currency, reserved,
    counted);
  RETURN books_reply('applied', granted, left_over, 0);
END $$;

-- Adds to the held amounts of the wallets, and to those of the meters of key and account.
CREATE OR REPLACE FUNCTION books_set_aside(
  of_account TEXT, of_key TEXT, of_currency TEXT, own_part BIGINT, other_currency TEXT,
  reserved BIGINT, counted BIGINT
) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  IF own_part <> 0 THEN
    UPDATE wallet SET held = held + own_part
      WHERE account_id = of_account AND currency = of_currency;
  END IF;
  IF reserved <> 0 THEN
    UPDATE wallet SET held = held + reserved
      WHERE account_id = of_account AND currency = other_currency;
  END IF;
  IF counted <> 0 THEN
    UPDATE spend_meter SET held = held + counted WHERE owner_id IN (of_key, of_account);
  END IF;
END $$;

-- c: ["extend", id, hold, amount, atMs, charge and receipt of a checkpoint]
CREATE OR REPLACE FUNCTION books_extend(c JSONB, locked TEXT[]) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  more BIGINT := (c->>3)::BIGINT;
  at BIGINT := (c->>4)::BIGINT;
  h hold;
  x extension;
  price_scaled BIGINT;
  means books_means;
  most BIGINT;
  caps RECORD;
  own_part BIGINT;
  reserved BIGINT;
  left_over BIGINT;
  counted BIGINT;
BEGIN
  IF books_is_taken(c->>1) THEN
    SELECT * INTO x FROM extension WHERE id = c->>1 AND hold_id = c->>2 AND amount = more;
    IF NOT FOUND THEN RETURN '["id_reused"]'; END IF;
    RETURN books_reply('already_applied', x.total_after, x.available_after, 0);
  END IF;
  h := books_hold_row(c->>2, locked);
  IF h.id IS NULL THEN RETURN '["hold_unknown"]'; END IF;
  IF NOT books_is_usable(h.key_id, h.account_id, at) THEN RETURN '["key_inactive"]'; END IF;
  IF NOT EXISTS (SELECT 1 FROM account WHERE id = h.account_id AND status = 'active') THEN
    RETURN '["account_inactive"]';
  END IF;
  IF h.state <> 'pending' THEN RETURN '["hold_resolved"]'; END IF;

  means := books_purses(h.account_id, h.currency, h.fx_rate_id);
  most := books_affordable(means.own, means.other, means.scaled);
  IF most < more THEN RETURN '["balance_too_low","' || most || '"]'; END IF;
  SELECT scaled INTO price_scaled FROM fx_rate WHERE id = h.price_rate_id;
  SELECT * INTO caps FROM books_caps(h.key_id, h.account_id, at, price_scaled, more);
  IF caps.owner IS NOT NULL THEN
    RETURN '["cap_reached","' || caps.owner || '","' || caps.period || '","' || caps.room || '"]';
  END IF;
  own_part := LEAST(more, means.own);
  reserved := CASE WHEN means.scaled IS NULL THEN 0
    ELSE books_divided_up(more - own_part, means.scaled) END;
  left_over := books_affordable(means.own - own_part, means.other - reserved, means.scaled);
  counted := books_divided_up(h.amount + more, price_scaled) - h.metered;
  IF c->5 IS NOT NULL THEN
    PERFORM books_must_match(h, c->6);
    UPDATE hold SET checkpoint_charge = (c->>5)::BIGINT, checkpoint = c->>6 WHERE id = h.id;
  END IF;
  UPDATE hold SET amount = amount + more, own = own + own_part, reserve = reserve + reserved,
    metered = metered + counted WHERE id = h.id;
  PERFORM books_set_aside(h.account_id, h.key_id, h.currency, own_part, means.other_currency,
    reserved, counted);
  INSERT INTO extension (id, hold_id, amount, total_after, available_after, at_ms)
  VALUES (c->>1, h.id, more, h.amount + more, left_over, at);
  RETURN books_reply('applied', h.amount + more, left_over, 0);
END $$;

-- Returns a hold of a locked account. Fails, so that the client sends the batch again, if the hold
-- was made while the batch waited for its locks.
CREATE OR REPLACE FUNCTION books_hold_row(hold_id TEXT, locked TEXT[]) RETURNS hold
LANGUAGE plpgsql AS $$
DECLARE
  h hold;
BEGIN
  SELECT * INTO h FROM hold WHERE id = hold_id;
  IF h.id IS NOT NULL AND NOT COALESCE(h.account_id = ANY (locked), FALSE) THEN
    RAISE EXCEPTION 'hold % was made meanwhile', hold_id USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN h;
END $$;

-- Releases the money that a hold reserved, and sets its state to void.
CREATE OR REPLACE FUNCTION books_give_back(h hold, at BIGINT, is_reaped BOOLEAN) RETURNS VOID
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE hold SET state = 'void', resolved_at_ms = at, reaped = is_reaped::INTEGER WHERE id = h.id;
  PERFORM books_set_aside(h.account_id, h.key_id, h.currency, -h.own, h.reserve_currency,
    -h.reserve, -h.metered);
END $$;

-- c: ["void", hold, account, key, currency, atMs]
CREATE OR REPLACE FUNCTION books_void(c JSONB, locked TEXT[]) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  at BIGINT := (c->>5)::BIGINT;
  h hold := books_hold_row(c->>1, locked);
  means books_means;
  left_over BIGINT;
BEGIN
  IF h.id IS NULL THEN RETURN books_void_beforehand(c, at); END IF;
  IF h.account_id <> c->>2 OR h.key_id <> c->>3 OR h.currency <> c->>4 THEN
    RETURN '["id_reused"]';
  END IF;
  IF h.state <> 'pending' THEN
    IF h.void_available IS NULL THEN RETURN '["hold_resolved"]'; END IF;
    RETURN books_reply('already_applied', h.amount, h.void_available, 0);
  END IF;
  PERFORM books_give_back(h, at, FALSE);
  means := books_purses(h.account_id, h.currency, h.fx_rate_id);
  left_over := books_affordable(means.own, means.other, means.scaled);
  UPDATE hold SET void_available = left_over WHERE id = h.id;
  RETURN books_reply('applied', h.amount, left_over, 0);
END $$;

-- Marks the id as void, so that the hold is refused if it arrives later.
CREATE OR REPLACE FUNCTION books_void_beforehand(c JSONB, at BIGINT) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  means books_means;
  left_over BIGINT;
BEGIN
  IF books_is_taken(c->>1) THEN RETURN '["id_reused"]'; END IF;
  IF NOT EXISTS (SELECT 1 FROM account WHERE id = c->>2) THEN RETURN '["account_unknown"]'; END IF;
  IF NOT EXISTS (SELECT 1 FROM api_key WHERE id = c->>3 AND account_id = c->>2) THEN
    RETURN '["key_inactive"]';
  END IF;
  means := books_purses(c->>2, c->>4, NULL);
  left_over := books_affordable(means.own, 0, NULL);
  INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, granted, own,
    reserve,
    epoch, state, available_after, void_available, created_at_ms, expires_at_ms, resolved_at_ms)
  VALUES (c->>1, c->>2, c->>3, c->>4, 0, 0, 0, 0, 0, 0, '', 'void', left_over, left_over, at, at,
    at);
  RETURN books_reply('applied', 0, left_over, 0);
END $$;

-- Replaces the checkpoints of pending holds. batch: [[hold, charge, receipt], ...]
CREATE OR REPLACE FUNCTION books_keep(batch JSONB) RETURNS VOID
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
BEGIN
  PERFORM books_lock((SELECT COALESCE(array_agg(h.account_id), '{}')
    FROM jsonb_array_elements(batch) AS b (c) JOIN hold h ON h.id = b.c->>0));
  UPDATE hold AS h SET checkpoint_charge = k.charge, checkpoint = k.r
  FROM (SELECT c->>0 AS id, (c->>1)::BIGINT AS charge, c->2 AS r
    FROM jsonb_array_elements(batch) AS b (c)) AS k
  WHERE h.id = k.id AND h.state = 'pending' AND h.account_id = {{k.r.account_id}}
    AND h.key_id = {{k.r.key_id}} AND h.currency = {{k.r.currency}};
END $$;
