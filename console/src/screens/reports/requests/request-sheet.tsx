/** A side sheet with the details, the cost and the timeline of a request. */

import { Accordion, Alert, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { ApiError } from '#api/api-error.ts';
import { billTexts } from '#bill/bill-texts.ts';
import { CostLines } from '#bill/cost-lines.tsx';
import { type RequestDetails, requestQuery } from '#bill/request-details.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Sheet } from '#components/dialog.tsx';
import { type Fact, FactTable } from '#components/facts.tsx';
import { lazyPart } from '#components/lazy-part.ts';
import { Moment } from '#components/moment.tsx';
import { Status } from '#components/status.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { useKeyNames } from '#keys/key-names.ts';
import { Money } from '#money/money.tsx';
import { useMarks } from '#requests/marks.ts';
import { outcomeTexts } from '#requests/outcome.ts';
import { LoggedPrompt } from '#requests/prompt-log.tsx';
import { ProviderErrorsOf } from '#requests/provider-errors.tsx';
import { RefusedRequest } from '#requests/refusals.tsx';
import { RequestStatus } from '#requests/request-status.tsx';
import { reportTexts } from '#screens/reports/report-texts.ts';
import { requestTexts } from './request-texts.ts';
import classes from './requests.module.css';
import { type Bar, speedOf, timelineOf } from './timeline.ts';

const RequestCurl = lazyPart(async () => (await import('./request-curl.tsx')).RequestCurl);

export type RequestSheetProps = {
  /** The shown request; undefined while the sheet is closed. */
  readonly id: string | undefined;
  readonly onClose: () => void;
};

export function RequestSheet({ id, onClose }: RequestSheetProps) {
  const t = useTexts(requestTexts);
  return (
    <Sheet opened={id !== undefined} onClose={onClose} title={t('title')} size="xl">
      {id === undefined ? null : <RequestBody id={id} />}
    </Sheet>
  );
}

function RequestBody({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(requestQuery(id));
  if (error instanceof ApiError && error.status === 404)
    return <RefusedRequest scope="own" id={id} />;
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <Stack aria-busy>
        <Skeleton height={200} />
        <Skeleton height={260} />
      </Stack>
    );
  }
  return <Details request={data} />;
}

function Details({ request }: { readonly request: RequestDetails }) {
  const t = useTexts(requestTexts);
  const bill = useTexts(billTexts);
  const outcomeWords = useTexts(outcomeTexts);
  return (
    <Stack gap="xl">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs md">
          <Money
            amount={request.cost}
            currency={request.currency}
            exact
            fz="hero"
            fw={600}
            lh={1.25}
          />
          <Copyable value={request.id} />
        </Group>
        <Group gap="sm" fz="sm">
          <RequestStatus outcome={request.outcome} code={request.error_code} />
          <Text span inherit c="dimmed">
            {outcomeWords(request.outcome)}
          </Text>
        </Group>
        {request.error_code === null ? null : (
          <Alert color="red" title={t('error')}>
            <Copyable value={request.error_code} />
          </Alert>
        )}
      </Stack>
      <Section title={bill('costTitle')}>
        <CostLines cost={request.cost_details} held={request.held} model={request.model} />
      </Section>
      <Section title={t('timeline')}>
        <Waterfall request={request} />
      </Section>
      {request.error_code === null && request.attempts.length < 2 ? null : (
        <ProviderErrorsOf id={request.id} />
      )}
      <Section title={t('overview')}>
        <FactTable facts={useFacts(request)} />
      </Section>
      <LoggedPrompt id={request.id} />
      <Again request={request} />
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

function useFacts(request: RequestDetails): readonly Fact[] {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const keys = useKeyNames();
  const { count, duration, list } = useFormats();
  const speed = speedOf(request);
  const firstByte = request.first_byte_ms;
  const channelName = useChannelName();
  return [
    {
      name: words('model'),
      value: (
        <TextLink inherit to="/models/$id" params={{ id: request.model }}>
          {request.model}
        </TextLink>
      ),
    },
    { name: words('channel'), value: channelName(request.channel) },
    {
      name: words('key'),
      value: (
        <TextLink inherit to="/keys/$id" params={{ id: request.key_id }}>
          {keys.get(request.key_id) ?? request.key_id}
        </TextLink>
      ),
    },
    ...useMarks()(request).flatMap(({ name, hint }) =>
      hint === undefined ? [] : [{ name, value: hint }],
    ),
    {
      name: t('endpoint'),
      value: list([request.endpoint, t(request.streamed ? 'streamed' : 'whole')]),
    },
    { name: t('started'), value: <Moment at={request.started_at} /> },
    { name: t('settled'), value: <Moment at={request.at} /> },
    {
      name: t('duration'),
      value: [
        duration(request.duration_ms),
        ...(firstByte === null ? [] : [`${t('firstByte')} ${duration(firstByte)}`]),
        ...(speed === null ? [] : [t('speed', { speed: count(Math.round(speed)) })]),
      ].join(' · '),
    },
    { name: t('finish'), value: request.finish_reason },
  ];
}

function Again({ request }: { readonly request: RequestDetails }) {
  const t = useTexts(requestTexts);
  return (
    <Accordion variant="contained">
      <Accordion.Item value="curl">
        <Accordion.Control>{t('curl')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            <Text variant="note">{t('curlHint')}</Text>
            <Suspense fallback={<Skeleton height={160} />}>
              <RequestCurl request={request} />
            </Suspense>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

/** The timeline of a request: when each attempt and the answer started, and how long they took. */
function Waterfall({ request }: { readonly request: RequestDetails }) {
  const t = useTexts(requestTexts);
  const { duration } = useFormats();
  const bars = timelineOf(request);
  if (bars.length === 0) {
    return <Text variant="note">{t('noTimeline')}</Text>;
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
            <Status tone={bar.isFailure ? 'bad' : 'quiet'}>{bar.result}</Status>
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
            backgroundColor: colorOf(bar),
          }}
        />
      </div>
    </Stack>
  );
}

const colorOf = ({ kind, isFailure }: Bar): string =>
  isFailure
    ? 'var(--dot-bad)'
    : `var(--${kind === 'answer' ? 'mantine-primary-color-filled' : 'dot-quiet'})`;
