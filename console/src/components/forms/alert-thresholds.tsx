/** When a wallet counts as low: in the console, in the log and for the webhook of the operator. */
import { Card, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { UseQueryResult } from '@tanstack/react-query';
import type { components } from '../../api/schema.gen.ts';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { formatExact, formatShort, parseAmount, withCurrency } from '../../money/amount.ts';
import { CURRENCIES, type Currency } from '../../money/currencies.ts';
import { enteredAmount } from '../../money/entered-amount.ts';
import { ApiProblem } from '../api-problem.tsx';
import { AmountInput } from './amount-input.tsx';
import { useApiForm } from './api-form.ts';
import { FormFooter } from './form-footer.tsx';

const texts = defineTexts('alerts', {
  en: {
    title: 'Tell us when a wallet runs low',
    lead: 'Once what is available falls below, the balance turns amber in this console, and an alert goes to the log of the gateway and to the webhook that its operator has set up. Told again is only after the wallet was filled.',
    below: '{{currency}} wallet below',
    inForce: 'In force: {{amount}}.',
    noneInForce: 'In force: no alert.',
    hint: 'Empty: as the gateway is configured. 0: never.',
    save: 'Save',
    saved: 'Alerts are changed',
    notAmount: 'An amount such as 20 or 2.50, or 0 for never.',
    readOnly: 'Owners of the account can change this.',
  },
  zh: {
    title: '余额不足时提醒',
    lead: '可用余额低于阈值时，控制台中的余额会变为琥珀色，并向网关日志及运营者设置的 webhook 发送提醒。补足余额之前不会重复提醒。',
    below: '{{currency}} 钱包低于',
    inForce: '当前阈值：{{amount}}。',
    noneInForce: '当前：不提醒。',
    hint: '留空使用网关的配置；填 0 表示从不提醒。',
    save: '保存',
    saved: '提醒设置已更改',
    notAmount: '请填写金额，例如 20 或 2.50；填 0 表示从不提醒。',
    readOnly: '仅账户所有者可以更改。',
  },
});

export type Thresholds = components['schemas']['AlertThresholds'];
/** Null: as the gateway is configured. */
export type ThresholdsSet = Readonly<Record<Currency, string | null>>;

export type AlertThresholdsProps = {
  readonly thresholds: UseQueryResult<Thresholds>;
  readonly mayChange: boolean;
  readonly save: (thresholds: ThresholdsSet) => Promise<Thresholds>;
  readonly onSaved: (thresholds: Thresholds) => Promise<void>;
};

export function AlertThresholds({ thresholds, ...form }: AlertThresholdsProps) {
  const t = useTexts(texts);
  const { data, error, refetch } = thresholds;
  return (
    <Card maw={720}>
      <Stack>
        <Title order={2} size="h4">
          {t('title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('lead')}
        </Text>
        {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          <Skeleton height={160} />
        ) : (
          <ThresholdsForm {...form} thresholds={data} />
        )}
      </Stack>
    </Card>
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
