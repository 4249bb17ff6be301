-- Sets when autovacuum works on tables that grow or change with each request. By default, it waits
-- until a fraction of the rows has changed, which takes days in a table with the rows of years.
-- These statements block no reader or writer.

-- Tables whose rows are only added: a vacuum after each million rows freezes them, so that no later
-- vacuum reads them again, and index-only scans need not read the table. `receipt` is also analyzed
-- more often, so that its statistics include the newest times.
ALTER TABLE receipt SET (autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 1000000, autovacuum_freeze_min_age = 0,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE late_receipt SET (autovacuum_freeze_min_age = 0);
ALTER TABLE entry SET (autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 1000000, autovacuum_freeze_min_age = 0);
ALTER TABLE money_transaction SET (autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 1000000, autovacuum_freeze_min_age = 0);
ALTER TABLE audit SET (autovacuum_freeze_min_age = 0);

-- Tables whose rows are added and deleted as in a queue: each look-up of the oldest row would read
-- dead rows.
ALTER TABLE uncounted SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE idempotency SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE refusal SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE attempt_failure SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE prompt_record SET (autovacuum_vacuum_scale_factor = 0.02);

-- Tables whose rows most requests change: frequent vacuums free space in the pages before the table
-- grows.
ALTER TABLE hold SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE wallet SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE spend_meter SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE assignment SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE usage_day SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE usage_month SET (autovacuum_vacuum_scale_factor = 0.02);
