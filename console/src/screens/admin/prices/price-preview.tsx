/** Shows what the requests of the last 30 days would have earned at the proposed prices. */
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExactGrouped, formatShort, parseAmount, withCurrency } from '#money/amount.ts';
import { type Previewable, type PricePreview, previewPrices } from './price-api.ts';
import { pricesTexts } from './prices-texts.ts';

const usd = (amount: string): string => withCurrency(formatShort(parseAmount(amount)), 'USD');
const exactUsd = (amount: string): string =>
  withCurrency(formatExactGrouped(parseAmount(amount)), 'USD');

export function EarnedPreview({ of }: { readonly of: Previewable }) {
  const t = useTexts(pricesTexts);
  const { count } = useFormats();
  const { data, error } = useQuery({
    queryKey: ['admin', 'price-preview', of],
    queryFn: () => previewPrices(of),
    ...{ staleTime: 60_000, gcTime: 0, retry: false, refetchOnWindowFocus: false },
  });
  // If the preview fails, the change can still be saved.
  if (error !== null) return <Text variant="note">{t('noPreview')}</Text>;
  if (data === undefined) return <Text variant="note">{t('previewing')}</Text>;
  const { repriced, withdrawn, not_repriced: others } = data;
  const isUsed = repriced.requests + others.requests > 0 || withdrawn !== null;
  if (!isUsed) return <Text variant="note">{t('notUsed')}</Text>;
  return (
    <Stack gap={2}>
      {repriced.requests === 0 ? null : <Earned {...repriced} words={EARNED} />}
      {withdrawn === null ? null : <Earned {...withdrawn} words={WITHDRAWN} />}
      {others.requests === 0 ? null : (
        <Text variant="note">
          {t('notRepriced', { requests: count(others.requests), earned: usd(others.earned) })}
        </Text>
      )}
    </Stack>
  );
}

const EARNED = { some: 'earnedBefore', none: 'earnedNothing' } as const;
const WITHDRAWN = { some: 'withdrawnBefore', none: 'withdrawnNothing' } as const;

type EarnedProps = PricePreview['repriced'] & { readonly words: typeof EARNED | typeof WITHDRAWN };

function Earned({ earned, proposed, percent, words }: EarnedProps) {
  const t = useTexts(pricesTexts);
  const amounts = { earned: usd(earned), proposed: usd(proposed) };
  const change = percent?.replace('-', '−');
  return (
    <Text size="sm" title={`${exactUsd(earned)} → ${exactUsd(proposed)}`}>
      {change === undefined
        ? t(words.none, amounts)
        : t(words.some, { ...amounts, percent: change })}
    </Text>
  );
}
