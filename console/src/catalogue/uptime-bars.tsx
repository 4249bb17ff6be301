/** The success rates of hours or days as a row of bars. A chart cursor selects a bar. */
import { Cursor, type Selected } from '#charts/cursor.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { averageOf, type Ratio, spansOf } from './uptime.ts';
import classes from './uptime-bars.module.css';

const texts = defineTexts('uptime-bars', {
  en: {
    span: '{{from}}: {{ratio}} of requests succeeded',
    noData: '{{from}}: no data',
    average: '{{ratio}} success rate',
    nothing: 'No data',
  },
  zh: {
    span: '{{from}}：{{ratio}} 的请求成功',
    noData: '{{from}}：暂无数据',
    average: '成功率 {{ratio}}',
    nothing: '暂无数据',
  },
});

export type UptimeBarsProps = {
  readonly ratios: readonly Ratio[];
  /** The start of the first hour or day, in ISO 8601. */
  readonly from: string;
  readonly unit: 'hour' | 'day';
};

const HEIGHT = 24;
const STEP = 4;
const WIDTH = 3;

/**
 * Draws all bars as one SVG with one cursor instead of an element for each bar, because a page has
 * thousands of bars.
 */
export function UptimeBars({ ratios, from, unit }: UptimeBarsProps) {
  const t = useTexts(texts);
  const { time, date, percent } = useFormats();
  const average = averageOf(ratios);
  const label = average === null ? t('nothing') : t('average', { ratio: percent(average) });
  const spans = spansOf(ratios, from, unit);
  const textOf = ({ index }: Selected): string => {
    const { start, ratio } = spans[index] ?? { start: from, ratio: null };
    // Noon without a time zone is parsed as local time, so the UTC day is shown in every time zone.
    const name = unit === 'day' ? date(`${start.slice(0, 10)}T12:00:00`) : time(start);
    return ratio === null
      ? t('noData', { from: name })
      : t('span', { from: name, ratio: percent(ratio) });
  };
  return (
    <div className={classes['bars']}>
      <svg
        viewBox={`0 0 ${Math.max(WIDTH, spans.length * STEP - (STEP - WIDTH))} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        {spans.map(({ start, state }, at) => (
          <rect
            key={start}
            {...{ x: at * STEP, y: 0, width: WIDTH, height: HEIGHT, 'data-state': state }}
          />
        ))}
      </svg>
      <Cursor
        {...{ label, textOf, tip: textOf }}
        count={spans.length}
        partsOf={() => 0}
        partAt={() => null}
      />
    </div>
  );
}
