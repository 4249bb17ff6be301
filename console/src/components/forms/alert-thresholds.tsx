/**
 * The form for the balances below which wallets are low. The console shows low wallets, and the
 * gateway reports them in its log and to the operator's webhook.
 */
import { Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { UseQueryResult } from '@tanstack/react-query';
import type { components } from '#api/schema.gen.ts';
import { SectionCard } from '#components/section-card.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExact, formatShort, parseAmount, withCurrency } from '#money/amount.ts';
import { CURRENCIES, type Currency } from '#money/currencies.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { AmountInput } from './amount-input.tsx';
import { useApiForm } from './api-form.ts';
import { FormFooter } from './form-footer.tsx';

const texts = defineTexts('alerts', {
  en: {
    title: 'Low-balance alert',
    lead: "When the available balance falls below the threshold, the console shows the balance in yellow, and the gateway sends an alert to its log and to the operator's webhook. No further alert is sent until the wallet is topped up.",
    below: '{{currency}} threshold',
    inForce: 'Currently {{amount}}.',
    noneInForce: 'Currently off.',
    hint: 'Leave empty for the gateway default. 0 turns the alert off.',
    save: 'Save',
    saved: 'Alert thresholds saved',
    notAmount: 'Enter an amount such as 20 or 2.50, or 0 to turn the alert off.',
    readOnly: 'Only account owners can change the thresholds.',
  },
  zh: {
    title: '余额提醒',
    lead: '可用余额低于阈值时，控制台会将余额显示为黄色，网关会把提醒写入日志并发送到运营者的 webhook。钱包充值之前不会重复提醒。',
    below: '{{currency}} 钱包阈值',
    inForce: '当前：{{amount}}。',
    noneInForce: '当前：不提醒。',
    hint: '留空使用网关默认值；填 0 关闭提醒。',
    save: '保存',
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
  readonly save: (thresholds: ThresholdsSet) => Promise<Thresholds>;
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

function ThresholdsForm({ thresholds, mayChange, save, onSaved }: ThresholdsFormProps) {
  const t = useTexts(texts);
  const { form, onSubmit, isRunning, problem } = useApiForm<Record<Currency, string>, Thresholds>({
    initialValues: { USD: shown(thresholds.USD), CNY: shown(thresholds.CNY) },
    validate: ({ USD, CNY }) => ({
      USD: isWrong(USD) ? t('notAmount') : null,
      CNY: isWrong(CNY) ? t('notAmount') : null,
    }),
    send: ({ USD, CNY }) => save({ USD: entered(USD), CNY: entered(CNY) }),
    onSent: async (answer) => {
      await onSaved(answer);
      notifications.show({ message: t('saved'), color: 'green' });
    },
  });
  const inForce = (currency: Currency): string => {
    const amount = thresholds.in_force[currency];
    if (amount === null) return t('noneInForce');
    return t('inForce', { amount: withCurrency(formatShort(parseAmount(amount)), currency) });
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {CURRENCIES.map((currency) => (
          <AmountInput
            key={currency}
            maw={280}
            label={t('below', { currency })}
            description={`${inForce(currency)} ${t('hint')}`}
            currency={currency}
            disabled={!mayChange}
            {...form.getInputProps(currency)}
          />
        ))}
        {mayChange ? (
          <FormFooter submit={t('save')} isRunning={isRunning} problem={problem} />
        ) : (
          <Text size="sm" c="dimmed">
            {t('readOnly')}
          </Text>
        )}
      </Stack>
    </form>
  );
}

const shown = (amount: string | null): string =>
  amount === null ? '' : formatExact(parseAmount(amount));
const entered = (text: string): string | null => enteredAmount(text, { zero: true });
const isWrong = (text: string): boolean => text.trim() !== '' && entered(text) === null;
