/** The prices of a card. Changed prices are marked with words and arrows, not only with colors. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { distinctKeys, PriceTerms } from '#catalogue/price-terms.tsx';
import { isBucket } from '#catalogue/usage-buckets.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, withCurrency } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { type CardVersion, haveTermsChanged, linesOf, type PriceLine } from './card-changes.ts';
import { cardsTexts } from './cards-texts.ts';

export function PriceLines({ version }: { readonly version: CardVersion }) {
  const t = useTexts(cardsTexts);
  const { card, previous } = version;
  return (
    <Stack gap={2}>
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

function Line({ line, currency }: LineProps) {
  const t = useTexts(cardsTexts);
  const { name, price, before, direction } = line;
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" w={130} c={direction === 'same' ? 'dimmed' : 'inherit'}>
        {isBucket(name) ? t(name) : name}
      </Text>
      {price === null ? null : (
        <Money
          fz="sm"
          fw={direction === 'same' ? 400 : 650}
          amount={price}
          currency={currency}
          exact
        />
      )}
      <Change direction={direction} />
      {before === null || direction === 'same' ? null : (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {t('was', { before: withCurrency(formatExact(parseAmount(before)), currency) })}
        </Text>
      )}
    </Group>
  );
}

const COLORS = { up: 'red', down: 'green', new: 'blue', removed: 'gray' } as const;

function Change({ direction }: Pick<PriceLine, 'direction'>) {
  const t = useTexts(cardsTexts);
  if (direction === 'same') return null;
  const Arrow = direction === 'up' ? IconArrowUp : direction === 'down' ? IconArrowDown : null;
  return (
    <Badge
      color={COLORS[direction]}
      miw="max-content"
      leftSection={Arrow === null ? undefined : <Arrow size={12} />}
    >
      {t(direction)}
    </Badge>
  );
}
