/** What the requests of the last 30 days would have earned at the proposed prices. */
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JsonObject } from '#api/json.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExactGrouped, formatShort, parseAmount, withCurrency } from '#money/amount.ts';
import { previewPrices } from './price-api.ts';
import { pricesTexts } from './prices-texts.ts';

const usd = (amount: string): string => withCurrency(formatShort(parseAmount(amount)), 'USD');
const exactUsd = (amount: string): string =>
  withCurrency(formatExactGrouped(parseAmount(amount)), 'USD');

export function EarnedPreview({ patch }: { readonly patch: JsonObject }) {
  const t = useTexts(pricesTexts);
  const { count } = useFormats();
  const { data, error } = useQuery({
    queryKey: ['admin', 'price-preview', patch],
    queryFn: () => previewPrices(patch),
    ...{ staleTime: 60_000, gcTime: 0, retry: false, refetchOnWindowFocus: false },
  });
  // The change can be saved without it.
  if (error !== null) return <Text variant="note">{t('noPreview')}</Text>;
  if (data === undefined) return <Text variant="note">{t('previewing')}</Text>;
  const { repriced, not_repriced: others } = data;
  if (repriced.requests + others.requests === 0) return <Text variant="note">{t('notUsed')}</Text>;
  const { earned, proposed, percent } = repriced;
  return (
    <Stack gap={2}>
      {repriced.requests === 0 ? null : (
        <Text size="sm" title={`${exactUsd(earned)} → ${exactUsd(proposed)}`}>
          {t(percent === null ? 'earnedNothing' : 'earnedBefore', {
            earned: usd(earned),
            proposed: usd(proposed),
            percent: percent ?? '',
          })}
        </Text>
      )}
      {others.requests === 0 ? null : (
        <Text variant="note">
          {t('notRepriced', { requests: count(others.requests), earned: usd(others.earned) })}
        </Text>
      )}
    </Stack>
  );
}
