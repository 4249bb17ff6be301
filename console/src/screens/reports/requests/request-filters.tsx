/** The filters of the request list, kept in the page's URL. */
import { useChannelName } from '#catalogue/model-facts.tsx';
import { CHANNELS, useModels } from '#catalogue/models.ts';
import { FilterBar, FilterChoice, FilterText } from '#components/tables/filter-fields.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useKeyNames } from '#keys/key-names.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { stateTexts } from '#requests/outcome.ts';
import { reportTexts } from '#screens/reports/report-texts.ts';
import { type RequestFilter, type RequestSearch, STATUSES } from './request-search.ts';
import { requestTexts } from './request-texts.ts';

export type RequestFiltersProps = {
  readonly search: RequestSearch;
  readonly onCommit: (name: RequestFilter, value: string) => void;
};

export function RequestFilters({ search, onCommit }: RequestFiltersProps) {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const stateName = useTexts(stateTexts);
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
      <FilterText label={t('request')} placeholder={t('requestHint')} {...field('request')} />
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
        choices={STATUSES.map((value) => ({
          value,
          label: value === 'failed' ? t('failed') : stateName(value),
        }))}
        {...field('status')}
      />
      <FilterText
        label={t('min_cost')}
        placeholder="0.01"
        check={(cost) => (enteredAmount(cost, { zero: true }) === cost ? null : t('notCost'))}
        {...field('min_cost')}
      />
    </FilterBar>
  );
}
