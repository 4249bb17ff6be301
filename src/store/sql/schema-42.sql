-- Indexes for the costs of images. The first alone answers how many images each price key had in
-- some days. Only receipts with the outcome `node_lost` may be corrected by late receipts, so they
-- have an index of their own. Both engines run this file.
CREATE INDEX receipt_images ON receipt (model, channel, currency, image_price_key, settled_at_ms,
  account_id, image_count, outcome)
  WHERE image_count IS NOT NULL AND outcome <> 'node_lost';
CREATE INDEX receipt_lost ON receipt (settled_at_ms) WHERE outcome = 'node_lost';
