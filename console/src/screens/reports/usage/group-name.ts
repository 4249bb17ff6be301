/** What a group of the report is called. */

import { useChannelName } from '../../../catalogue/model-facts.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { useKeyNames } from '../key-names.ts';
import type { Grouping } from './usage-search.ts';
import { OTHER } from './usage-series.ts';

const texts = defineTexts('group-name', {
  en: { other: 'Other' },
  zh: { other: '其他' },
});

export function useGroupName(by: Grouping): (group: string) => string {
  const t = useTexts(texts);
  const keys = useKeyNames();
  const channelName = useChannelName();
  return (group) => {
    if (group === OTHER) return t('other');
    if (by === 'key') return keys.get(group) ?? group;
    return by === 'channel' ? channelName(group) : group;
  };
}
