-- The account that sees an alert as its own; null for alerts to the operator. Both engines run this.
ALTER TABLE alert ADD COLUMN for_account TEXT;
CREATE INDEX alert_of_account ON alert (for_account, created_at_ms) WHERE for_account IS NOT NULL;
