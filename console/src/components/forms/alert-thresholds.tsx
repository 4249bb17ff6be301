/**
 * The form for the balances below which wallets count as low. The console highlights low wallets,
 * and the gateway alerts the account's owners and the operator.
 */
import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { components } from '#api/schema.gen.ts';
import { SectionCard } from '#components/section-card.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExact, formatExactGrouped, parseAmount, withCurrency } from '#money/amount.ts';
import { CURRENCIES, type Currency } from '#money/currencies.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { AmountInput } from './amount-input.tsx';
import { FormBody } from './form-footer.tsx';
import { type Saved, useSharedForm } from './shared-form.ts';

const texts = defineTexts('alerts', {
  en: {
    title: 'Low-balance alert',
    lead: "If the available balance falls below the threshold, one alert is sent: to the owners by email, to the account's webhook, and to the operator. Leave empty for the gateway default, or enter 0 for no alert.",
    below: '{{currency}} threshold',
    preset: 'Gateway default',
    inForce: 'Now: {{amount}}',
    noneInForce: 'Now: off',
    save: 'Save thresholds',
    saved: 'Alert thresholds saved',
    notAmount: 'Enter an amount such as 20 or 2.50, or 0 to turn the alert off.',
    readOnly: 'Only account owners can change the thresholds.',
  },
  zh: {
    title: '余额提醒',
    lead: '可用余额低于阈值时提醒一次：通过邮件通知所有者，同时发送到账户的 Webhook 并通知运营者。留空则使用网关默认值，填 0 则不提醒。',
    below: '{{currency}} 钱包阈值',
    preset: '网关默认值',
    inForce: '当前：{{amount}}',
    noneInForce: '当前：不提醒',
    save: '保存阈值',
    saved: '提醒阈值已保存',
    notAmount: '请输入金额，例如 20 或 2.50；填 0 关闭提醒。',
    readOnly: '仅账户所有者可以更改阈值。',
  },
});

export type Thresholds = components['schemas']['AlertThresholds'];
/** The threshold of each currency; null for the gateway's default. */
export type ThresholdsSet = Readonly<Record<Currency, string | null>>;

export type AlertThresholdsProps = {
  readonly thresholds: UseQueryResult<Thresholds>;
  readonly mayChange: boolean;
  readonly read: () => Promise<Thresholds>;
  readonly save: (thresholds: ThresholdsSet, from: Saved<unknown>) => Promise<Thresholds>;
  readonly onSaved: (thresholds: Thresholds) => Promise<void>;
};

export function AlertThresholds({ thresholds, ...form }: AlertThresholdsProps) {
  const t = useTexts(texts);
  const { data } = thresholds;
  return (
    <SectionCard title={t('title')} lead={t('lead')} query={thresholds} maw={720}>
      {data === undefined ? (
        <Skeleton height={160} />
      ) : (
        <ThresholdsForm {...form} thresholds={data} />
      )}
    </SectionCard>
  );
}

type ThresholdsFormProps = Omit<AlertThresholdsProps, 'thresholds'> & {
  readonly thresholds: Thresholds;
};

function ThresholdsForm({ thresholds, mayChange, read, save, onSaved }: ThresholdsFormProps) {
  const t = useTexts(texts);
  const { form, ...sending } = useSharedForm<Record<Currency, string>, Thresholds>({
    opened: thresholds,
    valuesOf: ({ USD, CNY }) => ({ USD: shown(USD), CNY: shown(CNY) }),
    validate: ({ USD, CNY }) => ({
      USD: isWrong(USD) ? t('notAmount') : null,
      CNY: isWrong(CNY) ? t('notAmount') : null,
    }),
    read,
    change: ({ USD, CNY }, from) => save({ USD: entered(USD), CNY: entered(CNY) }, from),
    fieldOf: (path, values) => {
      const currency = path === 'USD' ? 'USD' : 'CNY';
      const amount = entered(values[currency]);
      return {
        label: t('below', { currency }),
        value: amount === null ? t('preset') : withCurrency(amount, currency),
      };
    },
    done: () => t('saved'),
    onSaved,
  });
  const inForce = (currency: Currency): string => {
    const amount = thresholds.in_force[currency];
    if (amount === null) return t('noneInForce');
    return t('inForce', {
      amount: withCurrency(formatExactGrouped(parseAmount(amount)), currency),
    });
  };
  const fields = (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {CURRENCIES.map((currency) => (
        <AmountInput
          key={currency}
          label={t('below', { currency })}
          description={inForce(currency)}
          currency={currency}
          disabled={!mayChange}
          {...form.getInputProps(currency)}
        />
      ))}
    </SimpleGrid>
  );
  return mayChange ? (
    <FormBody of={sending} submit={t('save')}>
      {fields}
    </FormBody>
  ) : (
    <Stack>
      {fields}
      <Text variant="note">{t('readOnly')}</Text>
    </Stack>
  );
}

const shown = (amount: string | null): string =>
  amount === null ? '' : formatExact(parseAmount(amount));
const entered = (text: string): string | null => enteredAmount(text, { zero: true });
const isWrong = (text: string): boolean => text.trim() !== '' && entered(text) === null;
