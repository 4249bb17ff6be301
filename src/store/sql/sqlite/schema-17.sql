-- Wallets as their owners see them: unchanged, because only PostgreSQL assigns money to processes.
CREATE VIEW wallet_in_use AS SELECT account_id, currency, balance, floor, held FROM wallet;
