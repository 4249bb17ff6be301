/** The form of an adjustment, which shows the resulting balance before anything is booked. */
import { Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { newIdempotencyKey } from '#api/client.ts';
import { Dialog } from '#components/dialog.tsx';
import { AmountInput } from '#components/forms/amount-input.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormFooter } from '#components/forms/form-footer.tsx';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, withCurrency } from '#money/amount.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { Money } from '#money/money.tsx';
import { type Account, type Currency, useAccountsChanged } from './account-queries.ts';
import { availableAfter, type OrderKind, orderAmount } from './order.ts';
import { type OrderForm, sendOrder } from './order-queries.ts';
import { orderTexts } from './order-texts.ts';

export type OrderDialogProps = {
  readonly account: Account;
  /** The adjustment to make; null while the dialog is closed. */
  readonly order: { readonly kind: OrderKind; readonly currency: Currency } | null;
  readonly onClose: () => void;
};

export function OrderDialog({ account, order, onClose }: OrderDialogProps) {
  const t = useTexts(orderTexts);
  return (
    <Dialog
      opened={order !== null}
      onClose={onClose}
      title={order === null ? '' : t(`${order.kind}Title`, { name: account.name })}
    >
      {order === null ? null : <OrderFields account={account} {...order} onClose={onClose} />}
    </Dialog>
  );
}

type OrderFieldsProps = {
  readonly account: Account;
  readonly kind: OrderKind;
  readonly currency: Currency;
  readonly onClose: () => void;
};

function useOrder({ account, kind, currency, onClose }: OrderFieldsProps) {
  const t = useTexts(orderTexts);
  const changed = useAccountsChanged();
  const [key] = useState(newIdempotencyKey);
  const wrong = {
    credit: 'amountWrong',
    exchange: 'amountWrong',
    adjust: 'signedWrong',
    credit_limit: 'limitWrong',
  } as const;
  return useApiForm<OrderForm, Awaited<ReturnType<typeof sendOrder>>>({
    initialValues: {
      amount: '',
      currency,
      from: currency === 'USD' ? 'CNY' : 'USD',
      reason: '',
      reference: '',
    },
    validate: ({ amount, reason, from, currency: to }) => ({
      amount: orderAmount(kind, amount) === null ? t(wrong[kind]) : null,
      reason: reason.trim() === '' ? t('reasonWrong') : null,
      from: kind === 'exchange' && from === to ? t('same') : null,
    }),
    send: (values) => sendOrder(account.id, kind, values, key),
    onSent: async (booked) => {
      await changed();
      const available = withCurrency(formatExact(parseAmount(booked.available)), booked.currency);
      const key = booked.already_applied ? 'already' : 'booked';
      notifications.show({ color: 'green', message: t(key, { available }) });
      onClose();
    },
  });
}

function OrderFields(props: OrderFieldsProps) {
  const { account, kind, onClose } = props;
  const t = useTexts(orderTexts);
  const { form, onSubmit, isRunning, problem } = useOrder(props);
  const amountName = {
    credit: 'amount',
    adjust: 'amount',
    exchange: 'buys',
    credit_limit: 'limit',
  } as const;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {t(`${kind}Lead`)}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: kind === 'exchange' ? 3 : 2 }} spacing="sm">
          <AmountInput
            label={t(amountName[kind])}
            placeholder={kind === 'adjust' ? '-2.50' : '100.00'}
            data-autofocus
            {...form.getInputProps('amount')}
          />
          {kind === 'exchange' ? (
            <Select
              label={t('from')}
              data={[...CURRENCIES]}
              allowDeselect={false}
              {...form.getInputProps('from')}
            />
          ) : null}
          <Select
            label={kind === 'exchange' ? t('to') : t('currency')}
            data={[...CURRENCIES]}
            allowDeselect={false}
            {...form.getInputProps('currency')}
          />
        </SimpleGrid>
        <TextInput
          label={t('reason')}
          description={t('reasonHint')}
          maxLength={500}
          {...form.getInputProps('reason')}
        />
        {kind === 'credit' ? (
          <TextInput
            label={t('reference')}
            description={t('referenceHint')}
            maxLength={100}
            {...form.getInputProps('reference')}
          />
        ) : null}
        <Consequence account={account} kind={kind} values={form.values} />
        <FormFooter
          submit={t('submit')}
          isRunning={isRunning}
          problem={problem}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

type ConsequenceProps = {
  readonly account: Account;
  readonly kind: OrderKind;
  readonly values: OrderForm;
};

/** The available balance of the wallet before and after the adjustment. */
function Consequence({ account, kind, values }: ConsequenceProps) {
  const t = useTexts(orderTexts);
  const wallet = account.wallets.find(({ currency }) => currency === values.currency);
  if (wallet === undefined) return null;
  const amount = orderAmount(kind, values.amount);
  return (
    <Group gap="xl" aria-live="polite">
      <Stack gap={0}>
        <Text size="xs" c="dimmed">
          {t('nowAvailable')}
        </Text>
        <Money amount={wallet.available} currency={wallet.currency} />
      </Stack>
      <Stack gap={0}>
        <Text size="xs" c="dimmed">
          {t('afterwards')}
        </Text>
        {amount === null ? (
          <Text>–</Text>
        ) : (
          <Money
            fw={600}
            exact
            amount={availableAfter(kind, wallet, amount)}
            currency={wallet.currency}
          />
        )}
      </Stack>
    </Group>
  );
}
