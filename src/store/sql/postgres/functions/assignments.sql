-- Assigns money of wallets to nodes that decide holds in memory: see `src/ledger/assigned/`. Only
-- the node changes its assignments, under the account's lock. They end with the node's lease.

-- Whether nodes may decide an account's holds in memory, because only the balance can refuse a
-- hold. A member's cap covers several keys, so an account with such a cap is never fit.
CREATE OR REPLACE FUNCTION books_is_fit(of_account TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
BEGIN
  RETURN EXISTS (SELECT 1 FROM account a JOIN spend_meter m ON m.owner_id = a.id
    WHERE a.id = of_account AND a.status = 'active' AND a.careful = 0
      AND COALESCE(m.cap_day, m.cap_week, m.cap_month, m.cap_total) IS NULL)
    AND NOT EXISTS (SELECT 1 FROM member_cap WHERE account_id = of_account)
    AND NOT EXISTS (SELECT 1 FROM assignment WHERE account_id = of_account AND is_recalled = 1);
END $$;

-- Whether an epoch has a live lease. A renewal may be made but not committed, for example while the
-- disk or a standby is slow, so a lease has only ended when no renewal holds its row.
CREATE OR REPLACE FUNCTION books_has_lease(of_epoch TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM node WHERE epoch = of_epoch AND lease_until_ms > books_now_ms()) THEN
    RETURN TRUE;
  END IF;
  PERFORM 1 FROM node WHERE epoch = of_epoch FOR SHARE;
  RETURN EXISTS (SELECT 1 FROM node WHERE epoch = of_epoch AND lease_until_ms > books_now_ms());
END $$;

-- Ends assignments without a live lease, and returns their money. The accounts must be locked.
CREATE OR REPLACE FUNCTION books_end_assignments(accounts TEXT[]) RETURNS VOID
LANGUAGE plpgsql AS $$
DECLARE
  dead TEXT[] := ARRAY(SELECT epoch FROM (
    SELECT DISTINCT epoch FROM assignment WHERE account_id = ANY (accounts)
  ) AS each WHERE NOT books_has_lease(epoch));
BEGIN
  IF dead = '{}' THEN RETURN; END IF;
  WITH ended AS (
    DELETE FROM assignment WHERE account_id = ANY (accounts) AND epoch = ANY (dead)
    RETURNING account_id, currency, amount
  )
  UPDATE wallet SET held = held - sums.amount FROM (
    SELECT account_id, currency, SUM(amount)::BIGINT AS amount FROM ended
    GROUP BY account_id, currency
  ) AS sums WHERE wallet.account_id = sums.account_id AND wallet.currency = sums.currency;
END $$;

-- Asks all nodes to surrender accounts, which must be locked. Returns whether any node has to.
CREATE OR REPLACE FUNCTION books_recall_locked(accounts TEXT[]) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
DECLARE
  of_account TEXT;
  is_any BOOLEAN := FALSE;
BEGIN
  PERFORM books_end_assignments(accounts);
  UPDATE assignment SET is_recalled = 1 WHERE account_id = ANY (accounts) AND is_recalled = 0;
  FOR of_account IN SELECT DISTINCT account_id FROM assignment WHERE account_id = ANY (accounts)
  LOOP
    PERFORM pg_notify('modelgate_recall', of_account);
    is_any := TRUE;
  END LOOP;
  RETURN is_any;
END $$;

CREATE OR REPLACE FUNCTION books_recall(accounts TEXT[]) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM books_lock(accounts);
  RETURN books_recall_locked(accounts);
END $$;

-- Returns the account whose assigned money a command needs; null if it needs none.
-- `c` is as in `books_apply`. Its account must be locked.
CREATE OR REPLACE FUNCTION books_lacks(c JSONB) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  h hold;
  r JSONB := c->4;
  of_account TEXT;
  of_currency TEXT := c->>4;
  rate_id TEXT := c->10->>0;
  needed BIGINT;
  means books_means;
BEGIN
  CASE c->>0
    WHEN 'hold' THEN
      of_account := c->>2;
      needed := (c->>5)::BIGINT;
    WHEN 'order' THEN
      of_account := c->>8;
    WHEN 'extend' THEN
      SELECT * INTO h FROM hold WHERE id = c->>2;
      needed := (c->>3)::BIGINT;
    WHEN 'settle' THEN
      SELECT * INTO h FROM hold WHERE id = c->>1;
      IF (h.state = 'settled' AND h.reaped = 0) OR (h.id IS NULL
        AND EXISTS (SELECT 1 FROM receipt WHERE request_id = c->>1)) THEN RETURN NULL; END IF;
      of_account := {{r.account_id}};
      of_currency := {{r.currency}};
      rate_id := c->>7;
      needed := (c->>2)::BIGINT - CASE h.state WHEN 'pending' THEN h.own ELSE 0 END;
    ELSE RETURN NULL;
  END CASE;
  IF h.id IS NOT NULL THEN
    of_account := h.account_id;
    of_currency := h.currency;
    rate_id := h.fx_rate_id;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM assignment WHERE account_id = of_account) THEN RETURN NULL; END IF;
  PERFORM books_end_assignments(ARRAY[of_account]);
  IF NOT EXISTS (SELECT 1 FROM assignment WHERE account_id = of_account) THEN RETURN NULL; END IF;
  IF c->>0 = 'order' THEN
    RETURN CASE WHEN c->>1 IN ('exchange', 'credit_limit') OR (c->>3)::BIGINT < 0
      THEN of_account END;
  END IF;
  IF c->>0 = 'hold' AND NOT books_is_fit(of_account) THEN RETURN of_account; END IF;
  means := books_purses(of_account, of_currency, rate_id);
  IF means.own < needed AND EXISTS (SELECT 1 FROM assignment
    WHERE account_id = of_account AND currency = of_currency) THEN RETURN of_account; END IF;
  IF books_affordable(means.own, means.other, means.scaled) < needed THEN RETURN of_account; END IF;
  RETURN NULL;
END $$;

-- Stores a hold that a node has made in memory as a row, and takes its money from the assignment.
-- h: [id, account, key, currency, amount, metered, available, exchange, its base, price rate, epoch,
-- atMs, expiresAtMs, atLeast]
CREATE OR REPLACE FUNCTION books_move_hold(h JSONB) RETURNS VOID
LANGUAGE plpgsql AS $$
DECLARE
  amount_held BIGINT := (h->>4)::BIGINT;
  counted BIGINT := (h->>5)::BIGINT;
BEGIN
  IF EXISTS (SELECT 1 FROM hold WHERE id = h->>0)
    OR EXISTS (SELECT 1 FROM receipt WHERE request_id = h->>0) THEN RETURN; END IF;
  UPDATE assignment SET amount = amount - amount_held WHERE account_id = h->>1
    AND currency = h->>3 AND epoch = h->>10 AND amount >= amount_held;
  -- The lease has ended, so the hold is void.
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, granted, own,
    reserve, reserve_currency, fx_rate_id, price_rate_id, metered, epoch, available_after,
    created_at_ms, expires_at_ms)
  -- The hold of a charge that possibly did not arrive has only the amount of the charge, which can
  -- be below the hold's atLeast.
  VALUES (h->>0, h->>1, h->>2, h->>3, amount_held, LEAST((h->>13)::BIGINT, amount_held),
    amount_held, amount_held, amount_held, 0, h->>8, h->>7, h->>9, counted, h->>10,
    (h->>6)::BIGINT, (h->>11)::BIGINT, (h->>12)::BIGINT);
  IF counted <> 0 THEN
    UPDATE spend_meter SET held = held + counted WHERE owner_id IN (h->>2, h->>1);
  END IF;
END $$;

-- Returns the amount of a wallet that a node could hold besides its own assignment.
CREATE OR REPLACE FUNCTION books_rest(w wallet, of_epoch TEXT) RETURNS BIGINT
LANGUAGE plpgsql AS $$
BEGIN
  RETURN GREATEST(w.balance - w.held - w.floor + COALESCE((
    SELECT SUM(amount - LEAST(used, amount)) FROM assignment WHERE account_id = w.account_id
      AND currency = w.currency AND epoch <> of_epoch), 0), 0);
END $$;

-- c: ["assign", account, epoch, currency, version, change, atLeast, keys, share]
-- Returns [is fit, [version, amount, rest] of USD, the same of CNY, [[key, expiresAtMs], ...]].
-- A raise is at most the wallet's free amount divided by `share`.
CREATE OR REPLACE FUNCTION books_assign(c JSONB) RETURNS JSONB
LANGUAGE plpgsql AS $$
DECLARE
  of_account TEXT := c->>1;
  of_epoch TEXT := c->>2;
  of_currency TEXT := c->>3;
  change BIGINT := (c->>5)::BIGINT;
  is_fit BOOLEAN := books_is_fit(of_account);
  is_current BOOLEAN;
  keys JSONB;
  states JSONB;
BEGIN
  SELECT (SELECT version FROM assignment WHERE account_id = of_account
    AND currency = of_currency AND epoch = of_epoch) IS NOT DISTINCT FROM (c->>4)::BIGINT
    INTO is_current;
  SELECT COALESCE(jsonb_agg(jsonb_build_array(k.id, k.expires_at_ms)), '[]') INTO keys
    FROM api_key k JOIN spend_meter m ON m.owner_id = k.id
    WHERE k.id IN (SELECT jsonb_array_elements_text(c->7)) AND k.account_id = of_account
      AND k.status = 'active'
      AND COALESCE(m.cap_day, m.cap_week, m.cap_month, m.cap_total) IS NULL;
  IF change > 0 THEN
    SELECT LEAST(change, (w.balance - w.held - w.floor) / (c->>8)::BIGINT) INTO change
      FROM wallet w WHERE w.account_id = of_account AND w.currency = of_currency;
    IF change < GREATEST((c->>6)::BIGINT, 1) OR keys = '[]' OR NOT is_fit
      OR NOT books_has_lease(of_epoch) THEN change := 0; END IF;
  END IF;
  IF change <> 0 AND is_current THEN
    IF c->>4 IS NULL THEN
      INSERT INTO assignment (account_id, currency, epoch, amount, version)
      VALUES (of_account, of_currency, of_epoch, change, nextval('assignment_version'));
    ELSE
      UPDATE assignment SET amount = amount + change, version = nextval('assignment_version')
        WHERE account_id = of_account AND currency = of_currency AND epoch = of_epoch;
    END IF;
    UPDATE wallet SET held = held + change
      WHERE account_id = of_account AND currency = of_currency;
  END IF;
  SELECT jsonb_agg(jsonb_build_array(a.version::TEXT, COALESCE(a.amount, 0)::TEXT,
      books_rest(w, of_epoch)::TEXT) ORDER BY w.currency DESC) INTO states
    FROM wallet w LEFT JOIN assignment a ON a.account_id = w.account_id
      AND a.currency = w.currency AND a.epoch = of_epoch
    WHERE w.account_id = of_account;
  RETURN jsonb_build_array(is_fit, states->0, states->1, keys);
END $$;

-- c: ["surrender", account, epoch, version of USD, version of CNY, holds]
-- Returns [version of USD, of CNY, refused holds]. The versions are those of the assignments that
-- remain: all of them if one has changed, otherwise none. A refused hold, [id, reason], is void;
-- its settlement states the amount that was held.
CREATE OR REPLACE FUNCTION books_surrender(c JSONB) RETURNS JSONB
LANGUAGE plpgsql AS $$
DECLARE
  usd TEXT;
  cny TEXT;
  h JSONB;
  refused JSONB := '[]';
BEGIN
  SELECT MAX(version) FILTER (WHERE currency = 'USD'), MAX(version) FILTER (WHERE currency = 'CNY')
    INTO usd, cny FROM assignment WHERE account_id = c->>1 AND epoch = c->>2;
  IF (usd IS NOT NULL AND usd IS DISTINCT FROM c->>3)
    OR (cny IS NOT NULL AND cny IS DISTINCT FROM c->>4) THEN
    RETURN jsonb_build_array(usd, cny, refused);
  END IF;
  BEGIN
    PERFORM books_move_hold(each) FROM jsonb_array_elements(c->5) AS each;
  EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
    -- Stores holds one by one, so that a refused hold does not keep the others from being stored.
    FOR h IN SELECT value FROM jsonb_array_elements(c->5) LOOP
      BEGIN
        PERFORM books_move_hold(h);
      EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
        refused := refused || jsonb_build_array(jsonb_build_array(h->>0, SQLERRM));
      END;
    END LOOP;
  END;
  WITH ended AS (
    DELETE FROM assignment WHERE account_id = c->>1 AND epoch = c->>2 RETURNING currency, amount
  )
  UPDATE wallet SET held = held - ended.amount FROM ended
    WHERE wallet.account_id = c->>1 AND wallet.currency = ended.currency;
  RETURN jsonb_build_array(NULL, NULL, refused);
END $$;

-- c: ["check", account: null, epoch, [[account, currency, used], ...],
-- [[account, key, expiresAtMs], ...]]
-- Returns [accounts to surrender, [[account, rest of USD, rest of CNY], ...] of the listed
-- accounts]. The node must surrender accounts that are recalled, are not fit, have an unlisted
-- assignment, or have a changed key. A change of a key does not mark assignments as recalled,
-- because it locks the key or its meter before the account.
CREATE OR REPLACE FUNCTION books_check(c JSONB) RETURNS JSONB
LANGUAGE plpgsql AS $$
DECLARE
  -- The used amounts by account and currency, as an object, because joining thousands of accounts
  -- with the list might compare each account with the whole list.
  uses JSONB := (SELECT COALESCE(jsonb_object_agg((value->>0) || ' ' || (value->>1), value->>2),
    '{}') FROM jsonb_array_elements(c->3));
  listed TEXT[] := ARRAY(SELECT DISTINCT value->>0 FROM jsonb_array_elements(c->3));
  is_listed JSONB := (SELECT COALESCE(jsonb_object_agg(id, 1), '{}') FROM unnest(listed) AS l (id));
  -- Accounts with a key that has changed: it is inactive, has a cap, or another expiry. Counted key
  -- by key, for the same reason as above. Nodes of an earlier version send no keys.
  has_changed JSONB := (SELECT COALESCE(jsonb_object_agg(value->>0, 1), '{}')
    FROM jsonb_array_elements(c->4) WHERE 0 = (SELECT COUNT(*)
      FROM api_key k JOIN spend_meter m ON m.owner_id = k.id
      WHERE k.id = value->>1 AND k.account_id = value->>0 AND k.status = 'active'
        AND k.expires_at_ms IS NOT DISTINCT FROM (value->>2)::BIGINT
        AND COALESCE(m.cap_day, m.cap_week, m.cap_month, m.cap_total) IS NULL));
BEGIN
  -- Skips locked rows, so that a check never waits. The next check updates what this one skips.
  UPDATE assignment SET used = (uses->>(account_id || ' ' || currency))::BIGINT
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM assignment WHERE epoch = c->>2
      AND used <> (uses->>(account_id || ' ' || currency))::BIGINT
      FOR NO KEY UPDATE SKIP LOCKED));
  RETURN jsonb_build_array((SELECT COALESCE(jsonb_agg(DISTINCT a.account_id), '[]')
    FROM assignment a WHERE a.epoch = c->>2 AND (a.is_recalled = 1
      OR NOT is_listed ? a.account_id OR has_changed ? a.account_id
      OR NOT books_is_fit(a.account_id))),
    (SELECT COALESCE(jsonb_agg(jsonb_build_array(usd.account_id, books_rest(usd, c->>2)::TEXT,
        books_rest(cny, c->>2)::TEXT)), '[]')
      FROM wallet usd JOIN wallet cny ON cny.account_id = usd.account_id AND cny.currency = 'CNY'
      WHERE usd.account_id = ANY (listed) AND usd.currency = 'USD'));
END $$;

-- Answers a list of questions of `assignment-store.ts` in order, in one transaction.
CREATE OR REPLACE FUNCTION books_assignments(asked JSONB) RETURNS TEXT
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  c JSONB;
  answers JSONB := '[]';
BEGIN
  PERFORM books_lock(ARRAY(SELECT a.c->>1 FROM jsonb_array_elements(asked) AS a (c)
    WHERE a.c->>1 IS NOT NULL));
  FOR c IN SELECT value FROM jsonb_array_elements(asked) LOOP
    answers := answers || jsonb_build_array(CASE c->>0
      WHEN 'assign' THEN books_assign(c)
      WHEN 'surrender' THEN books_surrender(c)
      WHEN 'move' THEN books_moved(c)
      ELSE books_check(c) END);
  END LOOP;
  RETURN answers;
END $$;

-- c: ["move", account, hold]
CREATE OR REPLACE FUNCTION books_moved(c JSONB) RETURNS JSONB
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM books_move_hold(c->2);
  RETURN 'null';
END $$;

-- Reports the account of a changed row, because a node may have outdated values of it in memory.
CREATE OR REPLACE FUNCTION books_touch() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  changed JSONB := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(old) ELSE to_jsonb(new) END;
  of_account TEXT := COALESCE(changed->>'account_id',
    (SELECT account_id FROM api_key WHERE id = changed->>'owner_id'),
    changed->>'owner_id', changed->>'id');
BEGIN
  PERFORM pg_notify('modelgate_recall', of_account);
  -- The connection that made the change recalls the account before the caller gets the result.
  RAISE NOTICE 'modelgate_recall %', of_account;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER account_is_touched AFTER UPDATE OF status ON account
  FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION books_touch();
CREATE OR REPLACE TRIGGER account_is_careful AFTER UPDATE OF careful ON account
  FOR EACH ROW WHEN (old.careful = 0 AND new.careful > 0) EXECUTE FUNCTION books_touch();
CREATE OR REPLACE TRIGGER key_is_touched AFTER UPDATE OF status, expires_at_ms ON api_key
  FOR EACH ROW WHEN ((old.status, old.expires_at_ms) IS DISTINCT FROM
    (new.status, new.expires_at_ms)) EXECUTE FUNCTION books_touch();
CREATE OR REPLACE TRIGGER meter_is_touched
  AFTER UPDATE OF cap_day, cap_week, cap_month, cap_total ON spend_meter
  FOR EACH ROW WHEN ((old.cap_day, old.cap_week, old.cap_month, old.cap_total) IS DISTINCT FROM
    (new.cap_day, new.cap_week, new.cap_month, new.cap_total)) EXECUTE FUNCTION books_touch();
