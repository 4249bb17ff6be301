/** A histogram of requests over time. Choosing a bar narrows the list to its time. */
import { Card } from '@mantine/core';
import { memo, useMemo } from 'react';
import { Chart } from '#charts/chart.tsx';
import { ALL_COLOR, FAILED_COLOR } from '#charts/palette.ts';
import { stackOf } from '#charts/stack.ts';
import { countUnit } from '#charts/units.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { reportTexts } from '#screens/reports/report-texts.ts';
import { timeOf } from './bar-time.ts';
import type { Histogram } from './request-query.ts';
import { requestTexts } from './request-texts.ts';

const HEIGHT = 88;
/** The order of the columns, from below. */
const COLUMNS = new Map([
  ['completed', 0],
  ['failed', 1],
]);

export type RequestHistogramProps = {
  /** The histogram; undefined while loading. */
  readonly histogram: Histogram | undefined;
  /** The time zone of the days. */
  readonly timeZone: string;
  /**
   * Called with the time of the chosen bar. The function must be stable, so that an unchanged chart
   * does not render again.
   */
  readonly onChoose: (from: string, to: string) => void;
};

export const RequestHistogram = memo(function RequestHistogram(props: RequestHistogramProps) {
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
