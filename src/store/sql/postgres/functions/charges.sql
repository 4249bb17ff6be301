-- Charges that a node has planned in memory: `NodeCharge` in `postgres-wire.ts`. What a request
-- costs, what of it the wallets pay and what remains to be held is the node's decision, as in
-- `FloatAccount.charge`. These functions write it, in the order of the charges.

-- Writes planned charges and all that they change: receipts, wallets, meters, usage, overruns and
-- careful accounts.
--
-- `of_receipts` is an array of rows of `receipt`, as text. In these, `seq`, `balance_after` and
-- `other_after` are null, because they are decided here. `known` is the number of columns in each
-- row; a node of an earlier version knows fewer. `of_plans` is an array of `books_plan`, one for
-- each receipt. What the plan has `freed` leaves the held amounts of the wallets, so that money
-- that the wallets hold for the node pays for the charge.
--
-- Returns null when all charges were applied. Otherwise it returns a JSON array with a reply for
-- each charge, null for those that were applied. The others changed nothing: `already_applied` for
-- a request with the same receipt and price, `hold_resolved` for one with another receipt, and
-- `epoch_over` when the lease of the plan's epoch has ended, so that the wallets hold nothing for
-- it any more. A request that was charged is never `epoch_over`.
--
-- Fails, and changes nothing, when a charge names an unknown account, card or rate, takes a wallet
-- below its floor, or releases more than it holds.
CREATE OR REPLACE FUNCTION books_charge(of_receipts TEXT, known INTEGER, of_plans TEXT)
  RETURNS TEXT
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  receipts receipt[];
  plans books_plan[] := of_plans::books_plan[];
  replies TEXT[];
BEGIN
  IF known < {{stored receipt}} THEN
    SELECT array_agg((left(r, -1) || repeat(',', {{stored receipt}} - known) || ')')::receipt
      ORDER BY n) INTO receipts
    FROM unnest(of_receipts::TEXT[]) WITH ORDINALITY AS b (r, n);
  ELSE
    receipts := of_receipts::receipt[];
  END IF;
  PERFORM books_lock_charged(receipts);
  IF books_is_plain_charge(receipts, plans) THEN
    PERFORM books_write_charges(receipts, plans);
    RETURN NULL;
  END IF;
  FOR place IN 1 .. cardinality(receipts) LOOP
    replies[place] := books_charge_one(receipts[place], plans[place]);
  END LOOP;
  IF cardinality(array_remove(replies, NULL)) = 0 THEN RETURN NULL; END IF;
  RETURN '[' || array_to_string(replies, ',', 'null') || ']';
END $$;

-- Locks the accounts of receipts. Fails when one does not exist.
CREATE OR REPLACE FUNCTION books_lock_charged(receipts receipt[]) RETURNS VOID
LANGUAGE plpgsql AS $$
DECLARE
  accounts TEXT[] := ARRAY(SELECT DISTINCT account_id FROM unnest(receipts) ORDER BY account_id);
  locked INTEGER;
BEGIN
  PERFORM 1 FROM wallet WHERE account_id = ANY (accounts) AND currency = 'USD'
    ORDER BY account_id FOR NO KEY UPDATE;
  GET DIAGNOSTICS locked = ROW_COUNT;
  IF locked <> cardinality(accounts) THEN
    RAISE EXCEPTION 'a charge names an account that does not exist';
  END IF;
END $$;

-- Whether all charges can be written together: their epochs are live, no request is charged twice
-- or was charged before, and all are of one day, so that meters change windows only once.
CREATE OR REPLACE FUNCTION books_is_plain_charge(receipts receipt[], plans books_plan[])
  RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
DECLARE
  ids TEXT[] := ARRAY(SELECT request_id FROM unnest(receipts));
BEGIN
  RETURN NOT EXISTS (SELECT 1 FROM receipt WHERE request_id = ANY (ids))
    AND (SELECT COUNT(DISTINCT id) FROM unnest(ids) AS each (id)) = cardinality(ids)
    AND (SELECT MIN(settled_at_ms) / 86400000 = MAX(settled_at_ms) / 86400000
      FROM unnest(receipts))
    AND NOT EXISTS (SELECT 1 FROM unnest(plans) AS p WHERE NOT books_is_live(p.epoch));
END $$;

CREATE OR REPLACE FUNCTION books_is_live(of_epoch TEXT) RETURNS BOOLEAN
LANGUAGE sql VOLATILE AS $$
  SELECT EXISTS (SELECT 1 FROM node WHERE epoch = of_epoch AND lease_until_ms > books_now_ms())
$$;

-- Writes one charge. Returns null when it was applied, otherwise the reply.
CREATE OR REPLACE FUNCTION books_charge_one(r receipt, p books_plan) RETURNS TEXT
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM receipt WHERE request_id = r.request_id) THEN
    RETURN books_repeated_settle(r.request_id, r.charge + r.loss, to_jsonb(r));
  END IF;
  IF NOT books_is_live(p.epoch) THEN RETURN '["epoch_over"]'; END IF;
  PERFORM books_write_charges(ARRAY[r], ARRAY[p]);
  RETURN NULL;
END $$;

-- Writes charges of one day, none of which was written before. Fails when a card or a rate does
-- not exist.
CREATE OR REPLACE FUNCTION books_write_charges(receipts receipt[], plans books_plan[])
  RETURNS VOID
LANGUAGE plpgsql AS $$
DECLARE
  has_overrun BOOLEAN;
  has_careful BOOLEAN;
  missing TEXT;
BEGIN
  SELECT CASE WHEN c.id IS NULL THEN 'price card ' || r.card_id
      WHEN r.fx_rate_id IS NOT NULL AND f.id IS NULL THEN 'exchange rate ' || r.fx_rate_id
      ELSE 'exchange rate ' || r.exchange_id END INTO missing
  FROM unnest(receipts) AS r LEFT JOIN card c ON c.id = r.card_id
  LEFT JOIN fx_rate f ON f.id = r.fx_rate_id LEFT JOIN fx_rate x ON x.id = r.exchange_id
  WHERE c.id IS NULL OR (r.fx_rate_id IS NOT NULL AND f.id IS NULL)
    OR (r.exchange_id IS NOT NULL AND x.id IS NULL) LIMIT 1;
  IF missing IS NOT NULL THEN RAISE EXCEPTION '% was never published', missing; END IF;
  WITH planned AS MATERIALIZED (
    -- Numbers the receipts of an account in the order of the charges.
    SELECT nextval('money_transaction_id_seq') AS place, ordered.*,
      ordered.settled_at_ms / 86400000 AS on_day
    FROM (
      SELECT b.*, u.balance AS usd_before, c.balance AS cny_before
      FROM ROWS FROM (unnest(receipts), unnest(plans)) WITH ORDINALITY AS b
      JOIN wallet u ON u.account_id = b.account_id AND u.currency = 'USD'
      JOIN wallet c ON c.account_id = b.account_id AND c.currency = 'CNY'
      ORDER BY b.account_id, b.ordinality
    ) AS ordered
  ),
  moved AS (
    SELECT *,
      (usd_before - SUM(CASE currency WHEN 'USD' THEN charge - bought ELSE sold END)
        OVER so_far)::BIGINT AS usd_after,
      (cny_before - SUM(CASE currency WHEN 'CNY' THEN charge - bought ELSE sold END)
        OVER so_far)::BIGINT AS cny_after
    FROM planned
    WINDOW so_far AS (PARTITION BY account_id ORDER BY place ROWS UNBOUNDED PRECEDING)
  ),
  receipts AS (
    INSERT INTO receipt (seq, balance_after, other_after, {{planned columns}})
    SELECT place,
      CASE WHEN charge <> 0 THEN CASE currency WHEN 'USD' THEN usd_after ELSE cny_after END END,
      CASE WHEN sold <> 0 THEN CASE currency WHEN 'USD' THEN cny_after ELSE usd_after END END,
      {{planned values}}
    FROM moved
  ),
  wallets AS (
    UPDATE wallet SET balance = wallet.balance - sums.paid, held = wallet.held - sums.freed FROM (
      SELECT account_id, part.currency, SUM(part.paid)::BIGINT AS paid,
        SUM(part.freed)::BIGINT AS freed
      FROM planned AS p CROSS JOIN LATERAL (VALUES
        (p.currency, p.charge - p.bought, p.freed),
        (CASE p.currency WHEN 'USD' THEN 'CNY' ELSE 'USD' END, p.sold, p.freed_other)
      ) AS part (currency, paid, freed)
      WHERE part.paid <> 0 OR part.freed <> 0 GROUP BY account_id, part.currency
    ) AS sums WHERE wallet.account_id = sums.account_id AND wallet.currency = sums.currency
  ),
  meters AS (
    UPDATE spend_meter AS m SET total = total + spent,
      in_day = CASE WHEN on_day > day THEN spent ELSE in_day + spent END,
      day = GREATEST(day, on_day),
      in_week = CASE WHEN monday > week THEN spent ELSE in_week + spent END,
      week = GREATEST(week, monday),
      in_month = CASE WHEN first > month THEN spent ELSE in_month + spent END,
      month = GREATEST(month, first)
    FROM (
      SELECT owner.id, on_day, books_week(on_day) AS monday, books_month(on_day) AS first,
        SUM(metered)::BIGINT AS spent
      FROM planned CROSS JOIN LATERAL (VALUES (key_id), (account_id)) AS owner (id)
      GROUP BY owner.id, on_day
    ) AS sums WHERE m.owner_id = sums.id
  ),
  uses AS (
    INSERT INTO usage_day AS u (account_id, day, key_id, model, channel, currency, requests,
      incomplete, {{buckets: $}}, images, charge, loss, metered)
    SELECT account_id, on_day, key_id, model, channel, currency, COUNT(*),
      COUNT(*) FILTER (WHERE outcome <> 'completed'), {{buckets: SUM($)}},
      SUM(COALESCE(image_count, 0)), SUM(charge), SUM(loss), SUM(metered)
    FROM planned GROUP BY account_id, on_day, key_id, model, channel, currency
    ON CONFLICT (account_id, day, key_id, model, channel, currency) DO UPDATE SET
      {{counts: $ = u.$ + excluded.$}}
  )
  SELECT bool_or(charge + loss > held), bool_or(careful IS NOT NULL)
    INTO has_overrun, has_careful FROM planned;
  IF has_overrun THEN
    INSERT INTO overrun (request_id, account_id, held, price, at_ms)
    SELECT request_id, account_id, held, charge + loss, settled_at_ms FROM unnest(receipts)
    WHERE charge + loss > held;
  END IF;
  IF has_careful THEN
    UPDATE account SET careful = last.careful FROM (
      SELECT DISTINCT ON (account_id) account_id, careful
      FROM ROWS FROM (unnest(receipts), unnest(plans)) WITH ORDINALITY AS b
      WHERE careful IS NOT NULL ORDER BY account_id, ordinality DESC
    ) AS last WHERE account.id = last.account_id;
  END IF;
END $$;
