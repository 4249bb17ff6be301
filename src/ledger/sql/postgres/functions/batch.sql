-- A batch of commands in one call, and with that in one transaction. Every wallet and meter that it may
-- change is locked first, in one order over all nodes: the audit log, then wallets, then meters. A hold,
-- its receipt and its refunds change only under the lock of their account's wallets.

CREATE FUNCTION books_lock(accounts TEXT[], keys TEXT[]) RETURNS VOID
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM wallet WHERE account_id = ANY (accounts)
    ORDER BY account_id, currency FOR NO KEY UPDATE;
  PERFORM 1 FROM spend_meter WHERE owner_id = ANY (accounts || keys)
    ORDER BY owner_id FOR NO KEY UPDATE;
END $$;

CREATE FUNCTION books_apply(batch JSONB) RETURNS TEXT
LANGUAGE plpgsql
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  c JSONB;
  accounts TEXT[] := '{}';
  keys TEXT[] := '{}';
  holds TEXT[] := '{}';
  requests TEXT[] := '{}';
  epochs TEXT[] := '{}';
  live TEXT[];
  has_order BOOLEAN := FALSE;
  replies TEXT[] := '{}';
BEGIN
  FOR c IN SELECT value FROM jsonb_array_elements(batch) LOOP
    CASE c->>0
      WHEN 'hold' THEN
        accounts := accounts || (c->>2);
        keys := keys || (c->>3);
        epochs := epochs || (c->>7);
      WHEN 'settle' THEN holds := holds || (c->>1);
      WHEN 'extend' THEN holds := holds || (c->>2);
      WHEN 'void' THEN
        holds := holds || (c->>1);
        accounts := accounts || (c->>2);
      ELSE
        has_order := TRUE;
        IF c->>8 IS NOT NULL THEN accounts := accounts || (c->>8); END IF;
        IF c->>12 IS NOT NULL THEN requests := requests || (c->>12); END IF;
    END CASE;
  END LOOP;
  IF has_order THEN PERFORM pg_advisory_xact_lock(1835491700, 2); END IF;
  IF cardinality(holds) > 0 THEN
    SELECT accounts || COALESCE(array_agg(h.account_id), '{}'),
           keys || COALESCE(array_agg(h.key_id), '{}')
      INTO accounts, keys FROM hold h WHERE h.id = ANY (holds);
  END IF;
  IF cardinality(requests) > 0 THEN
    SELECT accounts || COALESCE(array_agg(r.account_id), '{}')
      INTO accounts FROM receipt r WHERE r.request_id = ANY (requests);
  END IF;
  PERFORM books_lock(accounts, keys);
  IF cardinality(epochs) > 0 THEN
    SELECT array_agg(n.epoch) INTO live FROM node n
      WHERE n.epoch = ANY (epochs) AND n.lease_until_ms > books_now_ms();
  END IF;
  FOR c IN SELECT value FROM jsonb_array_elements(batch) LOOP
    CASE c->>0
      WHEN 'hold' THEN replies := replies || books_hold(c, live);
      WHEN 'settle' THEN replies := replies || books_settle(c, accounts);
      WHEN 'extend' THEN replies := replies || books_extend(c, accounts);
      WHEN 'void' THEN replies := replies || books_void(c, accounts);
      ELSE replies := replies || books_order(c);
    END CASE;
  END LOOP;
  RETURN '[' || array_to_string(replies, ',') || ']';
END $$;

-- Resolves what dead lives left behind; a checkpoint that cannot be booked proves nothing.
CREATE FUNCTION books_reap(most INTEGER, OUT settled INTEGER, OUT voided INTEGER)
LANGUAGE plpgsql AS $$
DECLARE
  now_ms BIGINT := books_now_ms();
  ids TEXT[];
  accounts TEXT[];
  keys TEXT[];
  h hold;
  r JSONB;
BEGIN
  settled := 0;
  voided := 0;
  SELECT array_agg(l.id), array_agg(l.account_id), array_agg(l.key_id) INTO ids, accounts, keys FROM (
    SELECT id, account_id, key_id FROM hold WHERE state = 'pending' AND (expires_at_ms <= now_ms
      OR NOT EXISTS (SELECT 1 FROM node n WHERE n.epoch = hold.epoch AND n.lease_until_ms > now_ms))
    LIMIT most
  ) AS l;
  IF ids IS NULL THEN RETURN; END IF;
  PERFORM books_lock(accounts, keys);
  -- Read again: one that was resolved meanwhile is not pending any more.
  FOR h IN SELECT * FROM hold WHERE id = ANY (ids) AND state = 'pending' LOOP
    r := h.checkpoint::JSONB;
    IF h.checkpoint_charge IS NOT NULL AND EXISTS (SELECT 1 FROM card WHERE id = r->>9)
      AND (r->>10 IS NULL OR EXISTS (SELECT 1 FROM fx_rate WHERE id = r->>10)) THEN
      r := jsonb_set(jsonb_set(r, '{22}', '"node_lost"'), '{20}', '1');
      PERFORM books_settle_pending(h, h.checkpoint_charge, r, now_ms, TRUE);
      settled := settled + 1;
    ELSE
      PERFORM books_give_back(h, now_ms, TRUE);
      voided := voided + 1;
    END IF;
  END LOOP;
END $$;

-- Takes a lease; false when another live one has the name.
CREATE FUNCTION books_join(of_epoch TEXT, of_name TEXT, lease_ms BIGINT) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
DECLARE
  now_ms BIGINT;
BEGIN
  PERFORM pg_advisory_xact_lock(1835491700, 3);
  now_ms := books_now_ms();
  IF EXISTS (SELECT 1 FROM node WHERE name = of_name AND epoch <> of_epoch AND lease_until_ms > now_ms)
  THEN RETURN FALSE; END IF;
  INSERT INTO node (epoch, name, joined_at_ms, lease_until_ms)
    VALUES (of_epoch, of_name, now_ms, now_ms + lease_ms)
    ON CONFLICT (epoch) DO UPDATE SET lease_until_ms = excluded.lease_until_ms;
  RETURN TRUE;
END $$;
