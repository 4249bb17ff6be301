-- The laws of the books. Each query finds the rows that break one: what breaks it (subject) and how
-- (detail). All empty: the books are sound. `verify.ts` runs them, and checks with wider integers the
-- two laws on exchange rates, whose products do not fit in 64 bits.

-- law: a wallet's balance is the sum of its entries
SELECT w.account_id || ' ' || w.currency AS subject,
       'balance ' || w.balance || ', entries ' || COALESCE(SUM(e.amount), 0) AS detail
FROM wallet w LEFT JOIN entry e ON e.account_id = w.account_id AND e.currency = w.currency
GROUP BY w.account_id, w.currency, w.balance
HAVING w.balance <> COALESCE(SUM(e.amount), 0);

-- law: a wallet's entries are an unbroken chain of balances
SELECT account_id || ' ' || currency || ' transaction ' || transaction_id || ' line ' || line AS subject,
       'balance ' || COALESCE(CAST(balance_after AS TEXT), 'none') || ' after ' || amount
         || ' on ' || before AS detail
FROM (
  SELECT e.account_id, e.currency, e.transaction_id, e.line, e.amount, e.balance_after,
         COALESCE(LAG(e.balance_after) OVER (
           PARTITION BY e.account_id, e.currency ORDER BY e.transaction_id, e.line), 0) AS before
  FROM entry e JOIN wallet w ON w.account_id = e.account_id AND w.currency = e.currency
) AS chain
WHERE balance_after IS NULL OR balance_after <> before + amount;

-- law: an entry belongs to a wallet or to an account of the books
SELECT e.account_id || ' ' || e.currency || ' transaction ' || e.transaction_id AS subject,
       'no such account' AS detail
FROM entry e LEFT JOIN wallet w ON w.account_id = e.account_id AND w.currency = e.currency
WHERE w.account_id IS NULL
  AND e.account_id NOT IN ('top_up', 'redeem_code', 'card_payment', 'demo', 'goodwill', 'adjustment',
                           'revenue', 'operator_loss', 'fx:USD', 'fx:CNY');

-- law: what a wallet holds is the sum of its pending holds
SELECT w.account_id || ' ' || w.currency AS subject,
       'held ' || w.held || ', pending ' || COALESCE(p.pending, 0) AS detail
FROM wallet w LEFT JOIN (
  SELECT account_id, currency, SUM(part) AS pending FROM (
    SELECT account_id, currency, own AS part FROM hold WHERE state = 'pending'
    UNION ALL
    SELECT account_id, reserve_currency, reserve FROM hold WHERE state = 'pending' AND reserve <> 0
  ) AS parts GROUP BY account_id, currency
) AS p ON p.account_id = w.account_id AND p.currency = w.currency
WHERE w.held <> COALESCE(p.pending, 0);

-- law: no wallet is below its floor
SELECT account_id || ' ' || currency AS subject,
       'balance ' || balance || ' - held ' || held || ' < floor ' || floor AS detail
FROM wallet WHERE balance - held < floor;

-- law: a transaction's entries sum to zero in each currency
SELECT 'transaction ' || transaction_id || ' ' || currency AS subject, 'sum ' || SUM(amount) AS detail
FROM entry GROUP BY transaction_id, currency HAVING SUM(amount) <> 0;

-- law: a request is settled at most once
SELECT command_id AS subject, COUNT(*) || ' settlements' AS detail
FROM money_transaction WHERE kind = 'settle' GROUP BY command_id HAVING COUNT(*) > 1;

-- law: a hold is settled exactly when it has a receipt
SELECT h.id AS subject, 'settled without a receipt' AS detail
FROM hold h LEFT JOIN receipt r ON r.request_id = h.id
WHERE h.state = 'settled' AND r.request_id IS NULL
UNION ALL
SELECT r.request_id, 'a receipt on a hold that is ' || COALESCE(h.state, 'missing')
FROM receipt r LEFT JOIN hold h ON h.id = r.request_id
WHERE h.state IS NULL OR h.state <> 'settled';

-- law: a receipt states what its entries moved
SELECT r.request_id AS subject,
       'charge ' || r.charge || ' loss ' || r.loss || ', revenue ' || COALESCE(m.revenue, 0)
         || ' operator_loss ' || COALESCE(m.lost, 0) AS detail
FROM receipt r LEFT JOIN (
  SELECT t.command_id,
         SUM(CASE WHEN e.account_id = 'revenue' THEN e.amount ELSE 0 END) AS revenue,
         SUM(CASE WHEN e.account_id = 'operator_loss' THEN -e.amount ELSE 0 END) AS lost
  FROM money_transaction t JOIN entry e ON e.transaction_id = t.id
  WHERE t.kind = 'settle' AND e.account_id IN ('revenue', 'operator_loss')
  GROUP BY t.command_id
) AS m ON m.command_id = r.request_id
WHERE COALESCE(m.revenue, 0) <> r.charge + r.loss OR COALESCE(m.lost, 0) <> r.loss;

-- law: a receipt's cost is its counts times the published card
SELECT r.request_id AS subject,
       'cost_pico ' || r.cost_pico || ', by card ' || r.card_id || ' '
         || COALESCE(CAST(r.by_card AS TEXT), 'unpriced') AS detail
FROM (
  SELECT receipt.request_id, receipt.cost_pico, receipt.card_id,
         CASE
           -- Nothing delivered costs nothing, whatever the card prices.
           WHEN COALESCE(receipt.image_count, 0) + receipt.input + receipt.cache_read
              + receipt.cache_write_5m + receipt.cache_write_1h + receipt.output = 0 THEN 0
           WHEN receipt.image_count IS NULL
           THEN receipt.input * card.input + receipt.cache_read * card.cache_read
              + receipt.cache_write_5m * card.cache_write_5m
              + receipt.cache_write_1h * card.cache_write_1h + receipt.output * card.output
           ELSE receipt.image_count * card_image.price * 1000
         END AS by_card
  FROM receipt LEFT JOIN card ON card.id = receipt.card_id
  LEFT JOIN card_image ON card_image.card_id = receipt.card_id
                      AND card_image.price_key = receipt.image_price_key
) AS r
WHERE r.by_card IS NULL OR r.by_card <> r.cost_pico;

-- law: a receipt without exchange rate is in its card's currency, with one in the rate's
SELECT r.request_id AS subject,
       'card ' || c.currency || ', rate ' || COALESCE(f.base || '/' || f.quote, 'none')
         || ', charged in ' || r.currency AS detail
FROM receipt r JOIN card c ON c.id = r.card_id LEFT JOIN fx_rate f ON f.id = r.fx_rate_id
WHERE COALESCE(f.base, c.currency) <> c.currency OR COALESCE(f.quote, c.currency) <> r.currency;

-- law: what was used on a day is the sum of its receipts
SELECT account_id || ' ' || key_id || ' ' || model || ' ' || channel || ' ' || currency || ' day ' || day
         AS subject,
       'off by ' || SUM(requests) || ' requests, ' || SUM(incomplete) || ' incomplete, ' || SUM(tokens)
         || ' tokens, ' || SUM(images) || ' images, charge ' || SUM(charge) || ', loss ' || SUM(loss)
         AS detail
FROM (
  SELECT account_id, day, key_id, model, channel, currency, requests, incomplete,
         input, cache_read, cache_write_5m, cache_write_1h, output,
         input + cache_read + cache_write_5m + cache_write_1h + output AS tokens, images, charge, loss
  FROM usage_day
  UNION ALL
  -- A late receipt stands in the place of the one it corrects, with the money of both.
  SELECT r.account_id, r.settled_at_ms / 86400000, r.key_id, COALESCE(l.model, r.model),
         COALESCE(l.channel, r.channel), r.currency, -1,
         CASE WHEN COALESCE(l.outcome, r.outcome) = 'completed' THEN 0 ELSE -1 END,
         -COALESCE(l.input, r.input), -COALESCE(l.cache_read, r.cache_read),
         -COALESCE(l.cache_write_5m, r.cache_write_5m), -COALESCE(l.cache_write_1h, r.cache_write_1h),
         -COALESCE(l.output, r.output),
         -COALESCE(l.input + l.cache_read + l.cache_write_5m + l.cache_write_1h + l.output,
                   r.input + r.cache_read + r.cache_write_5m + r.cache_write_1h + r.output),
         -COALESCE(CASE WHEN l.request_id IS NULL THEN r.image_count ELSE l.image_count END, 0),
         -(r.charge + COALESCE(l.charge, 0)), -(r.loss + COALESCE(l.loss, 0))
  FROM receipt r LEFT JOIN late_receipt l ON l.request_id = r.request_id
) AS parts
GROUP BY account_id, day, key_id, model, channel, currency
HAVING SUM(requests) <> 0 OR SUM(incomplete) <> 0 OR SUM(input) <> 0 OR SUM(cache_read) <> 0
    OR SUM(cache_write_5m) <> 0 OR SUM(cache_write_1h) <> 0 OR SUM(output) <> 0 OR SUM(images) <> 0
    OR SUM(charge) <> 0 OR SUM(loss) <> 0;
