/** A histogram of requests over time. Selecting a bar narrows the list to its time. */
import { Card, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, memo, useState } from 'react';
import { useTexts } from '#i18n/texts.ts';
import type { Histogram } from './request-query.ts';
import { requestTexts } from './request-texts.ts';
import classes from './requests.module.css';

const LENGTH_MS = { hour: 3_600_000, day: 86_400_000 } as const;
/** The shown length of a time, such as 2026-11-21T10:00 or 2026-11-21. */
const SHOWN_CHARS = { hour: 16, day: 10 } as const;

export type RequestHistogramProps = {
  /** The histogram; undefined while loading. */
  readonly histogram: Histogram | undefined;
  /**
   * Called with the time of the selected bar. The function must be stable, so that unchanged bars
   * do not render again.
   */
  readonly onChoose: (from: string, to: string) => void;
};

/**
 * The histogram. A year has a bar for each day, so the bars are plain elements, which render fast.
 */
export const RequestHistogram = memo(function RequestHistogram(props: RequestHistogramProps) {
  const { histogram, onChoose } = props;
  const t = useTexts(requestTexts);
  if (histogram === undefined) return <Skeleton height={176} />;
  const { from, to, bucket } = histogram;
  const shown = (iso: string): string => `${iso.slice(0, SHOWN_CHARS.hour).replace('T', ' ')} UTC`;
  return (
    <Card component="section" aria-label={t('histogram')} padding="md">
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {t('histogramHint')}
        </Text>
        <Bars key={`${from} ${to} ${bucket}`} histogram={histogram} onChoose={onChoose} />
        <Group justify="space-between" fz="xs" c="dimmed">
          <span>{shown(from)}</span>
          <span>{shown(to)}</span>
        </Group>
      </Stack>
    </Card>
  );
});

type BarsProps = { readonly histogram: Histogram } & Pick<RequestHistogramProps, 'onChoose'>;

/** The bars, which share one tab stop. The arrow keys move between bars. */
function Bars({ histogram: { data, bucket }, onChoose }: BarsProps) {
  const t = useTexts(requestTexts);
  const [current, setCurrent] = useState(data.length - 1);
  const most = data.reduce((max, { requests }) => Math.max(max, requests), 1);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const next = steppedTo(event.key, current, data.length);
    if (next === null) return;
    event.preventDefault();
    setCurrent(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form.
    <div role="group" aria-label={t('histogram')} className={classes['bars']} onKeyDown={onKeyDown}>
      {data.map(({ at, requests, failed }, index) => {
        const label = t('bar', {
          at: at.slice(0, SHOWN_CHARS[bucket]).replace('T', ' '),
          count: requests,
          failed,
        });
        const end = new Date(Date.parse(at) + LENGTH_MS[bucket]).toISOString();
        return (
          <button
            key={at}
            type="button"
            className={classes['bar']}
            title={label}
            aria-label={label}
            tabIndex={index === current ? 0 : -1}
            onFocus={() => setCurrent(index)}
            onClick={() => onChoose(at, end)}
          >
            <Column requests={requests} failed={failed} most={most} />
          </button>
        );
      })}
    </div>
  );
}

type ColumnProps = { readonly requests: number; readonly failed: number; readonly most: number };

function Column({ requests, failed, most }: ColumnProps) {
  if (requests === 0) return <span className={classes['none']} />;
  const height = (count: number) => ({
    height: count === 0 ? 0 : `max(2px, ${(100 * count) / most}%)`,
  });
  return (
    <>
      <span className={classes['failed']} style={height(failed)} />
      <span className={classes['ok']} style={height(requests - failed)} />
    </>
  );
}

function steppedTo(key: string, current: number, count: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, current - 1);
    case 'ArrowRight':
      return Math.min(count - 1, current + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
