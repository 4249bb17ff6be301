/** The exact prices of a card, with what changed since the previous version. */
import { Group, Stack, Text } from '@mantine/core';
import { distinctKeys, PriceTerms } from '#catalogue/price-terms.tsx';
import { isBucket } from '#catalogue/usage-buckets.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, withCurrency } from '#money/amount.ts';
import { type CardVersion, haveTermsChanged, linesOf, type PriceLine } from './card-changes.ts';
import { cardsTexts } from './cards-texts.ts';

export function PriceLines({ version }: { readonly version: CardVersion }) {
  const t = useTexts(cardsTexts);
  const { card, previous } = version;
  return (
    <Stack gap={2} ta="start">
      {linesOf(version).map((line) => (
        <Line key={line.name} line={line} currency={card.currency} />
      ))}
      <Text size="xs" c="dimmed">
        {t(card.per_image === null ? 'perMillion' : 'perImage')}
        {typeof previous === 'string' ? ` · ${t(previous)}` : ''}
        {haveTermsChanged(version) ? ` · ${t('termsChanged')}` : ''}
      </Text>
      {card.source === null ? null : (
        <Text size="xs" c="dimmed">
          {t('source', { source: card.source })}
        </Text>
      )}
      {card.review === null ? null : (
        <Text size="xs" c={card.review_due ? 'inherit' : 'dimmed'} fw={card.review_due ? 600 : 400}>
          {t(card.review_due ? 'reviewDue' : 'review', { date: card.review })}
        </Text>
      )}
      {card.price_terms === null ? null : (
        <PriceTerms
          title={t('terms')}
          terms={card.price_terms}
          keys={distinctKeys(card.price_terms)}
        />
      )}
    </Stack>
  );
}

type LineProps = { readonly line: PriceLine; readonly currency: string };

/** A price, and in words how it differs from the previous version. */
function Line({ line: { name, price, before, direction }, currency }: LineProps) {
  const t = useTexts(cardsTexts);
  const exact = (amount: string) => withCurrency(formatExact(parseAmount(amount)), currency);
  const isSame = direction === 'same';
  const change = [
    isSame ? '' : t(direction),
    before === null || isSame ? '' : t('was', { before: exact(before) }),
  ];
  return (
    <Group gap="xs" wrap="nowrap" fz="sm">
      <Text inherit w={110} c="dimmed">
        {isBucket(name) ? t(name) : name}
      </Text>
      {price === null ? null : (
        <Text inherit fw={isSame ? 400 : 600} style={{ whiteSpace: 'nowrap' }}>
          {exact(price)}
        </Text>
      )}
      <Text inherit c="dimmed">
        {change.filter(Boolean).join(', ')}
      </Text>
    </Group>
  );
}
