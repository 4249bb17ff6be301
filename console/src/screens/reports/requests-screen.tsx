/** The request log: filters kept in the URL, a histogram, and the cost of each request. */
import { Button, Card, Group, SegmentedControl } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { memo, useCallback, useMemo, useState } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { CHANNELS, useModels } from '#catalogue/models.ts';
import { Chart } from '#charts/chart.tsx';
import { ALL_COLOR, FAILED_COLOR } from '#charts/palette.ts';
import { stackOf } from '#charts/stack.ts';
import { countUnit } from '#charts/units.ts';
import { ButtonLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { type RangeSearch, rangedSearch } from '#components/range/range.ts';
import { RangePicker } from '#components/range/range-picker.tsx';
import {
  FilterBar,
  FilterChoice,
  type FilterChoiceProps,
  FilterText,
} from '#components/tables/filter-fields.tsx';
import { PagedTable } from '#components/tables/paged-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import { useKeyNames } from '#keys/key-names.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { stateTexts } from '#requests/outcome.ts';
import { PromptLogButton, PromptLogNotice } from '#requests/prompt-log.tsx';
import type { RefusalFilter } from '#requests/refusal-query.ts';
import { ReasonChoice, RefusalList } from '#requests/refusals.tsx';
import { RequestTime, useRequestColumns } from '#requests/request-columns.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { reportTexts } from './report-texts.ts';
import { timeOf } from './requests/bar-time.ts';
import {
  anyRequestQuery,
  filterOf,
  type Histogram,
  histogramQuery,
  refusalFilterOf,
  requestsHref,
  requestsQuery,
} from './requests/request-query.ts';
import {
  isFiltered,
  LISTS,
  listOf,
  type RequestFilter,
  type RequestSearch,
  STATUSES,
} from './requests/request-search.ts';
import { RequestSheet } from './requests/request-sheet.tsx';
import { requestTexts } from './requests/request-texts.ts';

const route = getRouteApi('/app/requests');

export function RequestsScreen() {
  const title = useTexts(navigationTexts);
  const navigate = route.useNavigate();
  // Reads the current time only once, so that "last 7 days" means the same days in every render.
  const [nowMs] = useState(() => Date.now());
  const timeZone = useTimeZone();
  const search = rangedSearch(route.useSearch(), nowMs, timeZone);
  const filter = filterOf(search, nowMs, timeZone);
  const histogram = useQuery(histogramQuery(filter, timeZone));
  const change = (values: Readonly<Record<string, unknown>>): void =>
    void navigate({ search: (now) => ({ ...now, ...values }), resetScroll: false });
  const chooseBar = useCallback(
    (from: string, to: string) =>
      void navigate({
        search: (now) => ({ ...now, range: undefined, from, to }),
        resetScroll: false,
      }),
    [navigate],
  );
  const choose = ({ range, from, to }: RangeSearch): void => change({ range, from, to });
  const refused = refusalFilterOf(filter, search.code);
  const list = listOf(search);
  return (
    <Page title={title('requests')} actions={<PromptLogButton />}>
      <PromptLogNotice keyId={null} />
      <Group justify="space-between" align="start" gap="xs">
        <RangePicker {...{ timeZone, nowMs }} range={search} onChange={choose} />
        <ListChoice value={list} onChange={(chosen) => change({ list: chosen })} />
      </Group>
      <RequestFilters
        {...{ search, refused }}
        onCommit={(name, value) => change({ [name]: value })}
      />
      {list === 'refused' ? null : (
        <>
          <RequestHistogram {...{ timeZone }} histogram={histogram.data} onChoose={chooseBar} />
          <BilledRequests filter={filter} />
        </>
      )}
      {list === 'billed' ? null : (
        <RefusalList
          scope="own"
          filter={refused}
          time={({ id, at }) => <RequestTime id={id} at={at} opens="here" />}
        />
      )}
      <RequestSheet id={search.id} onClose={() => change({ id: undefined })} />
    </Page>
  );
}

type ListChoiceProps = {
  readonly value: (typeof LISTS)[number];
  readonly onChange: (list: RequestSearch['list']) => void;
};

/** The choice between billed requests, refused requests, and all requests. */
function ListChoice({ value, onChange }: ListChoiceProps) {
  const t = useTexts(requestTexts);
  return (
    <SegmentedControl
      aria-label={t('which')}
      value={value}
      onChange={(chosen) => onChange(LISTS.find((list) => list === chosen))}
      data={[
        { value: 'billed', label: t('billed') },
        { value: 'refused', label: t('refused') },
        { value: 'all', label: t('both') },
      ]}
    />
  );
}

function BilledRequests({ filter }: { readonly filter: ReturnType<typeof filterOf> }) {
  const { columns, ...list } = useList();
  return (
    <Card>
      <PagedTable
        {...list}
        name="requests"
        columns={columns}
        pages={useInfiniteQuery(requestsQuery(filter))}
        keyOf={({ id }) => id}
        expected={12}
        empty={<NothingFound />}
        download={{ href: requestsHref(filter) }}
        hasViews
      />
    </Card>
  );
}

function useList() {
  const t = useTexts(requestTexts);
  const { time, model, state, cost, tokens, duration, key, ...more } = useRequestColumns('here');
  const { firstToken, channel, cached, notes, code, id } = more;
  const rare = { ...code, show: 'chosen', phone: 'hidden' } as const;
  const columns = [time, model, state, cost, tokens, duration, firstToken, key, channel];
  return { label: t('list'), columns: [...columns, cached, notes, rare, id] };
}

/**
 * Shown when the list of requests is empty. Suggests sending a first request if no filter is set
 * and the account has no requests. Otherwise, suggests clearing the filter or showing a longer
 * time.
 */
function NothingFound() {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isUnfiltered = !isFiltered(search);
  const { data: hasAny = true } = useQuery({ ...anyRequestQuery, enabled: isUnfiltered });
  if (isUnfiltered && !hasAny) {
    return (
      <Empty
        icon={IconListDetails}
        title={t('none')}
        action={<ButtonLink to="/quick-start">{t('quickStart')}</ButtonLink>}
      >
        {t('noneHint')}
      </Empty>
    );
  }
  return (
    <Empty
      icon={IconListDetails}
      title={t('empty')}
      action={
        <Button variant="default" onClick={() => void navigate({ search: { range: '90d' } })}>
          {isUnfiltered ? t('longer') : words('clear')}
        </Button>
      }
    >
      {t('emptyHint')}
    </Empty>
  );
}

type RequestFiltersProps = {
  readonly search: RequestSearch;
  /** The part of the filter that applies to refused requests. */
  readonly refused: RefusalFilter;
  readonly onCommit: (name: RequestFilter | 'code', value: string) => void;
};

/** The filters of the request list, kept in the page's URL. */
function RequestFilters({ search, refused, onCommit }: RequestFiltersProps) {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
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
      {listOf(search) === 'refused' ? (
        <ReasonChoice
          scope="own"
          filter={refused}
          value={search.code ?? ''}
          onCommit={(code) => onCommit('code', code)}
        />
      ) : (
        <BilledFilters field={field} />
      )}
    </FilterBar>
  );
}

type FieldProps = Pick<FilterChoiceProps, 'value' | 'any' | 'onCommit'>;

/** The filter fields that apply only to billed requests. */
function BilledFilters({ field }: { readonly field: (name: RequestFilter) => FieldProps }) {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const stateName = useTexts(stateTexts);
  const channelName = useChannelName();
  return (
    <>
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
    </>
  );
}

const HEIGHT = 88;
/** The position of each request state in the stacked bars of the chart, from bottom to top. */
const COLUMNS = new Map([
  ['completed', 0],
  ['failed', 1],
]);

type RequestHistogramProps = {
  /** The histogram; undefined while loading. */
  readonly histogram: Histogram | undefined;
  /** The time zone in which the days of the histogram begin and end. */
  readonly timeZone: string;
  /**
   * Called with the time range of the chosen bar. The function must be stable, so that an unchanged
   * chart is not rendered again.
   */
  readonly onChoose: (from: string, to: string) => void;
};

/** A histogram of requests over time. Choosing a bar narrows the list to its time. */
const RequestHistogram = memo(function RequestHistogram(props: RequestHistogramProps) {
  const { histogram, timeZone, onChoose } = props;
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const formats = useFormats();
  const stack = useMemo(() => {
    if (histogram === undefined) return undefined;
    const pieces = histogram.data.flatMap(({ at, requests, failed }) => [
      { period: at, group: 'completed', amount: BigInt(requests - failed) },
      { period: at, group: 'failed', amount: BigInt(failed) },
    ]);
    return stackOf(
      pieces,
      histogram.data.map(({ at }) => at),
      COLUMNS,
    );
  }, [histogram]);
  const bucket = histogram?.bucket ?? 'day';
  return (
    <Card component="section" aria-label={t('histogram')} padding="md">
      <Chart
        title={t('histogram')}
        stack={stack}
        seriesOf={(group) =>
          group === 'failed'
            ? { name: words('failed'), color: FAILED_COLOR }
            : { name: t('completed'), color: ALL_COLOR }
        }
        unit={useMemo(() => countUnit(formats), [formats])}
        bucket={bucket}
        heightPx={HEIGHT}
        hasLegend={false}
        timeZone={timeZone}
        onChoose={(at) => {
          if (histogram !== undefined) onChoose(...timeOf(at, histogram));
        }}
      />
    </Card>
  );
});
