-- Usage that includes all receipts. In SQLite, a settlement updates both tables at once.
CREATE VIEW usage_by_day AS SELECT * FROM usage_day;
CREATE VIEW usage_by_month AS SELECT * FROM usage_month;
