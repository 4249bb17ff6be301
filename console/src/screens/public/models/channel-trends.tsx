/** The last 90 days of each channel of a model: uptime, time to first token, and speed. */
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usePerson } from '#api/session.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Model } from '#catalogue/models.ts';
import { historyQuery } from '#catalogue/status-query.ts';
import { UptimeBars } from '#catalogue/uptime-bars.tsx';
import { Sparkline } from '#charts/sparkline.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './models.module.css';

const texts = defineTexts('channel-trends', {
  en: {
    title: 'Last 90 days',
    days: 'Success rate by day (UTC)',
    firstToken: 'Time to first token, median by day',
    range: '{{least}} – {{most}}',
  },
  zh: {
    title: '最近 90 天',
    days: '每日成功率（UTC）',
    firstToken: '首 token 时间，每日中位数',
    range: '{{least}} – {{most}}',
  },
});

type Trend = {
  readonly channel: string;
  readonly days: readonly (number | null)[];
  readonly first_token_ms?: readonly (number | null)[];
  readonly tokens_per_second?: readonly (number | null)[];
};

export function ChannelTrends({ model }: { readonly model: Model }) {
  const t = useTexts(texts);
  const history = useQuery(historyQuery(usePerson() !== null, model.id));
  const { data } = history;
  return (
    <SectionCard title={t('title')} size="h5" query={history}>
      {data === undefined ? (
        <Skeleton height={120} />
      ) : (
        <Trends channels={data.models[0]?.channels ?? []} from={data.days_from} />
      )}
    </SectionCard>
  );
}

function Trends({
  channels,
  from,
}: {
  readonly channels: readonly Trend[];
  readonly from: string;
}) {
  const t = useTexts(texts);
  const words = useTexts(modelTexts);
  const { duration, count } = useFormats();
  const nameOf = useChannelName();
  const columns: readonly Column<Trend>[] = [
    { name: 'channel', heading: words('channel'), cell: ({ channel }) => nameOf(channel) },
    {
      name: 'days',
      heading: t('days'),
      cell: ({ days }) => (
        <div className={classes['days']}>
          <UptimeBars ratios={days} from={from} unit="day" />
        </div>
      ),
    },
    {
      name: 'first-token',
      heading: t('firstToken'),
      cell: ({ first_token_ms: times = [] }) => <Line values={times} format={duration} />,
    },
    {
      name: 'speed',
      heading: words('speed'),
      show: 'fits',
      cell: ({ tokens_per_second: speeds = [] }) => (
        <Line
          values={speeds}
          format={(speed) => words('tokensPerSecond', { count: count(speed) })}
        />
      ),
    },
  ];
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={channels}
      keyOf={({ channel }) => channel}
    />
  );
}

type LineProps = {
  readonly values: readonly (number | null)[];
  readonly format: (value: number) => string;
};

/** A sparkline of the known values, with the lowest and the highest as text. */
function Line({ values, format }: LineProps) {
  const t = useTexts(texts);
  const known = values.filter((value) => value !== null);
  if (known.length === 0) {
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  }
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const range =
    least === most ? format(least) : t('range', { least: format(least), most: format(most) });
  return (
    <div className={classes['trend']}>
      {known.length < 2 ? null : <Sparkline values={known} text={range} />}
      <Text span variant="caption" aria-hidden={known.length > 1}>
        {range}
      </Text>
    </div>
  );
}
