/** The events received from the payment provider, with the result of each event. */

import { IconCreditCard } from '@tabler/icons-react';
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { Empty } from '#components/empty.tsx';
import { SectionCard } from '#components/section-card.tsx';
import type { Tone } from '#components/status.tsx';
import { idColumn, statusColumn, textColumn, timeColumn } from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { MOST_ROWS, PAGING, PagedTable } from '#components/tables/paged-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { booksTexts } from './books-texts.ts';

type PaymentEvent = components['schemas']['PaymentEvent'];

const TONES: Readonly<Record<PaymentEvent['outcome'], Tone>> = {
  booked: 'good',
  noted: 'quiet',
  ignored: 'quiet',
  mismatch: 'bad',
  unknown_order: 'bad',
  reversed: 'attention',
};

const eventsQuery = infiniteQueryOptions({
  queryKey: ['admin', 'payment-events'],
  queryFn: ({ pageParam, signal }) => {
    const query = given({ limit: MOST_ROWS, after: pageParam });
    return answerOf(api.GET('/admin/v1/payment-events', { params: { query }, signal }));
  },
  ...PAGING,
});

/**
 * The query of the limits for a card payment. Its data is null without a payment provider, in which
 * case there are no events.
 */
const cardsQuery = queryOptions({
  queryKey: ['admin', 'card-limits'],
  queryFn: async ({ signal }) => {
    const query = { limit: 1 };
    const answer = await answerOf(api.GET('/console/api/top-ups', { params: { query }, signal }));
    return answer.card_limits;
  },
});

export function PaymentEvents() {
  const t = useTexts(booksTexts);
  const cards = useQuery(cardsQuery);
  return (
    <SectionCard title={t('events')} lead={t('eventsLead')} size="h5" query={cards}>
      {cards.data === undefined ? null : cards.data === null ? (
        <Empty icon={IconCreditCard} title={t('notConfigured')}>
          {t('notConfiguredHint')}
        </Empty>
      ) : (
        <Events />
      )}
    </SectionCard>
  );
}

function Events() {
  const t = useTexts(booksTexts);
  const columns = useColumns();
  return (
    <PagedTable
      label={t('events')}
      pages={useInfiniteQuery(eventsQuery)}
      columns={columns}
      keyOf={({ id }) => id}
      name="admin-payments"
      download={{ file: ['payment-events'] }}
      empty={<Empty icon={IconCreditCard} title={t('noEvents')} />}
    />
  );
}

function useColumns(): readonly Column<PaymentEvent>[] {
  const t = useTexts(booksTexts);
  return [
    timeColumn('at', t('when'), ({ created_at: at }) => at),
    textColumn('type', t('event'), ({ type }) => type),
    statusColumn('outcome', t('outcome'), ({ outcome }) => [TONES[outcome], t(outcome)]),
    idColumn('order', t('order'), ({ order_id: id }) => id),
    textColumn('detail', t('detail'), ({ detail }) => detail),
    idColumn('id', t('eventId'), ({ id }) => id, { show: 'chosen', phone: 'hidden' }),
  ];
}
