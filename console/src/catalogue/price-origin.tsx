/**
 * Shows the source of a price, and the day on which the price must be checked again. Only
 * administrators see this.
 */
import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { mayAs, usePerson } from '#api/session.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useChannelName } from './model-facts.tsx';

const texts = defineTexts('price-origin', {
  en: {
    source: 'Source: {{source}}',
    review: 'Review due by {{date}}',
    reviewDue: 'Review overdue since {{date}}',
  },
  zh: {
    source: '来源：{{source}}',
    review: '应于 {{date}} 前复核',
    reviewDue: '已过复核日期 {{date}}',
  },
});

type Offer = components['schemas']['ChannelOffer'];
export type PriceOriginProps = Pick<Offer, 'source' | 'review' | 'review_due'>;

/** The query of all channels of all models, with prices and costs, for administrators. */
export const offersQuery = queryOptions({
  queryKey: ['admin', 'channels'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/channels', { signal })),
});

export function PriceOrigin({ source, review, review_due: isDue }: PriceOriginProps) {
  const t = useTexts(texts);
  return (
    <>
      {source === null ? null : <Text variant="caption">{t('source', { source })}</Text>}
      {review === null ? null : (
        <Text size="xs" c={isDue ? 'inherit' : 'dimmed'} fw={isDue ? 600 : 400}>
          {t(isDue ? 'reviewDue' : 'review', { date: review })}
        </Text>
      )}
    </>
  );
}

/**
 * The sources of a model's prices, by channel. Renders nothing unless the person is an
 * administrator.
 */
export function ModelPriceOrigins({ model }: { readonly model: string }) {
  const nameOf = useChannelName();
  const person = usePerson();
  const enabled = person !== null && mayAs(person.role, 'administrator');
  const offers = useQuery({ ...offersQuery, enabled }).data?.data ?? [];
  return offers
    .filter((offer) => offer.model === model && (offer.source ?? offer.review) !== null)
    .map((offer) => (
      <div key={offer.channel}>
        <Text size="sm">{nameOf(offer.channel)}</Text>
        <PriceOrigin {...offer} />
      </div>
    ));
}
