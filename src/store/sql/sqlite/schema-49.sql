-- Ignores a second receipt of an archived request. The tail then counts its charge as repeated. A
-- single settlement is refused before it reaches this trigger.
CREATE TRIGGER receipt_is_not_archived BEFORE INSERT ON receipt
WHEN EXISTS (SELECT 1 FROM archived_request WHERE request_id = new.request_id) BEGIN
  SELECT RAISE(IGNORE);
END;
