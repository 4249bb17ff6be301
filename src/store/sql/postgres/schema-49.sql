-- Refuses a second receipt of an archived request. A settlement that waited on a node's disk for
-- more than a year could otherwise charge again.
CREATE OR REPLACE FUNCTION receipt_is_not_archived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM archived_request WHERE request_id = new.request_id) THEN
    RETURN new;
  END IF;
  RAISE EXCEPTION 'The request % was settled before, and its receipt is archived.', new.request_id
    USING ERRCODE = 'MG002';
END $$;
CREATE OR REPLACE TRIGGER receipt_is_not_archived BEFORE INSERT ON receipt
  FOR EACH ROW EXECUTE FUNCTION receipt_is_not_archived();
