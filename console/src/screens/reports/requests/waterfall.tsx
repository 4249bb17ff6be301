/** The timeline of a request: when each attempt and the answer started, and how long they took. */

import { Badge, Group, Stack, Text } from '@mantine/core';
import type { RequestDetails } from '#bill/request-details.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { requestTexts } from './request-texts.ts';
import classes from './requests.module.css';
import { type Bar, timelineOf } from './timeline.ts';

export function Waterfall({ request }: { readonly request: RequestDetails }) {
  const t = useTexts(requestTexts);
  const { duration } = useFormats();
  const bars = timelineOf(request);
  if (bars.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('noTimeline')}
      </Text>
    );
  }
  return (
    <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {bars.map((bar, index) => (
        <Row key={`${bar.kind} ${bar.startMs} ${bar.channel}`} bar={bar} n={index + 1} />
      ))}
      <Group component="li" justify="space-between" fz="xs" c="dimmed" aria-hidden>
        <span>{duration(0)}</span>
        <span>{duration(request.duration_ms)}</span>
      </Group>
    </Stack>
  );
}

function Row({ bar, n }: { readonly bar: Bar; readonly n: number }) {
  const t = useTexts(requestTexts);
  const { duration } = useFormats();
  const channelName = useChannelName();
  const name = bar.kind === 'answer' ? t('answer') : t('attempt', { n });
  return (
    <Stack component="li" gap={4}>
      <Group justify="space-between" gap="xs" fz="sm">
        <Group gap={6}>
          <Text span inherit fw={500}>
            {name}
          </Text>
          <Text span inherit c="dimmed">
            {channelName(bar.channel)}
          </Text>
          {bar.result === null ? null : (
            <Badge color={bar.isFailure ? 'red' : 'teal'} className={classes['badge'] ?? ''}>
              {bar.result}
            </Badge>
          )}
        </Group>
        <Text span inherit c="dimmed">
          {t('at', { start: duration(bar.startMs), duration: duration(bar.durationMs) })}
        </Text>
      </Group>
      <div className={classes['track']} aria-hidden>
        <div
          className={classes['span']}
          style={{
            insetInlineStart: `${bar.start * 100}%`,
            width: `${bar.width * 100}%`,
            backgroundColor: `var(--mantine-color-${colorOf(bar)}-6)`,
          }}
        />
      </div>
    </Stack>
  );
}

const colorOf = ({ kind, isFailure }: Bar): string =>
  isFailure ? 'red' : kind === 'answer' ? 'brand' : 'teal';
