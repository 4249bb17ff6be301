/** The dialog that creates a batch of redeem codes. */
import { NumberInput, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, newIdempotencyKey } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { Dialog } from '#components/dialog.tsx';
import { AmountInput } from '#components/forms/amount-input.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { DayInput } from '#components/forms/day-input.tsx';
import { FormBody } from '#components/forms/form-footer.tsx';
import { isDay } from '#i18n/entered-days.ts';
import { useTexts } from '#i18n/texts.ts';
import { shownZone, useTimeZone } from '#i18n/time-zone.ts';
import { dayIn, lastSecondOf } from '#i18n/zoned-days.ts';
import { formatExact, parseAmount } from '#money/amount.ts';
import type { Currency } from '#money/currencies.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { Money } from '#money/money.tsx';
import { CurrencyField, ReasonField } from '#screens/admin/money-fields.tsx';
import { useBatchesChanged } from './batch-queries.ts';
import { redeemTexts } from './redeem-codes-texts.ts';

export type CreatedBatch = components['schemas']['CreatedRedeemBatch'];

export type NewBatchDialogProps = {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (batch: CreatedBatch) => void;
};

export function NewBatchDialog({ opened, onClose, onCreated }: NewBatchDialogProps) {
  const t = useTexts(redeemTexts);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('createTitle')}>
      <NewBatchForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

/** The API's maximum number of codes in a batch. */
const MAX_CODES = 10_000;

type NewBatch = {
  readonly count: number;
  readonly amount: string;
  readonly currency: Currency;
  readonly reason: string;
  /** The last day on which the codes are valid; empty for no expiry. */
  readonly expires_at: string;
};

function useNewBatch(onCreated: (batch: CreatedBatch) => void) {
  const t = useTexts(redeemTexts);
  const changed = useBatchesChanged();
  const [key] = useState(newIdempotencyKey);
  return useApiForm<NewBatch, CreatedBatch>({
    initialValues: {
      count: 10,
      amount: '',
      currency: 'USD',
      reason: '',
      expires_at: '',
    },
    validate: ({ count, amount, reason, expires_at: lastDay }) => ({
      expires_at: lastDay === '' || isDay(lastDay) ? null : t('dateWrong'),
      count: Number.isInteger(count) && count >= 1 && count <= MAX_CODES ? null : t('countWrong'),
      amount: enteredAmount(amount) === null ? t('amountWrong') : null,
      reason: reason.trim() === '' ? t('reasonWrong') : null,
    }),
    send: ({ amount, expires_at: lastDay, ...values }) =>
      answerOf(
        api.POST('/admin/v1/redeem-batches', {
          headers: { 'idempotency-key': key },
          body: {
            ...values,
            amount: enteredAmount(amount) ?? amount,
            expires_at: lastDay === '' ? null : lastSecondOf(shownZone(), lastDay),
          },
        }),
      ),
    onSent: (batch) => {
      void changed();
      onCreated(batch);
    },
  });
}

function NewBatchForm({ onClose, onCreated }: Omit<NewBatchDialogProps, 'opened'>) {
  const t = useTexts(redeemTexts);
  const zone = useTimeZone();
  const { form, ...sending } = useNewBatch(onCreated);
  return (
    <FormBody of={sending} submit={t('create')} onCancel={onClose}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <NumberInput
          label={t('count')}
          min={1}
          allowDecimal={false}
          data-autofocus
          max={MAX_CODES}
          {...form.getInputProps('count')}
        />
        <AmountInput label={t('eachAmount')} placeholder="5.00" {...form.getInputProps('amount')} />
        <CurrencyField form={form} label={t('currency')} />
      </SimpleGrid>
      <ReasonField form={form} label={t('reason')} description={t('reasonHint')} />
      <DayInput
        label={t('expires')}
        description={t('expiresHint', { zone })}
        min={dayIn(zone, Date.now())}
        {...form.getInputProps('expires_at')}
        value={form.values.expires_at}
      />
      <Worth {...form.values} />
    </FormBody>
  );
}

type WorthProps = { readonly count: number; readonly amount: string; readonly currency: Currency };

/** The total value of all codes, which makes a mistyped amount noticeable. */
function Worth({ count, amount, currency }: WorthProps) {
  const t = useTexts(redeemTexts);
  const each = enteredAmount(amount);
  if (each === null || !Number.isInteger(count) || count < 1) return null;
  const total = formatExact(parseAmount(each) * BigInt(count));
  return (
    <Text size="sm">
      {t('total')}: <Money fw={600} exact amount={total} currency={currency} />
    </Text>
  );
}
