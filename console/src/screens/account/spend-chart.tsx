/** A chart of the daily spend by model, of the account or of one key. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useModelSlots } from '#catalogue/model-colors.ts';
import { Chart } from '#charts/chart.tsx';
import { colorOf } from '#charts/palette.ts';
import { daysUntil, stackOf } from '#charts/stack.ts';
import { moneyUnit } from '#charts/units.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { parseAmount } from '#money/amount.ts';
import { usageByModelQuery } from './usage-queries.ts';

const texts = defineTexts('spend', {
  en: { none: 'No spend in the last {{count}} days' },
  zh: { none: '最近 {{count}} 天没有消费' },
});

const CHART_DAYS = 30;
/**
 * The currency of the chart. Charges in other currencies count with their value in USD at the time
 * of the charge.
 */
const CURRENCY = 'USD';

export type SpendChartProps = {
  readonly title: string;
  /** The key whose spend is shown; omitted for all keys. */
  readonly keyId?: string;
  readonly aside?: ReactNode;
};

export function SpendChart({ title, keyId, aside }: SpendChartProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const navigate = useNavigate();
  const slots = useModelSlots();
  const unit = useMemo(() => moneyUnit(CURRENCY, formats), [formats]);
  const { data: usage, error, refetch } = useQuery(usageByModelQuery(spendDays(), keyId));
  const stack = useMemo(() => {
    if (usage === undefined || slots === undefined) return undefined;
    const pieces = usage.map((row) => ({
      period: row.day ?? '',
      group: row.model ?? '',
      amount: parseAmount(row.cost_usd),
    }));
    return stackOf(pieces, spendDays(), slots);
  }, [usage, slots]);
  if (error !== null && usage === undefined) {
    return <ApiProblem error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Chart
      title={title}
      stack={stack}
      seriesOf={(model) => ({ name: model, color: colorOf(slots, model) })}
      unit={unit}
      bucket="day"
      aside={aside}
      onChoose={(day, model) =>
        void navigate({
          to: '/requests',
          search: {
            ...{ from: day, to: day },
            ...(model === null ? {} : { model }),
            ...(keyId === undefined ? {} : { key_id: keyId }),
          },
        })
      }
      empty={
        <Text c="dimmed" py="xl" ta="center">
          {t('none', { count: CHART_DAYS })}
        </Text>
      }
    />
  );
}

/** The UTC days of the chart, today last. */
const spendDays = (): readonly string[] => daysUntil(Date.now(), CHART_DAYS);
