-- The tail then notes a charge as repeated. A settlement is refused before it comes to this.
CREATE TRIGGER receipt_is_not_archived BEFORE INSERT ON receipt
WHEN EXISTS (SELECT 1 FROM archived_request WHERE request_id = new.request_id) BEGIN
  SELECT RAISE(IGNORE);
END;
