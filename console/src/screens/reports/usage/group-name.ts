/** Names the groups of the report. */
import { useChannelName } from '#catalogue/model-facts.tsx';
import { useKeyNames } from '#screens/reports/key-names.ts';
import type { Grouping } from './usage-search.ts';

export function useGroupName(by: Grouping): (group: string) => string {
  const keys = useKeyNames();
  const channelName = useChannelName();
  return (group) => {
    if (by === 'key') return keys.get(group) ?? group;
    return by === 'channel' ? channelName(group) : group;
  };
}
