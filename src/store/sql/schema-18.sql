-- Counts of the requests of each channel by hour and by day, for the status page. Both engines run
-- this file. The classes of first_token_N are in `routing/channel-figures.ts`.
CREATE TABLE channel_figures (
  span TEXT NOT NULL CHECK (span IN ('hour', 'day')),
  start_ms INTEGER NOT NULL,
  model TEXT NOT NULL,
  channel TEXT NOT NULL,
  requests INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  generation_ms INTEGER NOT NULL,
  first_token_0 INTEGER NOT NULL,
  first_token_1 INTEGER NOT NULL,
  first_token_2 INTEGER NOT NULL,
  first_token_3 INTEGER NOT NULL,
  first_token_4 INTEGER NOT NULL,
  first_token_5 INTEGER NOT NULL,
  first_token_6 INTEGER NOT NULL,
  first_token_7 INTEGER NOT NULL,
  first_token_8 INTEGER NOT NULL,
  first_token_9 INTEGER NOT NULL,
  first_token_10 INTEGER NOT NULL,
  first_token_11 INTEGER NOT NULL,
  first_token_12 INTEGER NOT NULL,
  first_token_13 INTEGER NOT NULL,
  first_token_14 INTEGER NOT NULL,
  first_token_15 INTEGER NOT NULL,
  PRIMARY KEY (span, start_ms, model, channel)
) STRICT, WITHOUT ROWID;
