-- The invariants of the ledger. Each query follows a line with the name of its invariant, and
-- returns the rows that violate it: `subject` is the row, `detail` is the fault. `verify.ts` runs
-- the queries, and checks the invariants that SQL cannot check.

-- law: a wallet's balance is the sum of its movements
SELECT w.account_id || ' ' || w.currency AS subject,
       'balance ' || w.balance || ', movements ' || COALESCE(m.amount, 0) AS detail
FROM wallet w LEFT JOIN (
  SELECT account_id, currency, SUM(amount) AS amount FROM moved GROUP BY account_id, currency
) AS m ON m.account_id = w.account_id AND m.currency = w.currency
WHERE w.balance <> COALESCE(m.amount, 0);

-- law: a wallet's movements are an unbroken chain of balances
SELECT account_id || ' ' || currency || ' movement ' || seq || ' line ' || line AS subject,
       'balance ' || COALESCE(CAST(balance_after AS TEXT), 'none') || ' after ' || amount
         || ' on ' || before AS detail
FROM (
  SELECT m.account_id, m.currency, m.seq, m.line, m.amount, m.balance_after,
         COALESCE(LAG(m.balance_after) OVER (
           PARTITION BY m.account_id, m.currency ORDER BY m.seq, m.line), 0) AS before
  FROM moved m
) AS chain
WHERE balance_after IS NULL OR balance_after <> before + amount;

-- law: each sequence number belongs to one movement
SELECT 'movement ' || t.id AS subject, 'also that of ' || c.request_id AS detail
FROM money_transaction t JOIN charged c ON c.seq = t.id
UNION ALL
SELECT 'movement ' || l.seq, 'also that of ' || r.request_id
FROM late_receipt l JOIN receipt r ON r.seq = l.seq
UNION ALL
SELECT 'movement ' || c.seq, 'also that of archived receipts'
FROM (SELECT DISTINCT seq FROM archived_movement) AS a JOIN charged c ON c.seq = a.seq
UNION ALL
SELECT 'movement ' || t.id, 'also that of archived receipts'
FROM (SELECT DISTINCT seq FROM archived_movement) AS a JOIN money_transaction t ON t.id = a.seq;

-- law: the sums of archived receipts equal the movements that replace them
SELECT currency AS subject, 'off by charge ' || SUM(charge) || ', bought ' || SUM(bought)
  || ', sold ' || SUM(sold) AS detail
FROM (
  SELECT currency, charge, bought, 0 AS sold FROM archived_sum
  UNION ALL
  SELECT CASE currency WHEN 'USD' THEN 'CNY' ELSE 'USD' END, 0, 0, sold FROM archived_sum
  UNION ALL
  SELECT currency, CASE kind WHEN 'exchange' THEN 0 ELSE amount END,
    CASE WHEN kind = 'exchange' AND amount > 0 THEN -amount ELSE 0 END,
    CASE WHEN kind = 'exchange' AND amount < 0 THEN amount ELSE 0 END
  FROM archived_movement
) AS parts GROUP BY currency HAVING SUM(charge) <> 0 OR SUM(bought) <> 0 OR SUM(sold) <> 0;

-- law: the sums of archived receipts equal their usage by day
SELECT currency AS subject, 'off by ' || SUM(requests) || ' requests, charge ' || SUM(charge)
  || ', loss ' || SUM(loss) AS detail
FROM (
  SELECT currency, receipts AS requests, charge, loss FROM archived_sum
  UNION ALL
  SELECT currency, -requests, -charge, -loss FROM archived_day
) AS parts GROUP BY currency HAVING SUM(requests) <> 0 OR SUM(charge) <> 0 OR SUM(loss) <> 0;

-- law: an archived request has no receipt, and is in the sums of its archive
SELECT a.request_id AS subject, 'also settled for ' || r.charge AS detail
FROM archived_request a JOIN receipt r ON r.request_id = a.request_id
UNION ALL
SELECT archive_id, 'off by ' || SUM(n) || ' requests' FROM (
  SELECT archive_id, COUNT(*) AS n FROM archived_request GROUP BY archive_id
  UNION ALL
  SELECT archive_id, -receipts FROM archived_sum
) AS counts GROUP BY archive_id HAVING SUM(n) <> 0;

-- law: no more receipts are archived than the file has
SELECT s.archive_id AS subject, 'archived ' || s.receipts || ' of ' || COALESCE(a.receipts, 0)
  AS detail
FROM (
  SELECT archive_id, SUM(receipts) AS receipts FROM archived_sum GROUP BY archive_id
) AS s LEFT JOIN archive a ON a.id = s.archive_id WHERE s.receipts > COALESCE(a.receipts, 0);

-- law: an entry belongs to a wallet or to an account of the ledger
SELECT e.account_id || ' ' || e.currency || ' transaction ' || e.transaction_id AS subject,
       'no such account' AS detail
FROM entry e LEFT JOIN wallet w ON w.account_id = e.account_id AND w.currency = e.currency
WHERE w.account_id IS NULL
  AND e.account_id NOT IN ('top_up', 'redeem_code', 'card_payment', 'demo', 'goodwill',
    'bonus', 'adjustment',
                           'revenue', 'operator_loss', 'fx:USD', 'fx:CNY');

-- law of stored holds: a wallet's held amount is the sum of its pending holds and assignments
SELECT w.account_id || ' ' || w.currency AS subject,
       'held ' || w.held || ', pending and assigned ' || COALESCE(p.pending, 0) AS detail
FROM wallet w LEFT JOIN (
  SELECT account_id, currency, SUM(part) AS pending FROM (
    SELECT account_id, currency, own AS part FROM hold WHERE state = 'pending'
    UNION ALL
    SELECT account_id, reserve_currency, reserve FROM hold WHERE state = 'pending' AND reserve <> 0
    UNION ALL
    SELECT account_id, currency, amount FROM assignment
  ) AS parts GROUP BY account_id, currency
) AS p ON p.account_id = w.account_id AND p.currency = w.currency
WHERE w.held <> COALESCE(p.pending, 0);

-- law of stored holds: no assignment outlives its lease
-- An assignment may remain for a minute after the end of its lease, because it stays until any node
-- reaps.
SELECT a.account_id || ' ' || a.currency AS subject,
       'assigned ' || a.amount || ' to ' || a.epoch AS detail
FROM assignment a LEFT JOIN node n ON n.epoch = a.epoch
WHERE COALESCE(n.lease_until_ms, 0) + 60000 <= books_now_ms();

-- law of holds in memory: no row has a held amount
SELECT account_id || ' ' || currency AS subject, 'held ' || held AS detail
FROM wallet WHERE held <> 0
UNION ALL
SELECT owner_id, 'held ' || held FROM spend_meter WHERE held <> 0;

-- law of holds in memory: a checkpoint belongs to a request without a receipt
SELECT c.request_id AS subject, 'settled for ' || r.charge AS detail
FROM checkpoint c JOIN receipt r ON r.request_id = c.request_id;

-- law: no wallet is below its floor
SELECT account_id || ' ' || currency AS subject,
       'balance ' || balance || ' - held ' || held || ' < floor ' || floor AS detail
FROM wallet WHERE balance - held < floor;

-- law: a transaction's entries sum to zero in each currency
SELECT 'transaction ' || transaction_id || ' ' || currency AS subject, 'sum '
  || SUM(amount) AS detail
FROM entry GROUP BY transaction_id, currency HAVING SUM(amount) <> 0;

-- law: a request is settled at most once
SELECT request_id AS subject, COUNT(*) || ' receipts' AS detail
FROM receipt GROUP BY request_id HAVING COUNT(*) > 1
UNION ALL
SELECT request_id, COUNT(*) || ' late receipts'
FROM late_receipt GROUP BY request_id HAVING COUNT(*) > 1;

-- law of stored holds: a hold is settled if and only if a receipt states its amount and rate
-- A receipt without a hold is a charge that a node planned in memory.
SELECT h.id AS subject, 'settled without a receipt' AS detail
FROM hold h LEFT JOIN receipt r ON r.request_id = h.id
WHERE h.state = 'settled' AND r.request_id IS NULL
UNION ALL
SELECT r.request_id, 'a receipt on a hold that is ' || h.state
FROM receipt r JOIN hold h ON h.id = r.request_id WHERE h.state <> 'settled'
UNION ALL
SELECT r.request_id, 'held ' || h.amount || ' at the rate ' || COALESCE(h.fx_rate_id, 'none')
  || ', on the receipt ' || r.held || ' at ' || COALESCE(r.exchange_id, 'none')
FROM (
  SELECT request_id, held, exchange_id FROM receipt
  UNION ALL
  SELECT request_id, held, exchange_id FROM late_receipt
) AS r JOIN hold h ON h.id = r.request_id
WHERE r.held <> h.amount OR COALESCE(r.exchange_id, '') <> COALESCE(h.fx_rate_id, '');

-- law: an overrun is a request whose price is above its hold
SELECT r.request_id AS subject, 'price ' || r.price || ', held ' || r.held
  || ', not listed with these amounts' AS detail
FROM (
  SELECT receipt.request_id, receipt.account_id, receipt.held,
    receipt.charge + receipt.loss + COALESCE(l.charge, 0) + COALESCE(l.loss, 0) AS price
  FROM receipt LEFT JOIN late_receipt l ON l.request_id = receipt.request_id
) AS r LEFT JOIN overrun o ON o.request_id = r.request_id AND o.account_id = r.account_id
  AND o.price = r.price AND o.held = r.held
WHERE r.price > r.held AND o.request_id IS NULL
UNION ALL
SELECT o.request_id, 'listed with price ' || o.price || ', held ' || o.held
FROM overrun o LEFT JOIN receipt r ON r.request_id = o.request_id
LEFT JOIN late_receipt l ON l.request_id = o.request_id
WHERE r.request_id IS NULL
   OR r.charge + r.loss + COALESCE(l.charge, 0) + COALESCE(l.loss, 0) <= r.held;

-- law: a late receipt corrects a charge by checkpoint of the same key and currency
SELECT l.request_id AS subject, 'after the outcome ' || r.outcome AS detail
FROM late_receipt l JOIN receipt r ON r.request_id = l.request_id
WHERE r.outcome <> 'node_lost' OR r.account_id <> l.account_id OR r.key_id <> l.key_id
   OR r.currency <> l.currency;

-- law: a receipt's cost is its counts times the rates of its published card
-- A card with terms, or a receipt with facts, is priced by code (see `verify.ts`).
SELECT r.request_id AS subject,
       'cost_pico ' || r.cost_pico || ', by card ' || r.card_id || ' '
         || COALESCE(CAST(r.by_card AS TEXT), 'unpriced') AS detail
FROM (
  SELECT each.request_id, each.cost_pico, each.card_id,
         CASE
           -- A request without tokens or images costs nothing, even without a price on the card.
           WHEN COALESCE(each.image_count, 0) + {{buckets +: each.$}} = 0 THEN 0
           -- A card with token prices counts tokens, also those of images.
           WHEN each.image_count IS NULL OR card.input IS NOT NULL
           -- A bucket without tokens is skipped, because a card of an earlier version has no price
           -- for a bucket that was added later.
           THEN {{buckets +: CASE WHEN each.$ = 0 THEN 0 ELSE each.$ * card.$ END}}
           ELSE each.image_count * card_image.price * 1000
         END AS by_card
  FROM (
    SELECT request_id, cost_pico, card_id, facts, image_count, image_price_key, {{buckets: $}}
    FROM receipt WHERE facts IS NULL OR image_count IS NOT NULL
    UNION ALL
    SELECT request_id, cost_pico, card_id, facts, image_count, image_price_key, {{buckets: $}}
    FROM late_receipt WHERE facts IS NULL OR image_count IS NOT NULL
  ) AS each LEFT JOIN card ON card.id = each.card_id
  LEFT JOIN card_image ON card_image.card_id = each.card_id
                      AND card_image.price_key = each.image_price_key
  WHERE card.terms IS NULL AND (each.facts IS NULL OR card.input IS NULL)
) AS r
WHERE r.by_card IS NULL OR r.by_card <> r.cost_pico;

-- law: a receipt is in its card's currency or, with an exchange rate, in the rate's quote currency
SELECT r.request_id AS subject,
       'card ' || c.currency || ', rate ' || COALESCE(f.base || '/' || f.quote, 'none')
         || ', charged in ' || r.currency AS detail
FROM (
  SELECT request_id, card_id, fx_rate_id, currency FROM receipt
  UNION ALL
  SELECT request_id, card_id, fx_rate_id, currency FROM late_receipt
) AS r JOIN card c ON c.id = r.card_id LEFT JOIN fx_rate f ON f.id = r.fx_rate_id
WHERE COALESCE(f.base, c.currency) <> c.currency OR COALESCE(f.quote, c.currency) <> r.currency;

-- law: the usage of a day is the sum of its receipts
SELECT account_id || ' ' || key_id || ' ' || model || ' ' || channel || ' ' || currency || ' day '
  || day
         AS subject,
       'off by ' || SUM(requests) || ' requests, ' || SUM(incomplete) || ' incomplete, '
         || SUM(tokens)
         || ' tokens, ' || SUM(images) || ' images, charge ' || SUM(charge) || ', loss '
           || SUM(loss)
         || ', metered ' || SUM(metered) AS detail
FROM (
  SELECT account_id, day, key_id, model, channel, currency, requests, incomplete,
         {{buckets: $}},
         {{buckets +: $}} AS tokens, images, charge, loss,
         metered
  FROM usage_by_day
  UNION ALL
  SELECT account_id, day, key_id, model, channel, currency, -requests, -incomplete, {{buckets: -$}},
         -({{buckets +: $}}), -images, -charge, -loss, -metered
  FROM archived_day
  UNION ALL
  SELECT account_id, day, key_id, model, channel, currency, -1, -incomplete, {{buckets: -$}},
         -({{buckets +: $}}), -images, -charge, -loss,
         -- The charge in nano-USD, rounded half to even. Two divisions keep products in 64 bits.
         CASE WHEN scaled IS NULL THEN -charge
              ELSE -(charge / scaled * 100000000 + charge % scaled * 100000000 / scaled
                + CASE WHEN charge % scaled * 100000000 % scaled * 2 > scaled THEN 1
                       WHEN charge % scaled * 100000000 % scaled * 2 = scaled
                       THEN charge % scaled * 100000000 / scaled % 2
                       ELSE 0 END)
         END
  FROM (
    -- A late receipt replaces the counts of its first receipt; the amounts of both are added.
    SELECT r.account_id, r.settled_at_ms / 86400000 AS day, r.key_id, u.model, u.channel,
      r.currency,
           CASE WHEN u.outcome = 'completed' THEN 0 ELSE 1 END AS incomplete, {{buckets: u.$}},
           COALESCE(u.image_count, 0) AS images,
           r.charge + COALESCE(l.charge, 0) AS charge, r.loss + COALESCE(l.loss, 0) AS loss,
             f.scaled
    FROM receipt r LEFT JOIN late_receipt l ON l.request_id = r.request_id
    JOIN (
      SELECT request_id, 0 AS is_late, model, channel, outcome, {{buckets: $}}, image_count,
        fx_rate_id
      FROM receipt
      UNION ALL
      SELECT request_id, 1, model, channel, outcome, {{buckets: $}}, image_count, fx_rate_id
      FROM late_receipt
    ) AS u ON u.request_id = r.request_id
          AND u.is_late = CASE WHEN l.request_id IS NULL THEN 0 ELSE 1 END
    LEFT JOIN fx_rate f ON f.id = u.fx_rate_id AND f.base = 'USD'
  ) AS receipts
) AS parts
GROUP BY account_id, day, key_id, model, channel, currency
HAVING SUM(requests) <> 0 OR SUM(incomplete) <> 0 OR {{buckets OR: SUM($) <> 0}} OR SUM(images) <> 0
    OR SUM(charge) <> 0 OR SUM(loss) <> 0 OR SUM(metered) <> 0;

-- law: the usage of a month is the sum of its days
-- The month is computed by arithmetic with years that begin in March, because the date functions of
-- the two engines differ.
SELECT account_id || ' ' || key_id || ' ' || model || ' ' || channel || ' ' || currency || ' month '
  || month
         AS subject,
       'off by ' || SUM(requests) || ' requests, charge ' || SUM(charge) || ', metered '
         || SUM(metered)
         AS detail
FROM (
  SELECT account_id, month, key_id, model, channel, currency, requests, incomplete, {{buckets: $}},
         images, charge, loss, metered
  FROM usage_by_month
  UNION ALL
  SELECT account_id, day - doy + (153 * ((5 * doy + 2) / 153) + 2) / 5, key_id, model, channel,
         currency, -requests, -incomplete, {{buckets: -$}}, -images, -charge, -loss, -metered
  FROM (
    SELECT by_year.*, doe - 365 * yoe - yoe / 4 + yoe / 100 AS doy
    FROM (
      SELECT by_era.*, (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365 AS yoe
      FROM (SELECT u.*, (day + 719468) % 146097 AS doe FROM usage_by_day u) AS by_era
    ) AS by_year
  ) AS by_day
) AS parts
GROUP BY account_id, month, key_id, model, channel, currency
HAVING SUM(requests) <> 0 OR SUM(incomplete) <> 0 OR {{buckets OR: SUM($) <> 0}} OR SUM(images) <> 0
    OR SUM(charge) <> 0 OR SUM(loss) <> 0 OR SUM(metered) <> 0;

-- law of stored holds: a meter's held amount is the sum of the metered amounts of its pending holds
SELECT m.owner_id AS subject, 'held ' || m.held || ', pending ' || COALESCE(p.pending, 0) AS detail
FROM spend_meter m LEFT JOIN (
  SELECT owner_id, SUM(metered) AS pending FROM (
    SELECT key_id AS owner_id, metered FROM hold WHERE state = 'pending'
    UNION ALL
    SELECT account_id, metered FROM hold WHERE state = 'pending'
  ) AS parts GROUP BY owner_id
) AS p ON p.owner_id = m.owner_id
WHERE m.held <> COALESCE(p.pending, 0);

-- law: a meter's total is the sum of its days
SELECT owner_id AS subject, 'total ' || SUM(total) || ', days ' || SUM(metered) AS detail
FROM (
  SELECT owner_id, total, 0 AS metered FROM spend_meter
  UNION ALL
  SELECT key_id, 0, metered FROM usage_by_day
  UNION ALL
  SELECT account_id, 0, metered FROM usage_by_day
) AS parts GROUP BY owner_id HAVING SUM(total) <> SUM(metered);

-- law: a meter's period counts at least the sum of its days
-- A period may count more: after a clock jumps back, an earlier day's charge counts in it. Days
-- after the current period are left out. Their charges were made while a clock was ahead, before
-- the operator reset the periods.
SELECT owner_id AS subject,
       'day ' || in_day || ' of ' || of_day || ', week ' || in_week || ' of ' || of_week
         || ', month ' || in_month || ' of ' || of_month AS detail
FROM (
  SELECT m.owner_id, m.in_day, m.in_week, m.in_month,
         SUM(CASE WHEN u.day = m.day THEN u.metered ELSE 0 END) AS of_day,
         SUM(CASE WHEN u.day BETWEEN m.week AND m.week + 6 THEN u.metered ELSE 0 END) AS of_week,
         -- The month is checked over its first 28 days, which every month has.
         SUM(CASE WHEN u.day BETWEEN m.month AND m.month + 27 THEN u.metered ELSE 0 END) AS of_month
  FROM spend_meter m JOIN (
    SELECT key_id AS owner_id, day, metered FROM usage_by_day
    UNION ALL
    SELECT account_id, day, metered FROM usage_by_day
  ) AS u ON u.owner_id = m.owner_id
  GROUP BY m.owner_id, m.in_day, m.in_week, m.in_month
) AS windows
WHERE in_day < of_day OR in_week < of_week OR in_month < of_month;

-- law of stored holds: a hold is the granted amount plus its extensions
SELECT h.id AS subject,
       'amount ' || h.amount || ', granted ' || h.granted || ', extended by '
         || COALESCE(x.extended, 0) AS detail
FROM hold h LEFT JOIN (
  SELECT hold_id, SUM(amount) AS extended FROM extension GROUP BY hold_id
) AS x ON x.hold_id = h.id
WHERE h.amount <> h.granted + COALESCE(x.extended, 0);

-- law: a transaction has entries, unless it sets a credit limit
SELECT 'transaction ' || t.id AS subject, t.kind || ' without entries' AS detail
FROM money_transaction t LEFT JOIN entry e ON e.transaction_id = t.id
WHERE e.transaction_id IS NULL AND t.kind <> 'credit_limit';

-- law: refunds never exceed the charge
SELECT f.request_id AS subject,
       'refunded ' || f.refunded || ' of ' || (r.charge + COALESCE(l.charge, 0)) AS detail
FROM (SELECT request_id, SUM(amount) AS refunded FROM refund GROUP BY request_id) AS f
JOIN receipt r ON r.request_id = f.request_id
LEFT JOIN late_receipt l ON l.request_id = f.request_id
WHERE f.refunded > r.charge + COALESCE(l.charge, 0);

-- law: a refund equals the amount that its entries moved from revenue
SELECT 'transaction ' || t.id AS subject,
       'refund ' || COALESCE(CAST(f.amount AS TEXT), 'unknown') || ', revenue '
         || COALESCE(e.amount, 0)
         AS detail
FROM money_transaction t LEFT JOIN refund f ON f.transaction_id = t.id
LEFT JOIN entry e ON e.transaction_id = t.id AND e.account_id = 'revenue'
WHERE t.kind = 'refund' AND (f.amount IS NULL OR COALESCE(e.amount, 0) <> -f.amount);

-- law: a wallet's floor is the last credit limit that was set
SELECT w.account_id || ' ' || w.currency AS subject,
       'floor ' || w.floor || ', credit limit ' || COALESCE(c.amount, 0) AS detail
FROM wallet w LEFT JOIN (
  SELECT account_id, currency, MAX(transaction_id) AS last FROM credit_limit
  GROUP BY account_id, currency
) AS n ON n.account_id = w.account_id AND n.currency = w.currency
LEFT JOIN credit_limit c ON c.transaction_id = n.last
WHERE w.floor <> -COALESCE(c.amount, 0);

-- law: every wallet command is in the audit log
SELECT 'audit log' AS subject, orders.n || ' commands, ' || entries.n || ' entries' AS detail
FROM (SELECT COUNT(*) AS n FROM money_transaction) AS orders
CROSS JOIN (
  SELECT COUNT(*) AS n FROM audit
  WHERE action IN ('wallet.credit', 'wallet.adjust', 'wallet.exchange', 'wallet.refund',
                   'wallet.credit_limit')
) AS entries
WHERE orders.n <> entries.n;
