/** A side sheet with the details of a request: facts, cost and timeline. */
import { Accordion, Alert, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '#api/api-error.ts';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { billTexts } from '#bill/bill-texts.ts';
import { CostLines } from '#bill/cost-lines.tsx';
import { type RequestDetails, requestQuery } from '#bill/request-details.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { CodeBlock } from '#code/code-block.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Sheet } from '#components/dialog.tsx';
import { Moment } from '#components/moment.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { useKeyNames } from '#keys/key-names.ts';
import { useMarks } from '#requests/marks.ts';
import { outcomeTexts } from '#requests/outcome.ts';
import { RequestStatus } from '#requests/request-status.tsx';
import { reportTexts } from '#screens/reports/report-texts.ts';
import { RefusedRequest } from './refused-requests.tsx';
import { requestTexts } from './request-texts.ts';
import { skeletonCurl } from './skeleton-curl.ts';
import { speedOf } from './timeline.ts';
import { Waterfall } from './waterfall.tsx';

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
  if (error instanceof ApiError && error.status === 404) return <RefusedRequest id={id} />;
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
      <Stack gap="sm">
        <Copyable value={request.id} />
        <RequestStatus outcome={request.outcome} code={request.error_code} />
        <Text size="sm">{outcomeWords(request.outcome)}</Text>
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
      <Section title={t('overview')}>
        <Facts request={request} />
      </Section>
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

function Facts({ request }: { readonly request: RequestDetails }) {
  const facts = useFacts(request);
  return (
    <Table variant="vertical" layout="fixed" withTableBorder>
      <Table.Tbody>
        {facts.map(({ name, value }) => (
          <Table.Tr key={name}>
            <Table.Th w={160}>{name}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function useFacts(request: RequestDetails) {
  const t = useTexts(requestTexts);
  const words = useTexts(reportTexts);
  const keys = useKeyNames();
  const { count, duration } = useFormats();
  const speed = speedOf(request);
  const firstByte = request.first_byte_ms;
  const channelName = useChannelName();
  const facts: readonly { readonly name: string; readonly value: ReactNode }[] = [
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
      value: `${request.endpoint}, ${t(request.streamed ? 'streamed' : 'whole')}`,
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
  return facts.filter(({ value }) => value !== null);
}

function Again({ request }: { readonly request: RequestDetails }) {
  const t = useTexts(requestTexts);
  const address = useGatewayAddress();
  return (
    <Accordion variant="contained">
      <Accordion.Item value="curl">
        <Accordion.Control>{t('curl')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              {t('curlHint')}
            </Text>
            <CodeBlock code={skeletonCurl(request, address)} language="bash" label={t('curl')} />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
