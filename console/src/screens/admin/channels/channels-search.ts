/** The state of the channels page that is kept in its URL. */
import { type SearchTexts, searchTexts } from '#screens/admin/search-texts.ts';

export const CHANNEL_TABS = ['health', 'prices', 'upstreams'] as const;
export type ChannelTab = (typeof CHANNEL_TABS)[number];
export type ChannelsSearch = SearchTexts<'find'> & {
  /** The open tab; left out for the health tab. */
  readonly tab?: Exclude<ChannelTab, 'health'>;
  /** Set when only routes with a problem are shown. */
  readonly trouble?: true;
};

export function channelsSearch(search: Readonly<Record<string, unknown>>): ChannelsSearch {
  const tab = search['tab'];
  return {
    ...searchTexts(search, ['find']),
    ...(tab === 'prices' || tab === 'upstreams' ? { tab } : {}),
    ...(search['trouble'] === true ? { trouble: true } : {}),
  };
}
