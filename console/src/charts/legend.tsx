/** The names of the groups of a chart, each with its color. */
import { Text } from '@mantine/core';
import './palette.css';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './charts.module.css';

const texts = defineTexts('chart-legend', { en: { legend: 'Legend' }, zh: { legend: '图例' } });

/** A group of amounts in a chart, such as those of a model: its name as shown, and its color. */
export type Series = { readonly name: string; readonly color: string };

/** A name with the color that it has in the charts. */
export function ColorName({ name, color }: Series) {
  return (
    <Text span inherit className={classes['name']}>
      <span className={classes['dot']} style={{ backgroundColor: color }} />
      {name}
    </Text>
  );
}

export function Legend({ series }: { readonly series: readonly Series[] }) {
  const t = useTexts(texts);
  return (
    <ul className={classes['legend']} aria-label={t('legend')}>
      {series.map(({ name, color }) => (
        <li key={`${name} ${color}`}>
          <ColorName name={name} color={color} />
        </li>
      ))}
    </ul>
  );
}
