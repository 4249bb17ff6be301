/** A chart of a daily metric, stacked by group. */
import { Card } from '@mantine/core';
import type { UsageRow } from '#api/usage.ts';
import { stackOf } from '#charts/stack.ts';
import { StackedBars } from '#charts/stacked-bars.tsx';
import { csvName } from '#components/tables/csv.ts';
import { type Formats, useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, formatShort, withCurrency } from '#money/amount.ts';
import { reportTexts } from '#screens/reports/report-texts.ts';
import type { Grouping } from './usage-search.ts';
import { heightOf, MAX_SERIES, type Metric, piecesOf } from './usage-series.ts';
import { usageTexts } from './usage-texts.ts';

export type UsageChartProps = {
  readonly metric: Metric;
  readonly rows: readonly UsageRow[];
  readonly days: readonly string[];
  readonly by: Grouping;
  readonly nameOf: (group: string) => string;
};

export function UsageChart({ metric, rows, days, by, nameOf }: UsageChartProps) {
  const t = useTexts(usageTexts);
  const words = useTexts(reportTexts);
  const formats = useFormats();
  const isMoney = metric === 'spend';
  // Every chart ranks the groups by spend, so that a group always has the same color.
  const ranked = piecesOf(rows, by, 'spend');
  return (
    <Card>
      <StackedBars
        title={t(`${metric}Chart`)}
        {...(isMoney ? { hint: t('spendHint') } : {})}
        stack={stackOf(piecesOf(rows, by, metric), days, MAX_SERIES, ranked)}
        nameOf={nameOf}
        periodName={words('day')}
        shortPeriod={(day) => day.slice(5)}
        longPeriod={(day) => day}
        height={(amount) => heightOf(amount, metric)}
        axis={(height) =>
          isMoney ? withCurrency(dollars(height, formats), 'USD') : formats.compact(height)
        }
        format={(amount) =>
          isMoney ? withCurrency(formatShort(amount), 'USD') : formats.count(Number(amount))
        }
        csv={{
          name: csvName('usage', metric, days[0] ?? '', days.at(-1) ?? ''),
          cell: (amount) => (isMoney ? formatExact(amount) : amount.toString()),
        }}
      />
    </Card>
  );
}

/** Formats an axis value. Below 1, two significant digits distinguish adjacent marks. */
const dollars = (value: number, { compact }: Formats): string =>
  value === 0 || value >= 1 ? compact(value) : String(Number(value.toPrecision(2)));
