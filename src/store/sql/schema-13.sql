-- Views of the movements of wallets, in the order of writing. Both engines run this file after
-- their own `schema-13.sql`.

-- These indexes serve the statements of an account.
CREATE INDEX entry_of_account ON entry (account_id, transaction_id);
CREATE INDEX receipt_in_order ON receipt (account_id, seq);
CREATE INDEX receipt_exchanged ON receipt (account_id, seq) WHERE bought <> 0;
CREATE INDEX late_receipt_in_order ON late_receipt (account_id, seq);

-- The movements of requests: receipts, and late receipts, whose amounts are differences.
CREATE VIEW charged AS
SELECT seq, 'settle' AS kind, request_id, account_id, currency,
  CASE currency WHEN 'USD' THEN 'CNY' ELSE 'USD' END AS other_currency, charge, loss, bought, sold
FROM receipt
UNION ALL
SELECT seq, 'late', request_id, account_id, currency,
  CASE currency WHEN 'USD' THEN 'CNY' ELSE 'USD' END, charge, loss, bought, sold
FROM late_receipt;

-- Every change of a wallet: one row for each, with the ledger's account on the other side. Of a
-- charge, line 1 is the amount that the other wallet sold, line 3 the amount bought, line 5 the
-- amount paid. The rate of an exchange is `rate_id`, or at the end of `body`. INDEXED BY and CROSS
-- JOIN make SQLite read only the rows of the account, whatever its statistics say.
CREATE VIEW movement AS
SELECT account_id, seq, 5 AS line, currency, -charge AS amount, balance_after,
  'revenue' AS opposite, 'settle' AS kind, request_id AS command_id, settled_at_ms AS at_ms,
  NULL AS reason, request_id, NULL AS rate_id, NULL AS body
FROM receipt INDEXED BY receipt_in_order WHERE charge <> 0
UNION ALL
SELECT account_id, seq, 3, currency, bought, balance_after + charge, 'fx:' || currency, 'exchange',
  request_id, settled_at_ms, NULL, request_id, exchange_id, NULL
FROM receipt INDEXED BY receipt_exchanged WHERE bought <> 0
UNION ALL
SELECT account_id, seq, 1, CASE currency WHEN 'USD' THEN 'CNY' ELSE 'USD' END, -sold, other_after,
  CASE currency WHEN 'USD' THEN 'fx:CNY' ELSE 'fx:USD' END, 'exchange',
  request_id, settled_at_ms, NULL, request_id, exchange_id, NULL
FROM receipt INDEXED BY receipt_exchanged WHERE bought <> 0 AND sold <> 0
UNION ALL
SELECT account_id, seq, 5, currency, -charge, balance_after, 'revenue', 'late',
  'late:' || request_id, settled_at_ms, NULL, request_id, NULL, NULL
FROM late_receipt INDEXED BY late_receipt_in_order WHERE charge <> 0
UNION ALL
SELECT account_id, seq, 3, currency, bought, balance_after + charge, 'fx:' || currency, 'exchange',
  'late:' || request_id, settled_at_ms, NULL, request_id, exchange_id, NULL
FROM late_receipt INDEXED BY late_receipt_in_order WHERE bought <> 0
UNION ALL
SELECT account_id, seq, 1, CASE currency WHEN 'USD' THEN 'CNY' ELSE 'USD' END, -sold, other_after,
  CASE currency WHEN 'USD' THEN 'fx:CNY' ELSE 'fx:USD' END, 'exchange',
  'late:' || request_id, settled_at_ms, NULL, request_id, exchange_id, NULL
FROM late_receipt INDEXED BY late_receipt_in_order WHERE bought <> 0 AND sold <> 0
UNION ALL
SELECT e.account_id, e.transaction_id, e.line, e.currency, e.amount, e.balance_after, o.account_id,
  t.kind, t.command_id, t.at_ms, t.reason, f.request_id, NULL, t.body
FROM entry e INDEXED BY entry_of_account CROSS JOIN money_transaction t
LEFT JOIN entry o ON o.transaction_id = e.transaction_id AND o.line = e.line + 1
LEFT JOIN refund f ON f.transaction_id = e.transaction_id
WHERE t.id = e.transaction_id AND e.line % 2 = 1;
