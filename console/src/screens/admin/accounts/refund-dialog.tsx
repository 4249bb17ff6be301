/** The dialog that refunds all or part of a request's charge. */
import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { newIdempotencyKey } from '#api/client.ts';
import { Copyable } from '#components/copyable.tsx';
import { Dialog } from '#components/dialog.tsx';
import { AmountInput } from '#components/forms/amount-input.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormFooter } from '#components/forms/form-footer.tsx';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, withCurrency } from '#money/amount.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { Money } from '#money/money.tsx';
import { type LoggedRequest, useAccountsChanged } from './account-queries.ts';
import { type Booked, refundRequest } from './order-queries.ts';
import { orderTexts } from './order-texts.ts';

export type RefundDialogProps = {
  /** The request to refund; null while the dialog is closed. */
  readonly request: LoggedRequest | null;
  readonly onClose: () => void;
};

export function RefundDialog({ request, onClose }: RefundDialogProps) {
  const t = useTexts(orderTexts);
  return (
    <Dialog opened={request !== null} onClose={onClose} title={t('refundTitle')}>
      {request === null ? null : <RefundForm request={request} onClose={onClose} />}
    </Dialog>
  );
}

type RefundFormProps = { readonly request: LoggedRequest; readonly onClose: () => void };
type Refund = { readonly much: 'all' | 'part'; readonly amount: string; readonly reason: string };

function useRefund({ request, onClose }: RefundFormProps) {
  const t = useTexts(orderTexts);
  const changed = useAccountsChanged();
  const [key] = useState(newIdempotencyKey);
  return useApiForm<Refund, Booked>({
    initialValues: { much: 'all', amount: '', reason: '' },
    validate: ({ much, amount, reason }) => ({
      amount: much === 'part' && enteredAmount(amount) === null ? t('amountWrong') : null,
      reason: reason.trim() === '' ? t('reasonWrong') : null,
    }),
    send: ({ much, amount, reason }) =>
      refundRequest(
        request.id,
        much === 'all' ? 'all' : (enteredAmount(amount) ?? amount),
        reason.trim(),
        key,
      ),
    onSent: async (booked) => {
      await changed();
      const available = withCurrency(formatExact(parseAmount(booked.available)), booked.currency);
      notifications.show({
        color: 'green',
        message: t(booked.already_applied ? 'already' : 'booked', { available }),
      });
      onClose();
    },
  });
}

function RefundForm(props: RefundFormProps) {
  const { request, onClose } = props;
  const t = useTexts(orderTexts);
  const { form, onSubmit, isRunning, problem } = useRefund(props);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('refundLead')}
        </Text>
        <Charged request={request} />
        <SegmentedControl
          aria-label={t('howMuch')}
          value={form.values.much}
          onChange={(much) => form.setFieldValue('much', much === 'part' ? 'part' : 'all')}
          data={[
            { value: 'all', label: t('all') },
            { value: 'part', label: t('part') },
          ]}
        />
        {form.values.much === 'part' ? (
          <AmountInput
            label={t('amount')}
            currency={request.currency}
            {...form.getInputProps('amount')}
          />
        ) : null}
        <TextInput
          label={t('reason')}
          description={t('reasonHint')}
          maxLength={500}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <FormFooter
          submit={t('refund')}
          isRunning={isRunning}
          problem={problem}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

function Charged({ request }: { readonly request: LoggedRequest }) {
  const t = useTexts(orderTexts);
  return (
    <Stack gap={4}>
      <Text size="sm">
        {t('request')}: <Copyable value={request.id} />
      </Text>
      <Group gap="xl">
        <Text size="sm">
          {t('charged')}: <Money exact amount={request.cost} currency={request.currency} />
        </Text>
        <Text size="sm">
          {t('refunded')}: <Money exact amount={request.refunded} currency={request.currency} />
        </Text>
      </Group>
    </Stack>
  );
}
