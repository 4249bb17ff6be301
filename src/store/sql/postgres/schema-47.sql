-- When autovacuum works on tables that grow or change with each request. Its defaults wait for a part of
-- the rows, which is days of traffic in a table of years. These statements block no reader or writer.

-- Rows that are only added: a step each million rows marks them frozen, so that no later vacuum reads
-- them again, and scans of an index need not read the table. Statistics follow the newest times.
ALTER TABLE receipt SET (autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 1000000, autovacuum_freeze_min_age = 0,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE late_receipt SET (autovacuum_freeze_min_age = 0);
ALTER TABLE entry SET (autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 1000000, autovacuum_freeze_min_age = 0);
ALTER TABLE money_transaction SET (autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 1000000, autovacuum_freeze_min_age = 0);
ALTER TABLE audit SET (autovacuum_freeze_min_age = 0);

-- Rows that are added and deleted as in a queue: dead rows would be read by each look-up of the oldest.
ALTER TABLE uncounted SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE idempotency SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE refusal SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE attempt_failure SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE prompt_record SET (autovacuum_vacuum_scale_factor = 0.02);

-- Rows that most requests change: free space in a page is used again before the table grows.
ALTER TABLE hold SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE wallet SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE spend_meter SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE assignment SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE usage_day SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE usage_month SET (autovacuum_vacuum_scale_factor = 0.02);
