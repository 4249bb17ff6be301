/** The usage report: totals, charts and a table by group. */
import {
  Alert,
  Group,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
} from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { oneOf } from '#api/lists.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { CHANNELS, useModels } from '#catalogue/models.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { dayRange, presetOf, type RangeSearch } from '#components/range/range.ts';
import { RangePicker } from '#components/range/range-picker.tsx';
import { CardSkeleton } from '#components/section-card.tsx';
import { FilterBar, FilterChoice } from '#components/tables/filter-fields.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useKeyNames } from '#keys/key-names.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { reportTexts } from './report-texts.ts';
import { useGroups } from './usage/group-name.ts';
import { UsageCharts } from './usage/usage-charts.tsx';
import { pairsQuery, type UsageReport, usageQuery } from './usage/usage-query.ts';
import {
  GROUPINGS,
  type Grouping,
  type UsageFilter,
  type UsageSearch,
  usageFilters,
} from './usage/usage-search.ts';
import { METRICS, totalOfAll, totalsByGroup } from './usage/usage-series.ts';
import { UsageTable } from './usage/usage-table.tsx';
import { usageTexts } from './usage/usage-texts.ts';

const route = getRouteApi('/app/usage');
const NO_GROUPS: readonly string[] = [];

export function UsageScreen() {
  const title = useTexts(navigationTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // Reads the current time only once, so that "last 7 days" means the same days in every render.
  const [nowMs] = useState(() => Date.now());
  const range = dayRange(search, nowMs);
  const client = useQueryClient();
  const { by = 'model' } = search;
  const usage = useQuery(usageQuery(client, by, usageFilters(search), range));
  const choose = ({ range: preset, from, to }: RangeSearch): void =>
    void navigate({
      search: { ...search, range: preset, from, to },
      resetScroll: false,
    });
  return (
    <Page title={title('usage')}>
      <Group justify="space-between" align="flex-end">
        <RangePicker
          range={presetOf(search) === null ? range : search}
          timeZone="UTC"
          nowMs={nowMs}
          onChange={choose}
        />
        <GroupingChoices />
      </Group>
      <UsageFilters />
      {usage.error === null ? null : (
        <ApiProblem error={usage.error} onRetry={() => void usage.refetch()} />
      )}
      {usage.data === undefined ? (
        usage.error === null ? (
          <Placeholder />
        ) : null
      ) : (
        <UsageFigures report={usage.data} isOld={usage.isPlaceholderData} />
      )}
    </Page>
  );
}

/**
 * Selects the two dimensions by which the usage report is grouped. The charts use the first
 * dimension, the table uses both.
 */
function GroupingChoices() {
  const t = useTexts(usageTexts);
  const words = useTexts(reportTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { by = 'model', and } = search;
  const others = GROUPINGS.filter((each) => each !== by);
  const choose = (change: Pick<UsageSearch, 'by' | 'and'>): void =>
    void navigate({ search: { ...search, ...change }, resetScroll: false });
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        aria-label={t('by')}
        value={by}
        data={GROUPINGS.map((value) => ({ value, label: words(value) }))}
        onChange={(first) => choose({ by: first, ...(and === first ? { and: undefined } : {}) })}
      />
      <NativeSelect
        aria-label={t('and')}
        value={secondOf(search) ?? ''}
        data={[
          { value: '', label: t('nothing') },
          ...others.map((value) => ({ value, label: t('also', { by: words(value) }) })),
        ]}
        onChange={({ currentTarget: { value } }) => choose({ and: oneOf(GROUPINGS, value) })}
      />
    </Group>
  );
}

/**
 * Returns the second dimension by which the table of the report is grouped. Returns undefined if it
 * is not set, or if it equals the first dimension.
 */
const secondOf = ({ by = 'model', and }: UsageSearch): Grouping | undefined =>
  and === by ? undefined : and;

function UsageFilters() {
  const words = useTexts(reportTexts);
  const channelName = useChannelName();
  const keys = useKeyNames();
  const models = useModels().data ?? [];
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const field = (name: UsageFilter) => ({
    label: words(name),
    any: words('any'),
    value: search[name] ?? '',
    onCommit: (value: string) =>
      void navigate({
        search: { ...search, [name]: value },
        replace: true,
        resetScroll: false,
      }),
  });
  return (
    <FilterBar>
      <FilterChoice
        {...field('model')}
        choices={models.map(({ id }) => ({ value: id, label: id }))}
      />
      <FilterChoice
        {...field('key_id')}
        choices={[...keys].map(([value, label]) => ({ value, label }))}
      />
      <FilterChoice
        {...field('channel')}
        choices={CHANNELS.map((value) => ({ value, label: channelName(value) }))}
      />
      <FilterChoice
        {...field('currency')}
        choices={CURRENCIES.map((value) => ({ value, label: value }))}
      />
    </FilterBar>
  );
}

type UsageFiguresProps = {
  readonly report: UsageReport;
  /** Whether the shown report is outdated, because a new report is loading. */
  readonly isOld: boolean;
};

function UsageFigures({ report, isOld }: UsageFiguresProps) {
  const t = useTexts(usageTexts);
  const search = route.useSearch();
  const filters = usageFilters(search);
  const { by, range } = report;
  const second = secondOf({ ...search, by });
  const pairs = useQuery({
    ...pairsQuery(by, second ?? by, filters, range),
    enabled: second !== undefined,
  });
  const total = useMemo(() => totalOfAll(report.groups), [report]);
  const totals = useMemo(() => totalsByGroup(report.groups, report.by), [report]);
  const ranked = useMemo(() => totals.map(({ group }) => group), [totals]);
  const groups = useGroups(by, ranked);
  const seconds = useGroups(second ?? by, NO_GROUPS);
  const rows = pairs.data?.rows;
  const lines = useMemo(
    () => (rows === undefined ? [] : totalsByGroup(rows, by, second)),
    [rows, by, second],
  );
  const pair = second === undefined ? null : { by: second, groups: seconds };
  if (report.groups.length === 0) return <NothingUsed />;
  return (
    <Stack gap="md" aria-busy={isOld} style={{ opacity: isOld ? 0.6 : 1 }}>
      <UsageCharts {...{ report, filters, total, groups }} />
      {pairs.error === null ? null : <ApiProblem error={pairs.error} />}
      {pair === null || pairs.data?.isWhole !== false ? null : (
        <Alert color="yellow" title={t('tooMany')} />
      )}
      {pair !== null && (rows === undefined || pairs.isPlaceholderData) ? (
        <Skeleton height={240} />
      ) : (
        <UsageTable
          {...{ report, filters, total, groups, and: pair }}
          totals={pair === null ? totals : lines}
        />
      )}
    </Stack>
  );
}

function NothingUsed() {
  const t = useTexts(usageTexts);
  return (
    <Empty
      icon={IconChartBar}
      title={t('empty')}
      action={
        <ButtonLink variant="default" to="/quick-start">
          {t('quickStart')}
        </ButtonLink>
      }
    >
      {t('emptyHint')}
    </Empty>
  );
}

function Placeholder() {
  return (
    <Stack gap="md" aria-busy>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        {METRICS.map((name) => (
          <CardSkeleton key={name} height={324} />
        ))}
      </SimpleGrid>
      <CardSkeleton height={240} />
    </Stack>
  );
}
