/** The cards with the totals of the whole range. */
import { Card, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { reportTexts } from '#screens/reports/report-texts.ts';
import classes from './usage.module.css';
import type { GroupTotal } from './usage-series.ts';
import { usageTexts } from './usage-texts.ts';

export function UsageStats({ total }: { readonly total: GroupTotal }) {
  const t = useTexts(usageTexts);
  const words = useTexts(reportTexts);
  const { count, compact, percent } = useFormats();
  const inTokens = total.input + total.cached;
  return (
    <div className={classes['stats']}>
      {[...total.charge].map(([currency, charge]) => (
        <Stat key={currency} name={t('spendIn', { currency })}>
          <Money amount={formatExact(charge)} currency={currency} />
        </Stat>
      ))}
      <Stat
        name={words('requests')}
        hint={
          total.failed === 0
            ? t('noneFailed')
            : `${t('requestsHint', { count: count(total.failed) })} (${percent(total.failed / total.requests)})`
        }
      >
        {count(total.requests)}
      </Stat>
      <Stat
        name={t('tokensIn')}
        hint={t('tokensInHint', { count: compact(total.cached) })}
        exact={count(inTokens)}
      >
        {compact(inTokens)}
      </Stat>
      <Stat name={t('tokensOut')} exact={count(total.output)}>
        {compact(total.output)}
      </Stat>
      {total.images === 0 ? null : <Stat name={t('imagesMade')}>{count(total.images)}</Stat>}
    </div>
  );
}

type StatProps = {
  readonly name: string;
  readonly hint?: string;
  /** The exact value, when the shown value is shortened. */
  readonly exact?: string;
  readonly children: ReactNode;
};

function Stat({ name, hint, exact, children }: StatProps) {
  return (
    <Card padding="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text size="xl" fw={650} title={exact}>
        {children}
      </Text>
      {hint === undefined ? null : (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Card>
  );
}
