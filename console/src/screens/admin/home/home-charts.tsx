/**
 * Charts of charges by currency and of requests over time. A click on a period in a chart selects
 * this period for the whole page.
 */
import { Card, SimpleGrid, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Chart } from '#charts/chart.tsx';
import { ALL_COLOR, FAILED_COLOR } from '#charts/palette.ts';
import { bucketOf, firstDayOf, lastDayOf, periodsOf } from '#charts/periods.ts';
import { stackOf } from '#charts/stack.ts';
import { countUnit, moneyUnit } from '#charts/units.ts';
import { daysIn } from '#components/range/range.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { homeTexts } from './home-texts.ts';
import { chargePieces, OUTCOMES, requestPieces, type Summary } from './summary.ts';

const route = getRouteApi('/app/admin/home');
const ONE_GROUP = new Map([['', 0]]);
const OUTCOME_SLOTS = new Map(OUTCOMES.map((outcome, slot) => [outcome as string, slot]));

export function HomeCharts({ summary }: { readonly summary: Summary }) {
  const t = useTexts(homeTexts);
  const formats = useFormats();
  const navigate = route.useNavigate();
  const { from, to } = summary;
  const days = useMemo(() => daysIn({ from, to }), [from, to]);
  const requests = useMemo(
    () => stackOf(requestPieces(summary.days, days), periodsOf(days), OUTCOME_SLOTS),
    [summary, days],
  );
  const charges = useMemo(() => {
    const used = summary.books.map(({ currency }) => currency);
    return (used.length === 0 ? ['USD'] : used).map((currency) => ({
      currency,
      unit: moneyUnit(currency, formats),
      stack: stackOf(chargePieces(summary.days, currency, days), periodsOf(days), ONE_GROUP),
    }));
  }, [summary, days, formats]);
  const bucket = bucketOf(days);
  const common = {
    onChoose: (period: string) =>
      void navigate({
        search: { from: firstDayOf(period), to: lastDayOf(period) },
        resetScroll: false,
      }),
    empty: (
      <Text c="dimmed" py="xl" ta="center">
        {t('noRequests')}
      </Text>
    ),
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: charges.length + 1 }} spacing="md">
      {charges.map(({ currency, unit, stack }) => (
        <Card key={currency}>
          <Chart
            {...common}
            {...{ unit, stack, bucket }}
            title={t('charges', { currency })}
            seriesOf={() => ({ name: t('charged'), color: ALL_COLOR })}
            csv={['charges', currency, from, to]}
          />
        </Card>
      ))}
      <Card>
        <Chart
          {...common}
          title={t('requests')}
          stack={requests}
          bucket={bucket}
          unit={countUnit(formats)}
          seriesOf={(outcome) =>
            outcome === 'failed'
              ? { name: t('failed'), color: FAILED_COLOR }
              : { name: t('completed'), color: ALL_COLOR }
          }
          csv={['requests', from, to]}
        />
      </Card>
    </SimpleGrid>
  );
}
