-- Applies a batch in one transaction. Locks the audit log first, if the batch has wallet commands,
-- then every account that it may change, in the same order on all nodes.

-- Locks accounts. The lock of an account is the row lock of its USD wallet.
CREATE OR REPLACE FUNCTION books_lock(accounts TEXT[]) RETURNS VOID
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM wallet WHERE account_id = ANY (accounts) AND currency = 'USD'
    ORDER BY account_id FOR NO KEY UPDATE;
END $$;

-- The settings force index scans, because plans are made once and must suit tables of any size.
-- `firm`: the ids of commands to decide even if they need assigned money. Null, which nodes of an
-- earlier version send, means all commands. Any other command that needs assigned money gets the
-- reply `recalled`.
CREATE OR REPLACE FUNCTION books_apply(batch JSONB, firm TEXT[] DEFAULT NULL) RETURNS TEXT
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  c JSONB;
  accounts TEXT[];
  repeated TEXT[];
  live TEXT[];
  replies TEXT[];
  place INTEGER := 0;
  is_firm BOOLEAN;
  recalled TEXT;
BEGIN
  IF batch @? '$[*] ? (@[0] == "order")' THEN PERFORM pg_advisory_xact_lock(1835491700, 2); END IF;
  SELECT COALESCE(array_agg(a.id), '{}') INTO accounts FROM jsonb_array_elements(batch) AS b (c)
    CROSS JOIN LATERAL (
      SELECT CASE b.c->>0 WHEN 'hold' THEN b.c->>2 WHEN 'void' THEN b.c->>2
        WHEN 'order' THEN b.c->>8 END
      UNION ALL
      SELECT account_id FROM hold WHERE id = CASE b.c->>0
        WHEN 'settle' THEN b.c->>1 WHEN 'void' THEN b.c->>1 WHEN 'extend' THEN b.c->>2 END
      UNION ALL
      SELECT account_id FROM receipt WHERE request_id = CASE b.c->>0 WHEN 'order' THEN b.c->>12 END
      UNION ALL
      -- The hold of a settlement may be only in a node's memory, so its receipt names the account.
      SELECT b.c->4->>1 WHERE b.c->>0 = 'settle'
    ) AS a (id) WHERE a.id IS NOT NULL;
  PERFORM books_lock(accounts);
  SELECT COALESCE(array_agg(epoch), '{}') INTO live FROM node WHERE lease_until_ms > books_now_ms();
  SELECT COALESCE(array_agg(twice.id), '{}') INTO repeated FROM (
    SELECT m.id FROM jsonb_array_elements(batch) AS b (c) CROSS JOIN LATERAL (VALUES
      (CASE b.c->>0 WHEN 'order' THEN b.c->>2 ELSE b.c->>1 END),
      (CASE b.c->>0 WHEN 'order' THEN b.c->>12 WHEN 'extend' THEN b.c->>2 END)
    ) AS m (id) GROUP BY m.id HAVING COUNT(*) > 1
  ) AS twice;
  replies := books_plain(batch, accounts, repeated, live);
  IF array_position(replies, NULL) IS NOT NULL THEN
    FOR c IN SELECT value FROM jsonb_array_elements(batch) LOOP
      place := place + 1;
      IF replies[place] IS NULL THEN
        is_firm := firm IS NULL
          OR CASE c->>0 WHEN 'order' THEN c->>2 ELSE c->>1 END = ANY (firm);
        -- After a recalled command, later commands wait too, so that they are applied in order.
        IF is_firm OR recalled IS NULL THEN
          replies[place] := books_one(c, accounts, live, is_firm);
          IF replies[place] LIKE '["recalled"%' THEN recalled := replies[place]; END IF;
        ELSE
          replies[place] := recalled;
        END IF;
      END IF;
    END LOOP;
  END IF;
  RETURN '[' || array_to_string(replies, ',') || ']';
END $$;

CREATE OR REPLACE FUNCTION books_one(c JSONB, accounts TEXT[], live TEXT[], is_firm BOOLEAN)
  RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  lacking TEXT := books_lacks(c);
BEGIN
  IF lacking IS NOT NULL AND NOT is_firm THEN
    PERFORM books_recall_locked(ARRAY[lacking]);
    RETURN jsonb_build_array('recalled', lacking);
  END IF;
  CASE c->>0
    WHEN 'hold' THEN RETURN books_hold(c, live);
    WHEN 'settle' THEN RETURN books_settle(c, accounts);
    WHEN 'extend' THEN RETURN books_extend(c, accounts);
    WHEN 'void' THEN RETURN books_void(c, accounts);
    ELSE RETURN books_order(c);
  END CASE;
END $$;

-- Charges or releases expired holds and the holds of dead processes, and ends their assignments.
CREATE OR REPLACE FUNCTION books_reap(most INTEGER, OUT settled INTEGER, OUT voided INTEGER)
LANGUAGE plpgsql AS $$
DECLARE
  now_ms BIGINT := books_now_ms();
  ids TEXT[];
  accounts TEXT[];
  h hold;
  r JSONB;
BEGIN
  settled := 0;
  voided := 0;
  SELECT array_agg(l.id), array_agg(l.account_id) INTO ids, accounts FROM (
    SELECT id, account_id FROM hold WHERE state = 'pending' AND (expires_at_ms <= now_ms
      OR NOT EXISTS (SELECT 1 FROM node n WHERE n.epoch = hold.epoch AND n.lease_until_ms > now_ms))
    LIMIT most
  ) AS l;
  accounts := accounts || ARRAY(
    SELECT DISTINCT account_id FROM assignment a WHERE NOT EXISTS (
      SELECT 1 FROM node n WHERE n.epoch = a.epoch AND n.lease_until_ms > now_ms));
  -- Locks all accounts at once, in the same order as batches do, so that no deadlock is possible.
  PERFORM books_lock(accounts);
  PERFORM books_end_assignments(accounts);
  IF ids IS NULL THEN RETURN; END IF;
  -- Reads the holds again, because another transaction may have resolved some before the lock, or
  -- may have renewed their lease.
  FOR h IN SELECT * FROM hold WHERE id = ANY (ids) AND state = 'pending'
    AND (expires_at_ms <= now_ms OR NOT books_has_lease(epoch)) LOOP
    r := h.checkpoint::JSONB;
    IF h.checkpoint_charge IS NOT NULL AND EXISTS (SELECT 1 FROM card WHERE id = {{r.card_id}})
      AND ({{r.fx_rate_id}} IS NULL OR EXISTS (SELECT 1 FROM fx_rate WHERE id = {{r.fx_rate_id}}))
      THEN
      r := jsonb_set(jsonb_set(r, '{22}', '"node_lost"'), '{20}', '1');
      IF {{r.measure}} IS NOT NULL THEN r := jsonb_set(r, '{37}', '"estimated"'); END IF;
      PERFORM books_settle_pending(h, h.checkpoint_charge, r, now_ms, TRUE);
      PERFORM books_watch(h, h.checkpoint_charge, NULL, now_ms);
      settled := settled + 1;
    ELSE
      PERFORM books_give_back(h, now_ms, TRUE);
      voided := voided + 1;
    END IF;
  END LOOP;
END $$;

-- Takes a lease. Returns false when another node with this name has a live lease.
CREATE OR REPLACE FUNCTION books_join(of_epoch TEXT, of_name TEXT, lease_ms BIGINT) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
DECLARE
  now_ms BIGINT;
BEGIN
  PERFORM pg_advisory_xact_lock(1835491700, 3);
  now_ms := books_now_ms();
  IF EXISTS (SELECT 1 FROM node WHERE name = of_name AND epoch <> of_epoch
    AND lease_until_ms > now_ms)
  THEN RETURN FALSE; END IF;
  INSERT INTO node (epoch, name, joined_at_ms, lease_until_ms)
    VALUES (of_epoch, of_name, now_ms, now_ms + lease_ms)
    ON CONFLICT (epoch) DO UPDATE SET lease_until_ms = excluded.lease_until_ms;
  RETURN TRUE;
END $$;
