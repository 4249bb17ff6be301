-- Requests that the reaper would resolve if their process died now.
CREATE VIEW pending_hold AS SELECT id FROM hold WHERE state = 'pending';
