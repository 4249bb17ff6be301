/** The names and colors of the groups in the usage report, such as its models. */
import { useMemo } from 'react';
import { useModelSlots } from '#catalogue/model-colors.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { CHANNELS } from '#catalogue/models.ts';
import type { Series } from '#charts/legend.tsx';
import { colorOf, type Slots, slotsOf } from '#charts/palette.ts';
import { periodFormats } from '#charts/periods.ts';
import { dateLocaleOf } from '#i18n/region.ts';
import { useLanguage } from '#i18n/texts.ts';
import { useKeyNames } from '#keys/key-names.ts';
import type { Grouping } from './usage-search.ts';

export type Groups = {
  /** The groups that have their own color; undefined until loaded. */
  readonly slots: Slots | undefined;
  readonly seriesOf: (group: string) => Series;
};

/**
 * Returns the names and colors of the groups in the usage report.
 * @param ranked the groups, in order of decreasing spend.
 */
export function useGroups(by: Grouping, ranked: readonly string[]): Groups {
  const [language] = useLanguage();
  const keys = useKeyNames();
  const channelName = useChannelName();
  const models = useModelSlots();
  const slots = useMemo(() => {
    const orders = { key: [...keys.keys()], channel: CHANNELS, day: [] };
    return by === 'model' ? models : slotsOf(orders[by], ranked);
  }, [by, models, keys, ranked]);
  const names: Readonly<Record<Grouping, (group: string) => string>> = {
    model: (group) => group,
    key: (group) => keys.get(group) ?? group,
    channel: channelName,
    day: periodFormats(dateLocaleOf(language), 'day').long,
  };
  return {
    slots,
    seriesOf: (group) => ({ name: names[by](group), color: colorOf(slots, group) }),
  };
}
