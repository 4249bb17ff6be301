-- What all nodes have used of the limits of keys and accounts. The table is not durable, so that
-- counting does not wait for the disk. After a crash of the server, or on a promoted standby, it is
-- empty.
CREATE UNLOGGED TABLE limit_use (
  name TEXT PRIMARY KEY,
  -- For a rate limit: the level of its leaky bucket at `at_ms`, in units of 1/60,000
  -- (`leaky-bucket.ts`).
  debt BIGINT NOT NULL DEFAULT 0,
  at_ms BIGINT NOT NULL,
  -- What each epoch reported last, as {"EPOCH": [TURN, COUNT, LIFE]}.
  nodes JSONB NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50);

-- Counts what a node used of limits, and grants the node more where the limits allow it. See
-- `accounts/limits/limit-store.ts`. All nodes lock rows in the order of names.
CREATE FUNCTION books_count_limits(asks TEXT, by_epoch TEXT, turn BIGINT)
  RETURNS TABLE (of_name TEXT, granted BIGINT, level BIGINT)
LANGUAGE plpgsql AS $$
DECLARE
  ask RECORD;
  kept limit_use;
  last JSONB;
  now_ms BIGINT;
  others BIGINT;
BEGIN
  FOR ask IN SELECT it.* FROM jsonb_to_recordset(asks::JSONB) AS it (name TEXT, "limit" BIGINT,
      kind TEXT, used BIGINT, confirmed BIGINT, life BIGINT, want BIGINT, least BIGINT)
    ORDER BY it.name COLLATE "C"
  LOOP
    of_name := ask.name;
    granted := 0;
    level := 0;
    SELECT * INTO kept FROM limit_use u WHERE u.name = ask.name FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO limit_use AS u (name, at_ms) VALUES (ask.name, books_now_ms())
        ON CONFLICT (name) DO UPDATE SET at_ms = u.at_ms RETURNING * INTO kept;
    END IF;
    last := kept.nodes -> by_epoch;
    IF (last ->> 0)::BIGINT >= turn THEN
      RETURN NEXT;
      CONTINUE;
    END IF;
    now_ms := books_now_ms();
    -- The requests that a node runs do not count after its lease has ended.
    SELECT COALESCE(jsonb_object_agg(e.key, e.value), '{}'), COALESCE(SUM((e.value ->> 1)::BIGINT), 0)
      INTO kept.nodes, others
      FROM jsonb_each(kept.nodes) e JOIN node n ON n.epoch = e.key
      WHERE n.lease_until_ms > now_ms AND e.key <> by_epoch;
    IF ask.kind = 'running' THEN
      granted := GREATEST(0, LEAST(ask.want, ask."limit" - others - ask.used));
      level := others + ask.used + granted;
      ask.used := ask.used + granted;
    ELSE
      -- Finds a bucket that is empty by now without a multiplication, which could overflow.
      level := CASE WHEN now_ms - kept.at_ms > kept.debt / ask."limit" THEN 0
        ELSE kept.debt - GREATEST(0, now_ms - kept.at_ms) * ask."limit" END;
      level := GREATEST(0, level + 60000 * (ask.used - CASE
        WHEN (last ->> 2)::BIGINT = ask.life THEN (last ->> 1)::BIGINT ELSE ask.confirmed END));
      granted := LEAST(ask.want, GREATEST(0, ask."limit" - (level + 59999) / 60000));
      IF granted < ask.least THEN granted := 0; END IF;
      level := level + granted * 60000;
      kept.debt := level;
    END IF;
    UPDATE limit_use u SET debt = kept.debt, at_ms = now_ms,
      nodes = kept.nodes || jsonb_build_object(by_epoch, jsonb_build_array(turn, ask.used, ask.life))
      WHERE u.name = ask.name;
    RETURN NEXT;
  END LOOP;
END
$$;
