-- Applies wallet commands. Each command writes an entry to the audit log.
-- c: ["order", kind, id, amount, atMs, reason, actor, body, account, currency, other side, [rate,
-- base, quote, scaled, sold] of an exchange, request of a refund, {currency: audit detail}]

CREATE OR REPLACE FUNCTION books_order(c JSONB) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  first money_transaction;
BEGIN
  IF books_is_taken(c->>2) THEN
    SELECT * INTO first FROM money_transaction WHERE command_id = c->>2 AND body = c->>7;
    IF NOT FOUND THEN RETURN '["id_reused"]'; END IF;
    RETURN books_reply('already_applied', (c->>3)::BIGINT, first.available_after, 0);
  END IF;
  CASE c->>1
    WHEN 'credit', 'adjust' THEN RETURN books_credit(c);
    WHEN 'exchange' THEN RETURN books_exchange(c);
    WHEN 'refund' THEN RETURN books_refund(c);
    WHEN 'credit_limit' THEN RETURN books_credit_limit(c);
  END CASE;
END $$;

-- Writes the transaction and its audit entry. Returns the transaction's id.
CREATE OR REPLACE FUNCTION books_record(c JSONB, of_account TEXT, of_currency TEXT,
  available BIGINT)
RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  posted BIGINT;
BEGIN
  PERFORM books_audit((c->>4)::BIGINT, c->>6, 'wallet.' || (c->>1), of_account,
    c->13->>of_currency);
  INSERT INTO money_transaction (kind, command_id, reason, available_after, at_ms, body)
    VALUES (c->>1, c->>2, c->>5, available, (c->>4)::BIGINT, c->>7) RETURNING id INTO posted;
  RETURN posted;
END $$;

-- Posts two opposite entries and changes the wallet.
CREATE OR REPLACE FUNCTION books_move(posted BIGINT, at_line INTEGER, of_account TEXT,
  of_currency TEXT,
  of_amount BIGINT, opposite TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  after BIGINT;
BEGIN
  IF of_amount = 0 THEN RETURN; END IF;
  UPDATE wallet SET balance = balance + of_amount
    WHERE account_id = of_account AND currency = of_currency RETURNING balance INTO after;
  INSERT INTO entry (transaction_id, line, account_id, currency, amount, balance_after) VALUES
    (posted, at_line, of_account, of_currency, of_amount, after),
    (posted, at_line + 1, opposite, of_currency, -of_amount, NULL);
END $$;

-- Fails when the wallet would have more than MAX_BALANCE.
CREATE OR REPLACE FUNCTION books_room_for(balance BIGINT, amount BIGINT) RETURNS VOID
LANGUAGE plpgsql AS $$
BEGIN
  IF balance::NUMERIC + amount <= 4000000000000000000 THEN RETURN; END IF;
  RAISE EXCEPTION 'amount must leave the wallet below its limit.' USING ERRCODE = 'MG001';
END $$;

CREATE OR REPLACE FUNCTION books_credit(c JSONB) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  amount BIGINT := (c->>3)::BIGINT;
  w wallet;
  free BIGINT;
BEGIN
  SELECT * INTO w FROM wallet WHERE account_id = c->>8 AND currency = c->>9;
  IF NOT FOUND THEN RETURN '["account_unknown"]'; END IF;
  free := GREATEST(w.balance - w.held - w.floor, 0);
  IF free + amount < 0 THEN RETURN '["balance_too_low","' || free || '"]'; END IF;
  PERFORM books_room_for(w.balance, amount);
  PERFORM books_move(books_record(c, c->>8, c->>9, free + amount), 1, c->>8, c->>9, amount, c->>10);
  RETURN books_reply('applied', amount, free + amount, 0);
END $$;

CREATE OR REPLACE FUNCTION books_exchange(c JSONB) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  amount BIGINT := (c->>3)::BIGINT;
  base TEXT := c->11->>1;
  quote TEXT := c->11->>2;
  sold BIGINT := (c->11->>4)::BIGINT;
  seller wallet;
  buyer wallet;
  free BIGINT;
  available BIGINT;
  posted BIGINT;
BEGIN
  SELECT * INTO seller FROM wallet WHERE account_id = c->>8 AND currency = base;
  IF NOT FOUND THEN RETURN '["account_unknown"]'; END IF;
  PERFORM books_must_be_published(c->11->>0, base, quote, (c->11->>3)::BIGINT);
  free := GREATEST(seller.balance - seller.held - seller.floor, 0);
  IF sold > free THEN
    RETURN '["balance_too_low","' || books_affordable(0, free, (c->11->>3)::BIGINT) || '"]';
  END IF;
  SELECT * INTO STRICT buyer FROM wallet WHERE account_id = c->>8 AND currency = quote;
  PERFORM books_room_for(buyer.balance, amount);
  available := GREATEST(buyer.balance - buyer.held - buyer.floor, 0) + amount;
  posted := books_record(c, c->>8, quote, available);
  PERFORM books_move(posted, 1, c->>8, base, -sold, 'fx:' || base);
  PERFORM books_move(posted, 3, c->>8, quote, amount, 'fx:' || quote);
  RETURN books_reply('applied', amount, available, 0);
END $$;

CREATE OR REPLACE FUNCTION books_refund(c JSONB) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  amount BIGINT := (c->>3)::BIGINT;
  r receipt;
  w wallet;
  unrefunded BIGINT;
  available BIGINT;
  posted BIGINT;
BEGIN
  SELECT * INTO r FROM receipt WHERE request_id = c->>12;
  IF NOT FOUND THEN RETURN '["hold_unknown"]'; END IF;
  unrefunded := r.charge
    + COALESCE((SELECT l.charge FROM late_receipt l WHERE l.request_id = r.request_id), 0)
    - (SELECT COALESCE(SUM(f.amount), 0) FROM refund f WHERE f.request_id = r.request_id);
  IF amount > unrefunded THEN RETURN '["balance_too_low","' || unrefunded || '"]'; END IF;
  SELECT * INTO STRICT w FROM wallet WHERE account_id = r.account_id AND currency = r.currency;
  PERFORM books_room_for(w.balance, amount);
  available := GREATEST(w.balance - w.held - w.floor, 0) + amount;
  posted := books_record(c, r.account_id, r.currency, available);
  PERFORM books_move(posted, 1, r.account_id, r.currency, amount, 'revenue');
  INSERT INTO refund (transaction_id, request_id, amount) VALUES (posted, r.request_id, amount);
  RETURN books_reply('applied', amount, available, 0);
END $$;

CREATE OR REPLACE FUNCTION books_credit_limit(c JSONB) RETURNS TEXT
LANGUAGE plpgsql AS $$
DECLARE
  amount BIGINT := (c->>3)::BIGINT;
  w wallet;
  available BIGINT;
BEGIN
  SELECT * INTO w FROM wallet WHERE account_id = c->>8 AND currency = c->>9;
  IF NOT FOUND THEN RETURN '["account_unknown"]'; END IF;
  available := w.balance - w.held + amount;
  IF available < 0 THEN
    RETURN '["balance_too_low","' || GREATEST(w.balance - w.held - w.floor, 0) || '"]';
  END IF;
  UPDATE wallet SET floor = -amount WHERE account_id = c->>8 AND currency = c->>9;
  INSERT INTO credit_limit (transaction_id, account_id, currency, amount)
    VALUES (books_record(c, c->>8, c->>9, available), c->>8, c->>9, amount);
  RETURN books_reply('applied', amount, available, 0);
END $$;
