/** The filters of the request list, kept in the page's URL. */
import { OUTCOMES } from '#api/outcomes.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { CHANNELS, useModels } from '#catalogue/models.ts';
import { outcomeTexts } from '#components/outcome-badge.tsx';
import { FilterBar, FilterChoice, FilterText } from '#components/tables/filter-fields.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useKeyNames } from '#screens/reports/key-names.ts';
import { reportTexts } from '#screens/reports/report-texts.ts';
import type { RequestFilter, RequestSearch } from './request-search.ts';
import { requestTexts } from './request-texts.ts';

export type RequestFiltersProps = {
  readonly search: RequestSearch;
  readonly onCommit: (name: RequestFilter, value: string) => void;
};

export function RequestFilters({ search, onCommit }: RequestFiltersProps) {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const outcomeName = useTexts(outcomeTexts);
  const channelName = useChannelName();
  const keys = useKeyNames();
  const models = useModels().data ?? [];
  const field = (name: RequestFilter) => ({
    value: search[name] ?? '',
    any: words('any'),
    onCommit: (value: string) => onCommit(name, value),
  });
  return (
    <FilterBar>
      <FilterChoice
        label={words('model')}
        choices={models.map(({ id }) => ({ value: id, label: id }))}
        {...field('model')}
      />
      <FilterChoice
        label={words('key')}
        choices={[...keys].map(([value, label]) => ({ value, label }))}
        {...field('key_id')}
      />
      <FilterChoice
        label={words('channel')}
        choices={CHANNELS.map((value) => ({ value, label: channelName(value) }))}
        {...field('channel')}
      />
      <FilterChoice
        label={t('status')}
        choices={[
          { value: 'ok', label: t('ok') },
          { value: 'failed', label: t('anyFailed') },
        ]}
        {...field('status')}
      />
      <FilterChoice
        label={t('outcome')}
        choices={OUTCOMES.map((value) => ({ value, label: outcomeName(value) }))}
        {...field('outcome')}
      />
      <FilterText label={t('min_cost')} placeholder="0.01" {...field('min_cost')} />
      <FilterText label={t('request')} placeholder={t('requestHint')} {...field('request')} />
    </FilterBar>
  );
}
