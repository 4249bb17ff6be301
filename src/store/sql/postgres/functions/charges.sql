-- Writes charges that a node has planned in memory: `NodeCharge` in `postgres-wire.ts`. The node
-- has decided the price, what the wallets pay and what stays held, as in `FloatAccount.charge`.
-- These functions write what the node has decided, in the order of the charges.

-- Writes planned charges and everything that they change: receipts, wallets, meters, usage,
-- overruns and careful accounts.
--
-- `of_receipts` is an array of rows of `receipt`, as text. Their `seq`, `balance_after` and
-- `other_after` are null, because this function computes them. `known` is the number of columns in
-- each row, which is smaller from a node of an earlier version. `of_plans` is an array of
-- `books_plan`, one for each receipt. The amount `freed` of a plan is taken from the epoch's
-- assignment and from the wallet's held amount, so assigned money pays for the charge.
--
-- Returns null when all charges were applied. Otherwise it returns a JSON array with a reply for
-- each charge, null for those that were applied. The others changed nothing: `already_applied` for
-- a request with an equal receipt and price, `hold_resolved` for one with a different receipt, and
-- `epoch_over` when the assignments are below `freed`, because they ended with the epoch's lease.
-- A request that was charged before never gets `epoch_over`.
--
-- Fails, and changes nothing, when a charge names an unknown account, card or rate, takes a wallet
-- below its floor, or releases more than it holds. A batch of several also fails when it has a new
-- request twice or an assignment is below `freed`. The node then sends each half of the batch.
CREATE OR REPLACE FUNCTION books_charge(of_receipts TEXT, known INTEGER, of_plans TEXT)
  RETURNS TEXT
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_material = off
SET enable_memoize = off
SET random_page_cost = 0
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  receipts receipt[];
  plans books_plan[] := of_plans::books_plan[];
  accounts TEXT[];
  ids TEXT[];
  cards TEXT[];
  rates TEXT[];
  is_alike BOOLEAN;
  is_new BOOLEAN;
  is_assigned BOOLEAN;
  replies TEXT[];
BEGIN
  IF known < {{stored receipt}} THEN
    SELECT array_agg((left(r, -1) || repeat(',', {{stored receipt}} - known) || ')')::receipt
      ORDER BY n) INTO receipts
    FROM unnest(of_receipts::TEXT[]) WITH ORDINALITY AS b (r, n);
  ELSE
    receipts := of_receipts::receipt[];
  END IF;
  -- Charges of one day are written together if each moves only one wallet. So each meter begins a
  -- new period at most once.
  SELECT array_agg(account_id), array_agg(request_id), array_agg(card_id),
      array_remove(array_agg(fx_rate_id) || array_agg(exchange_id), NULL),
      bool_and(sold = 0 AND freed_other = 0)
        AND MIN(settled_at_ms) / 86400000 = MAX(settled_at_ms) / 86400000
    INTO accounts, ids, cards, rates, is_alike
    FROM ROWS FROM (unnest(receipts), unnest(plans)) AS b;
  PERFORM 1 FROM wallet WHERE account_id = ANY (accounts) AND currency = 'USD'
    ORDER BY account_id FOR NO KEY UPDATE;
  -- Reads only after taking the lock, so that it sees the rows that earlier transactions have
  -- written.
  SELECT NOT EXISTS (SELECT 1 FROM receipt WHERE request_id = ANY (ids))
      AND NOT EXISTS (SELECT 1 FROM hold WHERE id = ANY (ids))
      AND cards <@ ARRAY(SELECT id FROM card WHERE id = ANY (cards))
      AND rates <@ ARRAY(SELECT id FROM fx_rate WHERE id = ANY (rates)),
    -- A batch of several charges fails if one of them lacks its assignment, which is rare.
    cardinality(receipts) > 1 OR plans[1].freed <= COALESCE((SELECT a.amount FROM assignment a
      WHERE a.account_id = receipts[1].account_id AND a.currency = receipts[1].currency
        AND a.epoch = plans[1].epoch), 0)
    INTO is_new, is_assigned;
  IF is_alike AND is_new AND is_assigned THEN
    PERFORM books_write_charges(receipts, plans);
    RETURN NULL;
  END IF;
  FOR place IN 1 .. cardinality(receipts) LOOP
    replies[place] := books_charge_one(receipts[place], plans[place]);
  END LOOP;
  IF cardinality(array_remove(replies, NULL)) = 0 THEN RETURN NULL; END IF;
  RETURN '[' || array_to_string(replies, ',', 'null') || ']';
END $$;

-- Writes one charge. Returns null when it was applied, otherwise the reply. Fails when a card or a
-- rate does not exist.
CREATE OR REPLACE FUNCTION books_charge_one(r receipt, p books_plan) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  missing TEXT;
BEGIN
  IF EXISTS (SELECT 1 FROM receipt WHERE request_id = r.request_id) THEN
    RETURN books_repeated_settle(r.request_id, r.charge + r.loss, to_jsonb(r));
  END IF;
  -- If the hold was stored as a row before its charge arrived, it must be settled with that row.
  IF EXISTS (SELECT 1 FROM hold WHERE id = r.request_id) OR EXISTS (
    SELECT 1 FROM (VALUES (r.currency, p.freed),
      (CASE r.currency WHEN 'USD' THEN 'CNY' ELSE 'USD' END, p.freed_other)
    ) AS part (currency, freed) LEFT JOIN assignment a ON a.account_id = r.account_id
      AND a.currency = part.currency AND a.epoch = p.epoch
    WHERE part.freed > COALESCE(a.amount, 0)
  ) THEN RETURN '["epoch_over"]'; END IF;
  IF NOT EXISTS (SELECT 1 FROM card WHERE id = r.card_id) THEN
    RAISE EXCEPTION 'price card % was never published', r.card_id;
  END IF;
  SELECT named.id INTO missing FROM (VALUES (r.fx_rate_id), (r.exchange_id)) AS named (id)
    WHERE named.id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM fx_rate f WHERE f.id = named.id);
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'exchange rate % was never published', missing;
  END IF;
  PERFORM books_write_charges(ARRAY[r], ARRAY[p]);
  RETURN NULL;
END $$;

-- Writes charges that were not written before: either a single one, or several of one day, each of
-- which moves only one wallet.
CREATE OR REPLACE FUNCTION books_write_charges(receipts receipt[], plans books_plan[])
  RETURNS VOID
LANGUAGE plpgsql AS $$
DECLARE
  balances BIGINT[];
  other BIGINT;
  has_overrun BOOLEAN;
  has_careful BOOLEAN;
  lacks_money BOOLEAN;
  places BIGINT[];
BEGIN
  WITH planned AS MATERIALIZED (
    SELECT b.ordinality AS n, b.account_id, b.key_id, b.currency, b.charge,
      b.charge - b.bought AS paid, b.epoch, b.freed, b.metered, b.careful,
      b.charge + b.loss > b.held AS is_overrun, b.settled_at_ms / 86400000 AS on_day, w.balance
    FROM ROWS FROM (unnest(receipts), unnest(plans)) WITH ORDINALITY AS b
    JOIN wallet w ON w.account_id = b.account_id AND w.currency = b.currency
  ),
  wallets AS (
    UPDATE wallet SET balance = wallet.balance - sums.paid, held = wallet.held - sums.freed FROM (
      SELECT account_id, currency, SUM(paid)::BIGINT AS paid, SUM(freed)::BIGINT AS freed
      FROM planned GROUP BY account_id, currency
    ) AS sums WHERE wallet.account_id = sums.account_id AND wallet.currency = sums.currency
  ),
  assigned AS (
    UPDATE assignment SET amount = assignment.amount - sums.freed FROM (
      SELECT account_id, currency, epoch, SUM(freed)::BIGINT AS freed, COUNT(*) AS charges
      FROM planned WHERE freed <> 0 GROUP BY account_id, currency, epoch
    ) AS sums WHERE assignment.account_id = sums.account_id
      AND assignment.currency = sums.currency AND assignment.epoch = sums.epoch
      AND assignment.amount >= sums.freed
    RETURNING sums.charges
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
  )
  SELECT array_agg(CASE WHEN charge <> 0 THEN after END ORDER BY n), bool_or(is_overrun),
      bool_or(careful IS NOT NULL),
      COUNT(*) FILTER (WHERE freed <> 0) > COALESCE((SELECT SUM(charges) FROM assigned), 0)
    INTO balances, has_overrun, has_careful, lacks_money
  FROM (
    SELECT *, (balance - SUM(paid) OVER so_far)::BIGINT AS after FROM planned
    WINDOW so_far AS (PARTITION BY account_id, currency ORDER BY n ROWS UNBOUNDED PRECEDING)
  ) AS moved;
  IF cardinality(balances) IS DISTINCT FROM cardinality(receipts) THEN
    RAISE EXCEPTION 'a charge names an account that does not exist';
  END IF;
  IF lacks_money THEN RAISE EXCEPTION 'an assignment lacks what a charge frees'; END IF;
  IF receipts[1].sold <> 0 OR plans[1].freed_other <> 0 THEN
    UPDATE wallet SET balance = balance - receipts[1].sold, held = held - plans[1].freed_other
      WHERE account_id = receipts[1].account_id AND currency <> receipts[1].currency
      RETURNING CASE WHEN receipts[1].sold <> 0 THEN balance END INTO other;
    UPDATE assignment SET amount = amount - plans[1].freed_other
      WHERE account_id = receipts[1].account_id AND currency <> receipts[1].currency
        AND epoch = plans[1].epoch AND plans[1].freed_other <> 0;
  END IF;
  WITH written AS (
    INSERT INTO receipt (seq, balance_after, other_after, {{planned columns}})
    SELECT nextval('money_transaction_id_seq'), after, other, {{planned values}}
    FROM ROWS FROM (unnest(receipts), unnest(balances)) AS b ({{stored columns}}, after)
    RETURNING receipt.seq
  )
  SELECT array_agg(seq) INTO places FROM written;
  PERFORM books_note_uses(places);
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
