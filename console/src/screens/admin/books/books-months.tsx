/** Charts of the last year by month: what was charged, what was paid in, and what was lost. */
import { Card, Group, SegmentedControl, SimpleGrid, Stack, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { Chart } from '#charts/chart.tsx';
import { ALL_COLOR } from '#charts/palette.ts';
import { stackOf } from '#charts/stack.ts';
import { moneyUnit } from '#charts/units.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount } from '#money/amount.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { Money } from '#money/money.tsx';
import type { Currency } from './balances.ts';

const texts = defineTexts('books-months', {
  en: {
    title: 'By month',
    currency: 'Currency',
    charged: 'Charged',
    paid: 'Paid in',
    loss: 'Operator loss',
  },
  zh: { title: '按月', currency: '币种', charged: '扣费', paid: '入账', loss: '运营方损失' },
});

const METRICS = ['charged', 'paid', 'loss'] as const;
const ONE_GROUP = new Map([['', 0]]);

const monthsQuery = queryOptions({
  queryKey: ['admin', 'books', 'months'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/books/months', { signal })),
});

export function BooksMonths() {
  const t = useTexts(texts);
  const formats = useFormats();
  const { data, error, refetch } = useQuery(monthsQuery);
  const [currency, setCurrency] = useState<Currency>('USD');
  const unit = useMemo(() => moneyUnit(currency, formats), [currency, formats]);
  const stacks = useMemo(() => {
    const rows = data?.data.filter((row) => row.currency === currency);
    return METRICS.map((metric) => ({
      metric,
      stack:
        rows === undefined
          ? undefined
          : stackOf(
              rows.map((row) => ({
                period: row.month,
                group: '',
                amount: parseAmount(row[metric]),
              })),
              rows.map(({ month }) => month),
              ONE_GROUP,
            ),
    }));
  }, [data, currency]);
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
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        {stacks.map(({ metric, stack }) => (
          <Card key={metric} padding="md">
            <Chart
              title={t(metric)}
              figure={
                stack === undefined ? undefined : (
                  <Money amount={formatExact(stack.sum.total ?? 0n)} currency={currency} />
                )
              }
              stack={stack}
              seriesOf={() => ({ name: t(metric), color: ALL_COLOR })}
              unit={unit}
              bucket="month"
              csv={['ledger', metric, currency]}
            />
          </Card>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
