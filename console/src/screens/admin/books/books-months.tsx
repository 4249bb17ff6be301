/** The last year by month: revenue, cost if known, profit and payments. */
import { Card, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { Chart } from '#charts/chart.tsx';
import { ALL_COLOR } from '#charts/palette.ts';
import { periodFormats } from '#charts/periods.ts';
import { stackOf } from '#charts/stack.ts';
import { moneyUnit } from '#charts/units.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { NOTHING } from '#components/tables/column.ts';
import { moneyColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { dateLocaleOf } from '#i18n/region.ts';
import { defineTexts, useLanguage, useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount } from '#money/amount.ts';
import { CURRENCIES } from '#money/currencies.ts';
import type { Currency } from './balances.ts';
import { hasCost, isUsed, marginOf, sumOf } from './month-sums.ts';

const texts = defineTexts('books-months', {
  en: {
    title: 'Last 12 months',
    currency: 'Currency',
    month: 'Month',
    revenue: 'Revenue',
    revenueHint: 'Charges for requests, less refunds',
    cost: 'Cost',
    costHint:
      'Calculated at the currently configured costs, without requests whose cost is unknown',
    profit: 'Profit',
    profitHint: 'Without requests whose cost is unknown',
    margin: 'Margin',
    uncosted: 'Cost unknown',
    uncostedHint: 'Requests to models and channels without a configured cost',
    uncostedCount_one: 'Cost and profit exclude {{requests}} request of unknown cost',
    uncostedCount_other: 'Cost and profit exclude {{requests}} requests of unknown cost',
    paid: 'Money paid in',
    loss: 'Operator loss',
    total: 'Total',
  },
  zh: {
    title: '最近 12 个月',
    currency: '币种',
    month: '月份',
    revenue: '收入',
    revenueHint: '请求扣费，减去退款',
    cost: '成本',
    costHint: '按当前配置的成本计算，仅含成本已知的请求',
    profit: '利润',
    profitHint: '仅含成本已知的请求',
    margin: '利润率',
    uncosted: '成本未知',
    uncostedHint: '所属模型与渠道未配置成本的请求数',
    uncostedCount_one: '成本与利润未包含 {{requests}} 次成本未知的请求',
    uncostedCount_other: '成本与利润未包含 {{requests}} 次成本未知的请求',
    paid: '收款',
    loss: '运营方损失',
    total: '合计',
  },
});

type Month = components['schemas']['BooksMonth'];

const CHARTS = ['revenue', 'profit', 'paid'] as const;
const AMOUNTS = ['revenue', 'cost', 'profit', 'paid', 'loss'] as const;
const ONE_GROUP = new Map([['', 0]]);
const HINTS = {
  revenue: 'revenueHint',
  cost: 'costHint',
  profit: 'profitHint',
  paid: null,
  loss: null,
} as const;

const monthsQuery = queryOptions({
  queryKey: ['admin', 'books', 'months'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/books/months', { signal })),
});

export function BooksMonths() {
  const t = useTexts(texts);
  const { data, error, refetch } = useQuery(monthsQuery);
  const [currency, setCurrency] = useState<Currency>('USD');
  const months = useMemo(
    () => data?.data.filter((row) => row.currency === currency),
    [data, currency],
  );
  return (
    <Stack gap="sm" component="section" aria-label={t('title')}>
      <Group justify="space-between">
        <Title order={2} size="h5">
          {t('title')}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('currency')}
          value={currency}
          onChange={setCurrency}
          data={[...CURRENCIES]}
        />
      </Group>
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      <Charts months={months} currency={currency} />
      <Card>
        <MonthTable months={months} currency={currency} />
      </Card>
    </Stack>
  );
}

type MonthsProps = {
  readonly months: readonly Month[] | undefined;
  readonly currency: Currency;
};

function Charts({ months, currency }: MonthsProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const unit = useMemo(() => moneyUnit(currency, formats), [currency, formats]);
  const stacks = useMemo(
    () =>
      CHARTS.map((metric) => {
        const pieces = months?.flatMap((row) => {
          const amount = row[metric];
          return amount === null
            ? []
            : [{ period: row.month, group: '', amount: parseAmount(amount) }];
        });
        const periods = months?.map(({ month }) => month) ?? [];
        return { metric, stack: pieces && stackOf(pieces, periods, ONE_GROUP) };
      }),
    [months],
  );
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
      {stacks.map(({ metric, stack }) => (
        <Card key={metric} padding="md">
          <Chart
            title={t(metric)}
            stack={stack}
            seriesOf={() => ({ name: t(metric), color: ALL_COLOR })}
            unit={unit}
            bucket="month"
            csv={['ledger', metric, currency]}
          />
        </Card>
      ))}
    </SimpleGrid>
  );
}

/** Whether an amount of the months is known. Costs and profits are not if no request has a cost. */
const isKnown = (name: (typeof AMOUNTS)[number], months: readonly Month[]): boolean =>
  (name !== 'cost' && name !== 'profit') || hasCost(months);

/** The months with any activity, newest first. */
function MonthTable({ months, currency }: MonthsProps) {
  const t = useTexts(texts);
  const { count, percent } = useFormats();
  const [language] = useLanguage();
  const { long } = periodFormats(dateLocaleOf(language), 'month');
  const all = months ?? [];
  const share = (margin: number | null) => (margin === null ? '–' : percent(margin));
  const money = (amount: string | null) => (amount === null ? null : { amount, currency });
  const hintOf = (name: (typeof AMOUNTS)[number]) => {
    const hint = HINTS[name];
    return hint === null ? {} : { hint: t(hint) };
  };
  const amounts = AMOUNTS.map(
    (name): Column<Month> =>
      moneyColumn(name, t(name), (row) => (isKnown(name, [row]) ? money(row[name]) : null), {
        ...hintOf(name),
        ...(isKnown(name, all)
          ? { sum: { amount: formatExact(sumOf(all, name)), currency } }
          : { total: NOTHING }),
        ...(name === 'loss' ? { show: 'wide' } : {}),
        ...(name === 'profit' ? { phone: 'amount' } : {}),
      }),
  );
  const uncosted = all.reduce((sum, row) => sum + row.requests_without_cost, 0);
  const [revenue, cost, profit, ...rest] = amounts;
  const columns = [
    {
      name: 'month',
      heading: t('month'),
      value: ({ month }: Month) => month,
      cell: ({ month }: Month) => long(month),
      total: t('total'),
    },
    ...[revenue, cost, profit],
    {
      name: 'margin',
      heading: t('margin'),
      end: true,
      value: ({ margin }: Month) => margin,
      cell: ({ margin }: Month) => share(margin),
      total: share(marginOf(all)),
    },
    {
      name: 'uncosted',
      heading: t('uncosted'),
      hint: t('uncostedHint'),
      end: true,
      value: (row: Month) => row.requests_without_cost,
      cell: (row: Month) => count(row.requests_without_cost),
      total: count(uncosted),
    },
    ...rest,
  ].filter((column) => column !== undefined);
  return (
    <DataTable
      label={t('title')}
      name="admin-months"
      columns={columns}
      rows={months?.filter(isUsed).toReversed()}
      keyOf={({ month }) => month}
      download={{ file: ['ledger', 'months', currency] }}
      summary={
        uncosted === 0 ? undefined : (
          <Text variant="note">
            {t('uncostedCount', { count: uncosted, requests: count(uncosted) })}
          </Text>
        )
      }
    />
  );
}
