/** The state of the channels page that is kept in its URL. */
import { choice, flag, searchReader, text } from '#components/search-reader.ts';

export const CHANNEL_TABS = ['health', 'prices', 'upstreams', 'notices'] as const;

/** With `trouble`, the health tab shows only routes with a problem, otherwise all routes. */
export const channelsSearch = searchReader({
  tab: choice(CHANNEL_TABS),
  find: text,
  trouble: flag,
});
