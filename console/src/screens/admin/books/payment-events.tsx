/** What the payment provider told of card payments, and what came of each. */
import { Badge, Card, Stack, Text, Title } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { ApiError } from '../../../api/api-error.ts';
import { answerOf, api } from '../../../api/client.ts';
import { given } from '../../../api/given.ts';
import type { components } from '../../../api/schema.gen.ts';
import { Copyable } from '../../../components/copyable.tsx';
import type { Column } from '../../../components/data-table.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Moment } from '../../../components/moment.tsx';
import { PAGING, PagedTable } from '../../../components/paged-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { shortId } from '../admin-link.tsx';
import { booksTexts } from './books-texts.ts';

type PaymentEvent = components['schemas']['PaymentEvent'];

const PAGE_ROWS = 50;
const COLORS = {
  booked: 'green',
  noted: 'gray',
  ignored: 'gray',
  mismatch: 'red',
  unknown_order: 'red',
  reversed: 'orange',
} as const satisfies Record<PaymentEvent['outcome'], string>;

const eventsQuery = infiniteQueryOptions({
  queryKey: ['admin', 'payment-events'],
  queryFn: ({ pageParam, signal }) => {
    const query = given({ limit: PAGE_ROWS, after: pageParam });
    return answerOf(api.GET('/admin/v1/payment-events', { params: { query }, signal }));
  },
  ...PAGING,
});

/** Without a provider the gateway has no such route at all. */
const isUnconfigured = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === 'unknown_url';

export function PaymentEvents() {
  const t = useTexts(booksTexts);
  const pages = useInfiniteQuery(eventsQuery);
  const columns = useColumns();
  return (
    <Card>
      <Stack gap="xs">
        <Title order={2} size="h5">
          {t('events')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('eventsLead')}
        </Text>
        {isUnconfigured(pages.error) ? (
          <Text size="sm">
            {t('notConfigured')}. {t('notConfiguredHint')}
          </Text>
        ) : (
          <PagedTable
            label={t('events')}
            pages={pages}
            columns={columns}
            keyOf={({ id }) => id}
            minWidth={760}
            empty={<Empty icon={IconCreditCard} title={t('noEvents')} />}
          />
        )}
      </Stack>
    </Card>
  );
}

function useColumns(): readonly Column<PaymentEvent>[] {
  const t = useTexts(booksTexts);
  return [
    { name: 'at', heading: t('when'), cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      name: 'event',
      heading: t('event'),
      cell: ({ id, type }) => (
        <Stack gap={0}>
          <Text size="sm">{type}</Text>
          <Copyable value={id} shown={shortId(id)} />
        </Stack>
      ),
    },
    {
      name: 'outcome',
      heading: t('outcome'),
      cell: ({ outcome }) => (
        <Badge color={COLORS[outcome]} miw="max-content">
          {t(outcome)}
        </Badge>
      ),
    },
    {
      name: 'order',
      heading: t('order'),
      cell: ({ order_id: id }) => (id === null ? '–' : <Copyable value={id} shown={shortId(id)} />),
    },
    { name: 'detail', heading: t('detail'), cell: ({ detail }) => <Text size="sm">{detail}</Text> },
  ];
}
