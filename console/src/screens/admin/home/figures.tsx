/** The figures of the operator: revenue, cost and profit in each currency, and the failure rate. */
import { Card, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextLink } from '#components/button-link.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import classes from './home.module.css';
import { homeTexts } from './home-texts.ts';
import { type Books, requestsOf, type Summary } from './summary.ts';

type Shown = Pick<
  Books,
  'currency' | 'revenue' | 'cost' | 'profit' | 'margin' | 'requests_without_cost'
>;

const NO_BOOKS: Shown = {
  ...{ currency: 'USD', revenue: '0', cost: '0', profit: null, margin: null },
  requests_without_cost: 0,
};

export function Figures({ summary }: { readonly summary: Summary }) {
  const t = useTexts(homeTexts);
  const { count, percent } = useFormats();
  const books: readonly Shown[] = summary.books.length === 0 ? [NO_BOOKS] : summary.books;
  const uncosted = books.reduce((sum, it) => sum + it.requests_without_cost, 0);
  const { total, failed } = requestsOf(summary.days);
  const margins = books.flatMap(({ margin }) => (margin === null ? [] : [percent(margin)]));
  const link = { inherit: true, c: 'inherit' } as const;
  return (
    <FigureCard label={t('revenue')}>
      <Figure label={t('revenue')} amounts={amountsOf(books, 'revenue')} isHero>
        <TextLink {...link} to="/admin/books">
          {t('revenueHint')}
        </TextLink>
      </Figure>
      <Figure
        label={t('cost')}
        amounts={amountsOf(
          books.filter(({ profit }) => profit !== null),
          'cost',
        )}
      >
        <TextLink {...link} to="/admin/routes" search={{ tab: 'prices' }}>
          {uncosted === 0
            ? t('costAll')
            : t('costBut', { count: uncosted, requests: count(uncosted) })}
        </TextLink>
      </Figure>
      <Figure label={t('profit')} amounts={amountsOf(books, 'profit')}>
        <TextLink {...link} to="/admin/books">
          {margins.length === 0 ? t('noMargin') : t('margin', { margin: margins.join(' · ') })}
        </TextLink>
      </Figure>
      <Figure label={t('errorRate')} text={total === 0 ? '–' : percent(failed / total)}>
        {total === 0 ? (
          t('noRequests')
        ) : (
          <TextLink {...link} to="/admin/routes">
            {t('failedOf', { failed: count(failed), total: count(total) })}
          </TextLink>
        )}
      </Figure>
    </FigureCard>
  );
}

type Amount = { readonly currency: string; readonly amount: string };

/** Returns the amount in each currency. Currencies whose amount is unknown are left out. */
const amountsOf = (
  books: readonly Shown[],
  name: 'revenue' | 'cost' | 'profit',
): readonly Amount[] =>
  books.flatMap(({ currency, ...of }) => {
    const amount = of[name];
    return amount === null ? [] : [{ currency, amount }];
  });

type FigureProps = {
  readonly label: string;
  readonly amounts?: readonly Amount[];
  /** The text for a figure that is not an amount; a dash if omitted. */
  readonly text?: string;
  readonly isHero?: boolean;
  readonly children: ReactNode;
};

/** A card with several figures. */
export const FigureCard = ({ label, children }: Pick<FigureProps, 'label' | 'children'>) => (
  <Card component="section" aria-label={label} className={classes['hero'] ?? ''}>
    {children}
  </Card>
);

export function Figure({ label, amounts = [], text = '–', isHero = false, children }: FigureProps) {
  const look = { fz: isHero ? 'hero' : 'xl', lh: 1.25, fw: 600 };
  const [first, ...others] = amounts;
  return (
    <div>
      <Text variant="note">{label}</Text>
      <div className={classes['amounts']}>
        {first === undefined ? <Text {...look}>{text}</Text> : <Money {...first} {...look} />}
        {others.map((amount) => (
          <Money key={amount.currency} {...amount} fz={isHero ? 'xl' : 'sm'} c="dimmed" />
        ))}
      </div>
      <Text variant="caption">{children}</Text>
    </div>
  );
}
