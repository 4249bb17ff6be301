/** The state of the channels page that is kept in its URL. */
import { choice, flag, searchReader, text } from '#components/search-reader.ts';

export const CHANNEL_TABS = ['health', 'prices', 'upstreams', 'notices'] as const;

/** By default, all routes on the health tab. With `trouble`, only routes with a problem. */
export const channelsSearch = searchReader({
  tab: choice(CHANNEL_TABS),
  find: text,
  trouble: flag,
});
