/** When a wallet of the account counts as low, and its people are told. */
import { Button, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import { ApiProblem } from '../../../components/api-problem.tsx';
import { AmountInput } from '../../../components/forms/amount-input.tsx';
import { useApiForm } from '../../../components/forms/api-form.ts';
import { FormProblem } from '../../../components/forms/form-problem.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { formatExact, parseAmount } from '../../../money/amount.ts';
import { enteredAmount } from '../../../money/entered-amount.ts';
import { thresholdsQuery } from './account-queries.ts';

const texts = defineTexts('admin-thresholds', {
  en: {
    title: 'Low-balance alert',
    lead: 'Told once when a wallet falls below. Empty: as configured for all. Zero: never.',
    below: 'Below, in {{currency}}',
    configured: 'As configured',
    save: 'Save',
    saved: 'The thresholds are saved',
    wrong: 'Zero or more, with at most nine digits after the point; or empty.',
  },
  zh: {
    title: '低余额提醒',
    lead: '钱包低于阈值时提醒一次。留空：沿用全局配置。零：从不提醒。',
    below: '低于（{{currency}}）',
    configured: '沿用配置',
    save: '保存',
    saved: '阈值已保存',
    wrong: '请输入不小于零的金额，小数点后最多九位；或留空。',
  },
});

type Thresholds = { readonly USD: string; readonly CNY: string };
const CURRENCIES = ['USD', 'CNY'] as const;

export function ThresholdsForm({ accountId }: { readonly accountId: string }) {
  const t = useTexts(texts);
  const { data, error, refetch } = useQuery(thresholdsQuery(accountId));
  const shown = (amount: string | null): string =>
    amount === null ? '' : formatExact(parseAmount(amount));
  return (
    <Card>
      <Stack>
        <Stack gap={4}>
          <Title order={2} size="h5">
            {t('title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('lead')}
          </Text>
        </Stack>
        {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          <Skeleton height={60} />
        ) : (
          <Fields accountId={accountId} initial={{ USD: shown(data.USD), CNY: shown(data.CNY) }} />
        )}
      </Stack>
    </Card>
  );
}

type FieldsProps = { readonly accountId: string; readonly initial: Thresholds };

function Fields({ accountId, initial }: FieldsProps) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const isWrong = (text: string): boolean =>
    text.trim() !== '' && enteredAmount(text, { zero: true }) === null;
  const sent = (text: string): string | null => enteredAmount(text, { zero: true });
  const { form, onSubmit, isRunning, problem } = useApiForm<Thresholds, unknown>({
    initialValues: initial,
    validate: ({ USD, CNY }) => ({
      USD: isWrong(USD) ? t('wrong') : null,
      CNY: isWrong(CNY) ? t('wrong') : null,
    }),
    send: ({ USD, CNY }) =>
      answerOf(
        api.PUT('/admin/v1/accounts/{id}/alerts', {
          params: { path: { id: accountId } },
          body: { USD: sent(USD), CNY: sent(CNY) },
        }),
      ),
    onSent: async () => {
      await queries.invalidateQueries(thresholdsQuery(accountId));
      notifications.show({ color: 'green', message: t('saved') });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }} maw={520}>
          {CURRENCIES.map((currency) => (
            <AmountInput
              key={currency}
              label={t('below', { currency })}
              placeholder={t('configured')}
              {...form.getInputProps(currency)}
            />
          ))}
        </SimpleGrid>
        <FormProblem error={problem} />
        <Group>
          <Button type="submit" variant="default" loading={isRunning}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
