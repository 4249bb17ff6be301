/**
 * Lists the groups, such as models, with the highest amounts in USD. The length of each bar shows
 * the group's amount as a fraction of the highest amount.
 */
import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import rows from '#components/rows.module.css';
import { formatExact, type Pico } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import classes from './top-list.module.css';

export type Share = { readonly group: string; readonly amount: Pico };

export type TopListProps = {
  /** The groups, highest first; undefined while loading. */
  readonly shares: readonly Share[] | undefined;
  readonly colorOf: (group: string) => string;
  readonly nameOf: (group: string) => ReactNode;
  /** The text shown when there are no groups. */
  readonly empty: string;
  /** The number of lines in the placeholder. */
  readonly expected: number;
};

const ROW_PX = 32;
/**
 * The number of steps in a full bar. The length of each bar is rounded down to a step of 0.01 %.
 */
const PARTS = 10_000n;

export function TopList({ shares, colorOf, nameOf, empty, expected }: TopListProps) {
  if (shares === undefined) return <Skeleton height={expected * ROW_PX} />;
  const [{ amount: highest } = NONE] = shares;
  if (shares.length === 0) return <Text c="dimmed">{empty}</Text>;
  return (
    <ol className={rows['rows']}>
      {shares.map(({ group, amount }) => (
        <li key={group}>
          {nameOf(group)}
          <Money amount={formatExact(amount)} currency="USD" />
          {/* Hidden from screen readers, because the amount beside the bar says the same. */}
          <svg
            className={classes['bar']}
            viewBox="0 0 100 1"
            preserveAspectRatio="none"
            aria-hidden
          >
            <rect
              width={highest <= 0n ? 0 : Number((amount * PARTS) / highest) / 100}
              height={1}
              fill={colorOf(group)}
            />
          </svg>
        </li>
      ))}
    </ol>
  );
}

const NONE = { amount: 0n };
