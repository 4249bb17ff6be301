-- What reports of all accounts at once read by: requests by time, use by day. Both are written at their
-- right edge, so that a settlement touches one page more.
CREATE INDEX receipt_by_time ON receipt (settled_at_ms, request_id);
CREATE INDEX usage_day_by_day ON usage_day (day);
