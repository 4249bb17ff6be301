-- Requests that would still be resolved if their process died now.
CREATE VIEW pending_hold AS SELECT id FROM hold WHERE state = 'pending';
