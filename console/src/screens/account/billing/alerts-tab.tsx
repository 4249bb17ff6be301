/** When a wallet counts as low: here, in the header, and to whoever is told. */
import { Button, Card, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import type { components } from '../../../api/schema.gen.ts';
import { mayAs, useSignedIn } from '../../../api/session.ts';
import { walletsQuery } from '../../../api/wallets.ts';
import { ApiProblem } from '../../../components/api-problem.tsx';
import { useApiForm } from '../../../components/forms/api-form.ts';
import { FormProblem } from '../../../components/forms/form-problem.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import {
  formatExact,
  formatShort,
  isAmount,
  parseAmount,
  withCurrency,
} from '../../../money/amount.ts';
import { CURRENCIES, type Currency } from '../../../money/currencies.ts';

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

type Thresholds = components['schemas']['AlertThresholds'];
type AlertValues = Readonly<Record<Currency, string>>;

const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/alerts', { signal })),
});

export function AlertsTab() {
  const t = useTexts(texts);
  const { data, error, refetch } = useQuery(alertsQuery);
  return (
    <Card maw={720}>
      <Stack>
        <Title order={2} size="h4">
          {t('title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('lead')}
        </Text>
        {data === undefined ? (
          error === null ? (
            <Skeleton height={160} />
          ) : (
            <ApiProblem error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <AlertsForm thresholds={data} />
        )}
      </Stack>
    </Card>
  );
}

const shownThreshold = (amount: string | null): string =>
  amount === null ? '' : formatExact(parseAmount(amount));

function AlertsForm({ thresholds }: { readonly thresholds: Thresholds }) {
  const t = useTexts(texts);
  const mayChange = mayAs(useSignedIn().role, 'owner');
  const queryClient = useQueryClient();
  const { form, onSubmit, isRunning, problem } = useApiForm<AlertValues, Thresholds>({
    initialValues: { USD: shownThreshold(thresholds.USD), CNY: shownThreshold(thresholds.CNY) },
    validate: ({ USD, CNY }) => ({
      USD: wrong(USD, t('notAmount')),
      CNY: wrong(CNY, t('notAmount')),
    }),
    send: ({ USD, CNY }) =>
      answerOf(api.PUT('/console/api/alerts', { body: { USD: sent(USD), CNY: sent(CNY) } })),
    onSent: async (answer) => {
      queryClient.setQueryData(alertsQuery.queryKey, answer);
      await queryClient.invalidateQueries(walletsQuery);
      notifications.show({ message: t('saved'), color: 'green' });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {CURRENCIES.map((currency) => (
          <TextInput
            key={currency}
            maw={280}
            label={t('below', { currency })}
            description={`${inForce(thresholds.in_force[currency], currency, t)} ${t('hint')}`}
            inputMode="decimal"
            autoComplete="off"
            leftSection={withCurrency('', currency)}
            disabled={!mayChange}
            {...form.getInputProps(currency)}
          />
        ))}
        <FormProblem error={problem} />
        {mayChange ? (
          <Group>
            <Button type="submit" loading={isRunning}>
              {t('save')}
            </Button>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            {t('readOnly')}
          </Text>
        )}
      </Stack>
    </form>
  );
}

const inForce = (
  amount: string | null,
  currency: string,
  t: ReturnType<typeof useTexts<keyof typeof texts.en>>,
): string =>
  amount === null
    ? t('noneInForce')
    : t('inForce', { amount: withCurrency(formatShort(parseAmount(amount)), currency) });

const sent = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const wrong = (text: string, message: string): string | null =>
  text.trim() === '' || (isAmount(text.trim()) && !text.trim().startsWith('-')) ? null : message;
