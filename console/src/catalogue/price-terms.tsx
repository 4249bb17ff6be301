/**
 * A table of a price card's terms: the prices under each condition, multiples, fees, and the
 * request options that the channel accepts.
 */
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { FEE_NAMES } from './fee-names.ts';
import { ListedPrice } from './model-facts.tsx';
import { modelTexts } from './model-texts.ts';
import type { Channel } from './models.ts';
import { isOutputPrice, PRICE_KEYS, type PriceKey } from './usage-buckets.ts';

const texts = defineTexts('price-terms', {
  en: {
    hint: 'If several prices in this table apply, the last of them is charged. If none applies, the prices above the table are charged. Each multiplier (×) whose conditions are met is applied to the price.',
    zone: 'Hours and days are in the time zone {{zone}}.',
    condition: 'Condition',
    price: 'Price',
    notSold: 'Not sold',
    always: 'always',
    tokens: 'All token prices × {{multiple}}',
    fees: 'All fees × {{multiple}}',
    each: '{{name}}, per use',
    accepts: 'Allowed request options',
    ...FEE_NAMES.en,
  },
  zh: {
    hint: '表中有多个价格适用时，按最后一个计费；都不适用时，按表格上方的价格计费。条件满足的倍数（×）都会乘入价格。',
    zone: '时段与星期按时区 {{zone}} 计算。',
    condition: '条件',
    price: '价格',
    notSold: '不出售',
    always: '始终',
    tokens: '所有 token 价格 × {{multiple}}',
    fees: '所有费用 × {{multiple}}',
    each: '{{name}}，每次',
    accepts: '请求可用的选项',
    ...FEE_NAMES.zh,
  },
});

export type Terms = NonNullable<Channel['price_terms']>;

type PriceTermsProps = {
  readonly title: string;
  readonly terms: Terms;
  /** The token prices to show for each row. */
  readonly keys: readonly PriceKey[];
};

type Line = { readonly key: string; readonly when: string; readonly price: ReactNode };

export function PriceTerms({ title, terms, keys }: PriceTermsProps) {
  const t = useTexts(texts);
  const { rows, times, fees } = terms;
  const accepted = useAccepted(terms);
  const lines: readonly Line[] = [
    ...rows.map((row) => {
      return { key: row.when, when: row.when, price: <RowPrices keys={keys} row={row} /> };
    }),
    ...times.map(({ when, of, multiple }) => ({
      key: `${of} ${multiple} ${when}`,
      when: when === '' ? t('always') : when,
      price: t(of, { multiple }),
    })),
    ...fees.map(({ unit, fee }) => ({
      key: unit,
      when: t('each', { name: t(`fee_${unit}`) }),
      price: <ListedPrice of={fee} />,
    })),
    ...(accepted === '' ? [] : [{ key: 'accepts', when: t('accepts'), price: accepted }]),
  ];
  const isTimed = [...rows, ...times].some(({ when }) => ON_THE_CLOCK.test(when));
  return (
    <Stack gap="xs">
      <Text fw={600} fz="sm">
        {title}
      </Text>
      <DataTable
        label={title}
        rows={lines}
        keyOf={({ key }) => key}
        columns={[
          { name: 'condition', heading: t('condition'), cell: ({ when }) => when },
          { name: 'price', heading: t('price'), cell: ({ price }) => price },
        ]}
      />
      <Text variant="caption">
        {t('hint')} {isTimed ? t('zone', { zone: terms.time_zone }) : null}
      </Text>
    </Stack>
  );
}

/**
 * Matches conditions on the time of day or the day of the week, whose meaning depends on the time
 * zone of the price card.
 */
const ON_THE_CLOCK = /\b(?:hours|days): /;

/**
 * Returns the names of the request options that the channel accepts, as one text, which may be
 * empty.
 */
function useAccepted({ accepts: { tools, ...facts } }: Terms): string {
  const t = useTexts(texts);
  const named = Object.entries(facts)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}: ${values.join(' ')}`);
  return [...named, ...tools.map((unit) => t(`fee_${unit}`))].join(' · ');
}

type Row = Terms['rows'][number];

function RowPrices({ keys, row }: { readonly keys: readonly PriceKey[]; readonly row: Row }) {
  const t = useTexts(modelTexts);
  const terms = useTexts(texts);
  if (!row.sold) return terms('notSold');
  return keys.map((key, at) => (
    <span key={key}>
      {at === 0 ? '' : ' · '}
      {t(key)} <ListedPrice of={row[key]} />
    </span>
  ));
}

/**
 * Returns the kinds of token prices to show. Input and output are shown if they have a price in
 * some row. Any other kind is shown only if its price in some row differs from the price of input
 * or, for output tokens, from the price of output.
 */
export const distinctKeys = ({ rows }: Terms): readonly PriceKey[] =>
  PRICE_KEYS.filter((key) => {
    const side = isOutputPrice(key) ? 'output' : 'input';
    return rows.some((row) => row[key] !== null && (key === side || row[key] !== row[side]));
  });
