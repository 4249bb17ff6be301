/**
 * The spend of a key against its limit, as amounts and a bar. The tooltip shows when the limit
 * resets.
 */
import { Progress, Stack, Text, Tooltip } from '@mantine/core';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { type Budget, NEARLY_USED } from './budget.ts';
import { keyTexts } from './key-texts.ts';

/** Limits are in USD, even when the CNY wallet pays. */
const CURRENCY = 'USD';

const colorOf = (part: number): string => {
  if (part >= 1) return 'red';
  return part >= NEARLY_USED ? 'yellow' : 'brand';
};

export function BudgetBar({ budget }: { readonly budget: Budget }) {
  const t = useTexts(keyTexts);
  const { percent, ago, time } = useFormats();
  const { window, spent, cap, resetsAt, part } = budget;
  const resets =
    resetsAt === null ? t('noReset') : t('resets', { ago: ago(resetsAt), time: time(resetsAt) });
  return (
    <Stack gap={4} maw={280}>
      <Text size="sm">
        <Money amount={spent} currency={CURRENCY} />{' '}
        <Text span inherit c="dimmed">
          {t('ofCap')}
        </Text>{' '}
        <Money amount={cap} currency={CURRENCY} />{' '}
        <Text span inherit c="dimmed">
          {t(window)}
        </Text>
      </Text>
      <Tooltip label={resets}>
        <Progress.Root size="sm" tabIndex={0}>
          <Progress.Section
            value={part * 100}
            color={colorOf(part)}
            aria-label={`${t('budget', { percent: percent(part), window: t(window) })}. ${resets}`}
          />
        </Progress.Root>
      </Tooltip>
    </Stack>
  );
}
