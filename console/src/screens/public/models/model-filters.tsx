/** The filters of the model list, kept in the page's URL. */
import {
  Chip,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { IconLayoutGrid, IconList, IconSearch } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useModalityName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Model } from '#catalogue/models.ts';
import { FilterChoice, FilterText } from '#components/tables/filter-fields.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import {
  commonTags,
  distinct,
  foundModels,
  isPrice,
  KINDS,
  type ModelSearch,
  SORTS,
  VIEWS,
} from './model-search.ts';

const texts = defineTexts('model-filters', {
  en: {
    search: 'Search',
    searchHint: 'Search models',
    count_one: '{{shown}} model',
    count_other: '{{shown}} models',
    filters: 'Filters',
    takes: 'Input: {{modality}}',
    max: 'Max price',
    notPrice: 'Enter a price in USD such as 2.50, without a symbol.',
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
    searchHint: '搜索模型',
    count_one: '{{shown}} 个模型',
    count_other: '{{shown}} 个模型',
    filters: '筛选',
    takes: '支持{{modality}}输入',
    max: '最高价格',
    notPrice: '请输入美元价格，例如 2.50，不带货币符号。',
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

type ModelFiltersProps = {
  readonly models: readonly Model[];
  /** The number of found models. */
  readonly count: number;
};

/**
 * The filters of the model list. The fields for the maker and the maximum price are shown only if
 * there are many models.
 */
export function ModelFilters({ models, count }: ModelFiltersProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const words = useTexts(modelTexts);
  const modalityName = useModalityName();
  const { search, field } = useFields();
  const [q, setQ] = useState(search.q ?? '');
  const isMany = models.length > FEW_MODELS;
  const kinds = KINDS.filter((kind) => models.some((model) => model.kind === kind));
  const chips = [
    ...(kinds.length > 1 ? kinds : []).map((value) => chip('kind', value, words(value))),
    ...distinct(models.flatMap((model) => model.input_modalities))
      .filter((input) => input !== 'text')
      .map((value) => chip('input', value, t('takes', { modality: modalityName(value) }))),
    ...commonTags(models).map((value) =>
      chip('tag', value, value.charAt(0).toUpperCase() + value.slice(1)),
    ),
  ];
  // Omits a chip that finds the same models as an earlier chip.
  const found = chips.map(({ name, value }) =>
    foundModels(models, { [name]: value })
      .map(({ id }) => id)
      .join(),
  );
  const offered = chips.filter(
    ({ name, value }, at) => found.indexOf(found[at] ?? '') === at || search[name] === value,
  );
  const makers = distinct(models.map(({ maker }) => maker));
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <TextInput
          type="search"
          flex="1 1 240px"
          aria-label={t('search')}
          placeholder={t('searchHint')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={q}
          onChange={({ currentTarget: { value } }) => {
            setQ(value);
            field('q').onCommit(value.trim());
          }}
        />
        {isMany ? (
          <>
            <FilterChoice
              label={words('maker')}
              any={t('any')}
              choices={makers.map((value) => ({ value, label: value }))}
              {...field('maker')}
            />
            <FilterText
              label={t('max')}
              placeholder={t('maxHint')}
              check={(max) => (isPrice(max) ? null : t('notPrice'))}
              {...field('max')}
            />
          </>
        ) : null}
        <Arrangement />
      </Group>
      <Group gap={6} role="group" aria-label={t('filters')}>
        {offered.map(({ name, value, label }) => (
          <Chip
            key={`${name} ${value}`}
            size="xs"
            checked={search[name] === value}
            onChange={(isOn) => field(name).onCommit(isOn ? value : '')}
          >
            {label}
          </Chip>
        ))}
        <Text variant="note" role="status" ml="auto">
          {t('count', { count, shown: formats.count(count) })}
        </Text>
      </Group>
    </Stack>
  );
}

/** With at most this number of models, the search field and the chips are the only filters. */
const FEW_MODELS = 24;

const chip = (name: 'kind' | 'input' | 'tag', value: string, label: string) => ({
  ...{ name, value, label },
});

/** The controls for the sort order and the layout of the list. */
function Arrangement() {
  const t = useTexts(texts);
  const { search, field } = useFields();
  const { value, onCommit } = field('sort');
  return (
    <Group gap="sm" wrap="nowrap" flex={{ base: '1 1 240px', xs: '0 0 auto' }}>
      <Select
        aria-label={t('sort')}
        flex={1}
        maw={{ xs: 190 }}
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

/**
 * Returns the URL's search parameters and a function `field`. For the name of a parameter, `field`
 * returns its value and an `onCommit` that changes it in the URL.
 */
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
