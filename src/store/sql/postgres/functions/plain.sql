-- The fast path for nearly all commands: holds that the wallet's own money covers, and settlements
-- within their hold. One statement decides and writes a whole batch of these plain commands. An
-- account's commands are applied here up to the first that is not plain. The reply to each later
-- command of that account is null, and `books_apply` runs those commands one by one.
-- A command is plain when no other command of the batch has its id, no row that is fixed during the
-- batch refuses it, and its wallet covers it after the earlier commands.
-- Commands with amounts above 10^15 are not plain, so that sums over a batch fit in 64 bits.
-- Settlements on another day than the first one's are not plain, so that each meter begins a new
-- period at most once.
-- `accounts`: the locked accounts. `repeated`: ids that occur twice. `live`: epochs with a live
-- lease.
CREATE OR REPLACE FUNCTION books_plain(batch JSONB, accounts TEXT[], repeated TEXT[], live TEXT[])
  RETURNS TEXT[]
LANGUAGE plpgsql AS $$
DECLARE
  today BIGINT := books_day((SELECT (c->>3)::BIGINT FROM jsonb_array_elements(batch) AS c
    WHERE c->>0 = 'settle' LIMIT 1));
  monday BIGINT := books_week(today);
  first BIGINT := books_month(today);
  replies TEXT[];
  places BIGINT[];
BEGIN
  WITH command AS MATERIALIZED (
    SELECT n, c, c->>0 AS kind, c->>0 = 'hold' AS is_hold, c->>0 = 'settle' AS is_settle,
      CASE c->>0 WHEN 'extend' THEN c->>2 ELSE c->>1 END AS id,
      CASE c->>0 WHEN 'hold' THEN c->>2 WHEN 'void' THEN c->>2 WHEN 'order' THEN
        COALESCE(c->>8, (SELECT account_id FROM receipt WHERE request_id = c->>12)) END AS named,
      CASE c->>0 WHEN 'hold' THEN c->>5 WHEN 'settle' THEN c->>2 END::BIGINT AS amount,
      CASE c->>0 WHEN 'hold' THEN c->>8 WHEN 'settle' THEN c->>3 END::BIGINT AS at,
      CASE c->>0 WHEN 'settle' THEN c->4 END AS r,
      CASE c->>0 WHEN 'hold' THEN c->10->>0 END AS exchange_id,
      CASE c->>0 WHEN 'hold' THEN c->11->>0 WHEN 'settle' THEN c->4->>10 END AS price_id
    FROM jsonb_array_elements(batch) WITH ORDINALITY AS b (c, n)
  ),
  -- Each command with the values that decide it. `is_fit`: it is plain if its wallet covers it.
  known AS (
    SELECT k.*, COALESCE(h.account_id, k.named) AS account_id,
      CASE WHEN k.is_hold THEN k.c->>3 ELSE h.key_id END AS key_id, w.currency,
      CASE w.currency WHEN 'USD' THEN 'CNY' ELSE 'USD' END AS other_currency,
      CASE WHEN k.is_settle THEN h.own ELSE 0 END AS own,
      CASE WHEN k.is_settle THEN h.reserve ELSE 0 END AS reserve, h.metered,
      h.amount AS held_amount, h.fx_rate_id AS held_exchange_id,
      w.balance, w.balance - w.held - w.floor AS free, o.balance - o.held - o.floor AS other_free,
      x.scaled, p.base AS price_base, p.scaled AS price_scaled,
      CASE WHEN k.amount > 1000000000000000 OR k.id = ANY (repeated) THEN FALSE
        -- A careful account's holds and settlements are decided one by one.
        WHEN a.careful <> 0 THEN FALSE
        WHEN k.is_hold THEN h.id IS NULL AND a.status = 'active' AND y.id IS NOT NULL
          AND k.c->>7 = ANY (live)
          AND (k.exchange_id IS NULL OR (x.base = k.c->10->>1 AND x.scaled = (k.c->10->>2)::BIGINT
            AND x.quote = w.currency))
          AND (k.price_id IS NULL OR (p.base = k.c->11->>1 AND p.scaled = (k.c->11->>2)::BIGINT
            AND p.quote = w.currency))
          AND e.id IS NULL AND t.id IS NULL
          AND COALESCE(f.cap_day, f.cap_week, f.cap_month, f.cap_total,
            g.cap_day, g.cap_week, g.cap_month, g.cap_total) IS NULL
          AND i.person_id IS NULL
        WHEN k.is_settle THEN h.state = 'pending' AND k.amount <= h.amount
          AND h.account_id = ANY (accounts)
          AND h.account_id = {{k.r.account_id}} AND h.key_id = {{k.r.key_id}}
            AND h.currency = {{k.r.currency}}
          AND h.own <= 1000000000000000 AND h.reserve <= 1000000000000000
          AND d.id IS NOT NULL AND (k.price_id IS NULL OR p.id IS NOT NULL)
          AND k.at >= today * 86400000 AND k.at < (today + 1) * 86400000
        ELSE FALSE END AS is_fit
    FROM command k
    LEFT JOIN hold h ON h.id = k.id
    LEFT JOIN account a ON a.id = COALESCE(h.account_id, k.named)
    LEFT JOIN api_key y ON k.is_hold AND y.id = k.c->>3 AND y.account_id = k.named
      AND y.status = 'active' AND (y.expires_at_ms IS NULL OR y.expires_at_ms > k.at)
    LEFT JOIN spend_meter f ON k.is_hold AND f.owner_id = y.id
    LEFT JOIN spend_meter g ON k.is_hold AND g.owner_id = a.id
    LEFT JOIN member_cap i ON i.account_id = y.account_id AND i.person_id = y.created_by
    LEFT JOIN extension e ON k.is_hold AND e.id = k.id
    LEFT JOIN money_transaction t ON k.is_hold AND t.command_id = k.id
    LEFT JOIN card d ON d.id = {{k.r.card_id}}
    LEFT JOIN fx_rate x ON x.id = COALESCE(h.fx_rate_id, k.exchange_id)
    LEFT JOIN fx_rate p ON p.id = k.price_id
    LEFT JOIN wallet w ON w.account_id = COALESCE(h.account_id, k.named)
      AND w.currency = COALESCE(h.currency, k.c->>4)
    LEFT JOIN wallet o ON o.account_id = w.account_id AND o.currency = x.base
  ),
  -- The change that each command makes to the wallets.
  moving AS (
    SELECT *,
      CASE WHEN is_fit AND is_settle THEN amount ELSE 0 END AS paid,
      CASE WHEN is_fit THEN CASE currency WHEN 'USD' THEN own - amount ELSE reserve END
        ELSE 0 END AS usd,
      CASE WHEN is_fit THEN CASE currency WHEN 'CNY' THEN own - amount ELSE reserve END
        ELSE 0 END AS cny
    FROM known
  ),
  -- The state of the wallets after each command.
  running AS (
    SELECT *,
      (CASE currency WHEN 'USD' THEN SUM(usd) OVER so_far ELSE SUM(cny) OVER so_far END
        + free)::BIGINT
        AS own_left,
      (CASE currency WHEN 'USD' THEN SUM(cny) OVER so_far ELSE SUM(usd) OVER so_far END
        + other_free)::BIGINT
        AS other_left,
      balance - (CASE currency WHEN 'USD' THEN SUM(paid) FILTER (WHERE currency = 'USD') OVER so_far
        ELSE SUM(paid) FILTER (WHERE currency = 'CNY') OVER so_far END)::BIGINT AS balance_after
    FROM moving WINDOW so_far AS (PARTITION BY account_id ORDER BY n ROWS UNBOUNDED PRECEDING)
  ),
  judged AS (
    SELECT *, bool_and(COALESCE(is_fit AND own_left >= 0, FALSE)) OVER so_far AS is_plain
    FROM running WINDOW so_far AS (PARTITION BY account_id ORDER BY n ROWS UNBOUNDED PRECEDING)
  ),
  decided AS MATERIALIZED (
    SELECT n, c, r, is_plain, is_hold, is_settle, id, account_id, key_id, currency, other_currency,
      amount, paid, own, reserve, metered, exchange_id, price_id, at, balance_after, held_amount,
      held_exchange_id,
      CASE WHEN is_plain THEN books_affordable(own_left, other_left, scaled) END AS available,
      CASE WHEN NOT is_plain THEN NULL
        WHEN is_hold THEN books_divided_up(amount, price_scaled)
        WHEN price_base = 'USD' THEN books_half_even(amount::NUMERIC * 100000000, price_scaled)
        ELSE amount END AS counted
    FROM judged
  ),
  plain AS NOT MATERIALIZED (SELECT * FROM decided WHERE is_plain),
  held AS (
    INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, granted, own,
      reserve,
      reserve_currency, fx_rate_id, price_rate_id, metered, epoch, available_after, created_at_ms,
      expires_at_ms)
    SELECT id, account_id, key_id, currency, amount, (c->>6)::BIGINT, amount, amount, amount, 0,
      c->10->>1, exchange_id, price_id, counted, c->>7, available, at, (c->>9)::BIGINT
    FROM plain WHERE is_hold
  ),
  resolved AS (
    UPDATE hold SET state = 'settled', resolved_at_ms = plain.at, reaped = 0
    FROM plain WHERE plain.is_settle AND hold.id = plain.id
  ),
  charged AS MATERIALIZED (
    -- Numbers the receipts in the order of the commands, so that a wallet's movements are in order.
    SELECT nextval('money_transaction_id_seq') AS place, ordered.* FROM (
      SELECT r, amount, available, at, held_amount, held_exchange_id,
        CASE WHEN amount <> 0 THEN balance_after END AS after
      FROM plain WHERE is_settle ORDER BY n
    ) AS ordered
  ),
  receipts AS (
    INSERT INTO receipt SELECT kept.* FROM charged AS s
      CROSS JOIN LATERAL books_receipt(s.r, s.amount, 0, s.available, s.at, s.place, s.held_amount,
        s.held_exchange_id, 0, 0, s.after, NULL) AS kept
  ),
  wallets AS (
    UPDATE wallet SET balance = wallet.balance - sums.paid, held = wallet.held + sums.held FROM (
      SELECT account_id, part.currency, SUM(part.paid)::BIGINT AS paid,
        SUM(part.held)::BIGINT AS held
      FROM plain CROSS JOIN LATERAL (VALUES
        (plain.currency, plain.paid, CASE WHEN is_hold THEN amount ELSE -own END),
        (plain.other_currency, 0, -reserve)
      ) AS part (currency, paid, held)
      WHERE part.paid <> 0 OR part.held <> 0 GROUP BY account_id, part.currency
    ) AS sums WHERE wallet.account_id = sums.account_id AND wallet.currency = sums.currency
  ),
  meters AS (
    UPDATE spend_meter AS m SET held = m.held + sums.held, total = total + spent,
      in_day = CASE WHEN new_day > day THEN spent ELSE in_day + spent END,
      day = GREATEST(day, new_day),
      in_week = CASE WHEN new_week > week THEN spent ELSE in_week + spent END,
      week = GREATEST(week, new_week),
      in_month = CASE WHEN new_month > month THEN spent ELSE in_month + spent END,
      month = GREATEST(month, new_month)
    FROM (
      -- Sums per key and account. Only a settlement moves a meter to the periods of today.
      SELECT owner.id, SUM(CASE WHEN is_hold THEN counted ELSE -metered END)::BIGINT AS held,
        COALESCE(SUM(counted) FILTER (WHERE is_settle), 0)::BIGINT AS spent,
        CASE WHEN bool_or(is_settle) THEN today END AS new_day,
        CASE WHEN bool_or(is_settle) THEN monday END AS new_week,
        CASE WHEN bool_or(is_settle) THEN first END AS new_month
      FROM plain CROSS JOIN LATERAL (VALUES (key_id), (account_id)) AS owner (id) GROUP BY owner.id
    ) AS sums WHERE m.owner_id = sums.id
  )
  SELECT array_agg(CASE WHEN is_plain THEN books_reply('applied', amount, available, 0) END
    ORDER BY n), (SELECT array_agg(place) FROM charged)
    INTO replies, places FROM decided;
  IF places IS NOT NULL THEN PERFORM books_note_uses(places); END IF;
  RETURN replies;
END $$;
