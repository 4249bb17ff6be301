/** The models and keys with the highest spend of the last 30 days. */
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useModelSlots } from '#catalogue/model-colors.ts';
import { ALL_COLOR, colorOf } from '#charts/palette.ts';
import { daysUntil } from '#charts/stack.ts';
import { TextLink } from '#components/button-link.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useKeyNames } from '#keys/key-names.ts';
import { formatExact } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { usageByKeyQuery, usageByModelQuery } from '#screens/account/usage-queries.ts';
import classes from './overview.module.css';
import { overviewTexts } from './overview-texts.ts';
import { type Share, topOf } from './trend.ts';

const DAYS = 30;
const SHOWN = 3;

export function TopSpend() {
  const t = useTexts(overviewTexts);
  const days = daysUntil(Date.now(), DAYS);
  const models = useQuery(usageByModelQuery(days));
  const keys = useQuery(usageByKeyQuery(days));
  const keyNames = useKeyNames();
  const slots = useModelSlots();
  return (
    <div className={classes['tops']}>
      <SectionCard title={t('topModels')} query={models}>
        <TopList
          shares={models.data && topOf(models.data, ({ model }) => model, SHOWN)}
          colorOf={(model) => colorOf(slots, model)}
          nameOf={(id) => (
            <TextLink to="/models/$id" params={{ id }} c="inherit" inherit truncate>
              {id}
            </TextLink>
          )}
        />
      </SectionCard>
      <SectionCard title={t('topKeys')} query={keys}>
        <TopList
          shares={keys.data && topOf(keys.data, ({ key_id: id }) => id, SHOWN)}
          colorOf={() => ALL_COLOR}
          nameOf={(id) => (
            <TextLink to="/keys/$id" params={{ id }} c="inherit" inherit truncate>
              {keyNames.get(id) ?? id}
            </TextLink>
          )}
        />
      </SectionCard>
    </div>
  );
}

type TopListProps = {
  /** The groups; undefined while loading. */
  readonly shares: readonly Share[] | undefined;
  readonly colorOf: (group: string) => string;
  readonly nameOf: (group: string) => ReactNode;
};

function TopList({ shares, colorOf, nameOf }: TopListProps) {
  const t = useTexts(overviewTexts);
  if (shares === undefined) return <Skeleton height={SHOWN * 33 - 6} />;
  if (shares.length === 0) return <Text c="dimmed">{t('noSpend')}</Text>;
  return (
    <ol className={classes['top']}>
      {shares.map(({ group, amount, part }) => (
        <li key={group}>
          {nameOf(group)}
          <Money amount={formatExact(amount)} currency="USD" />
          {/* The amount beside it says the same. */}
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
            <rect width={part * 100} height={1} fill={colorOf(group)} />
          </svg>
        </li>
      ))}
    </ol>
  );
}
