-- Serve the costs of images: sums of images by price key over some days, which read no receipt. A late
-- receipt corrects only one with the outcome `node_lost`, so these are found apart. Both engines run
-- this file.
CREATE INDEX receipt_images ON receipt (model, channel, currency, image_price_key, settled_at_ms,
  account_id, image_count, outcome)
  WHERE image_count IS NOT NULL AND outcome <> 'node_lost';
CREATE INDEX receipt_lost ON receipt (settled_at_ms) WHERE outcome = 'node_lost';
