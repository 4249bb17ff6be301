-- Reports a change of a member's cap, as `meter_is_touched` reports a change of the caps in a
-- meter.
CREATE TRIGGER member_cap_is_touched AFTER INSERT OR UPDATE OR DELETE ON member_cap
  FOR EACH ROW EXECUTE FUNCTION books_touch();
