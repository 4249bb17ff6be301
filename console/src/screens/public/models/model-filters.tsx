/** The filters of the model list, kept in the page's URL. */
import { Group, SegmentedControl, Select, VisuallyHidden } from '@mantine/core';
import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useModalityName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Model } from '#catalogue/models.ts';
import { FilterBar, FilterChoice, FilterText } from '#components/tables/filter-fields.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { distinct, KINDS, type ModelSearch, SORTS, VIEWS } from './model-search.ts';

const texts = defineTexts('model-filters', {
  en: {
    search: 'Search',
    searchHint: 'Name, ID or provider',
    kind: 'Type',
    max: 'Max price',
    maxHint: 'USD per 1M input tokens, or per image',
    sort: 'Sort by',
    any: 'Any',
    catalogue: 'Default order',
    price: 'Lowest price',
    context: 'Largest context',
    newest: 'Newest',
    view: 'View',
    cards: 'Cards',
    table: 'Table',
  },
  zh: {
    search: '搜索',
    searchHint: '名称、ID 或供应商',
    kind: '类型',
    max: '最高价格',
    maxHint: '单位：美元 / 百万输入 token，或美元 / 张图片',
    sort: '排序',
    any: '不限',
    catalogue: '默认顺序',
    price: '价格最低',
    context: '上下文最大',
    newest: '最新发布',
    view: '视图',
    cards: '卡片',
    table: '表格',
  },
});

const route = getRouteApi('/open/models');

export function ModelFilters({ models }: { readonly models: readonly Model[] }) {
  const t = useTexts(texts);
  const words = useTexts(modelTexts);
  const modalityName = useModalityName();
  const { field } = useFields();
  return (
    <FilterBar>
      <FilterText label={t('search')} placeholder={t('searchHint')} {...field('q')} />
      <FilterChoice
        label={t('kind')}
        any={t('any')}
        choices={KINDS.map((value) => ({ value, label: words(value) }))}
        {...field('kind')}
      />
      <FilterChoice
        label={words('takes')}
        any={t('any')}
        choices={distinct(models.flatMap((model) => model.input_modalities)).map((value) => ({
          value,
          label: modalityName(value),
        }))}
        {...field('input')}
      />
      <FilterChoice
        label={words('maker')}
        any={t('any')}
        choices={distinct(models.map(({ maker }) => maker)).map((value) => ({
          value,
          label: value,
        }))}
        {...field('maker')}
      />
      <FilterText label={t('max')} placeholder={t('maxHint')} {...field('max')} />
    </FilterBar>
  );
}

/** The fields for the sort order and the layout. */
export function ModelArrangement() {
  const t = useTexts(texts);
  const { search, field } = useFields();
  const { value, onCommit } = field('sort');
  return (
    <Group gap="sm">
      <Select
        aria-label={t('sort')}
        w={190}
        value={value === '' ? CATALOGUE_ORDER : value}
        data={ORDERS.map((each) => ({ value: each, label: t(each) }))}
        allowDeselect={false}
        onChange={(chosen) => onCommit(chosen ?? '')}
      />
      <ViewSwitch view={search.view ?? 'cards'} onChange={field('view').onCommit} />
    </Group>
  );
}

/** The sort order when the URL has none. */
const CATALOGUE_ORDER = 'catalogue';
const ORDERS = [CATALOGUE_ORDER, ...SORTS] as const;

/** Returns a function that gives a field its value and an `onCommit`, which changes the URL. */
function useFields() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const field = (name: keyof ModelSearch) => ({
    value: search[name] ?? '',
    onCommit: (value: string) =>
      void navigate({
        search: { ...search, [name]: value },
        replace: true,
        resetScroll: false,
      }),
  });
  return { search, field };
}

type ViewSwitchProps = {
  readonly view: (typeof VIEWS)[number];
  readonly onChange: (view: string) => void;
};

function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  const t = useTexts(texts);
  const icons = { cards: IconLayoutGrid, table: IconList } as const;
  return (
    <SegmentedControl
      aria-label={t('view')}
      value={view}
      onChange={onChange}
      data={VIEWS.map((value) => {
        const Icon = icons[value];
        return {
          value,
          label: (
            <>
              <Icon size={18} aria-hidden style={{ display: 'block' }} />
              <VisuallyHidden>{t(value)}</VisuallyHidden>
            </>
          ),
        };
      })}
    />
  );
}
