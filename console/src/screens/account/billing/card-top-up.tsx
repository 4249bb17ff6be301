/** A form that redirects to the payment provider for a card payment, and a list of payments. */
import {
  Alert,
  Anchor,
  Button,
  Chip,
  Group,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { newIdempotencyKey } from '#api/client.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { Ago } from '#components/moment.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { Status, type Tone } from '#components/status.tsx';
import { moneyColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { formatExactGrouped, parseAmount, withCurrency } from '#money/amount.ts';
import { CURRENCIES, type Currency } from '#money/currencies.ts';
import {
  type AmountRange,
  amountProblem,
  type BonusStep,
  bonusOn,
  offeredAmounts,
  typedAmount,
} from './amounts.ts';
import { orderTopUp, type TopUp, topUpsQuery, useMoneyCameIn } from './billing-queries.ts';
import { cardTexts } from './card-texts.ts';

const route = getRouteApi('/app/billing');

type Limits = Readonly<Record<Currency, AmountRange>>;

export function CardTopUp() {
  const t = useTexts(cardTexts);
  const { data, error, refetch } = useQuery(topUpsQuery);
  useMoneyFromOrders(data?.data);
  if (data?.card_limits === null) return null;
  return (
    <SectionCard title={t('title')}>
      <Returned />
      {data === undefined ? (
        error === null ? (
          <Skeleton height={120} />
        ) : (
          <ApiProblem error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <OrderForm limits={data.card_limits} bonuses={data.bonuses} />
          {data.data.length === 0 ? null : <Orders orders={data.data} />}
        </>
      )}
    </SectionCard>
  );
}

/** A message for a person who returns from the payment provider. */
function Returned() {
  const t = useTexts(cardTexts);
  const { payment } = route.useSearch();
  if (payment === undefined) return null;
  return (
    <Alert color={payment === 'paid' ? 'green' : 'gray'} role="status">
      {t(payment === 'paid' ? 'thanks' : 'nothing')}
    </Alert>
  );
}

/** Refreshes the balance when an order changes to paid. */
function useMoneyFromOrders(orders: readonly TopUp[] | undefined): void {
  const moneyCameIn = useMoneyCameIn();
  const paid = orders?.filter(({ status }) => status === 'paid').length;
  const [known, setKnown] = useState(paid);
  useEffect(() => {
    if (paid === undefined || paid === known) return;
    setKnown(paid);
    if (known !== undefined) void moneyCameIn();
  }, [paid, known, moneyCameIn]);
}

type OrderValues = { readonly amount: string; readonly currency: Currency };

type OrderFormProps = {
  readonly limits: Limits;
  readonly bonuses: Readonly<Record<Currency, readonly BonusStep[]>>;
};

function OrderForm({ limits, bonuses }: OrderFormProps) {
  const t = useTexts(cardTexts);
  const [idempotencyKey] = useState(newIdempotencyKey);
  const shown = (amount: string, currency: string): string =>
    withCurrency(formatExactGrouped(parseAmount(amount)), currency);
  const { form, onSubmit, isRunning, problem } = useApiForm<OrderValues, TopUp>({
    initialValues: { amount: offeredAmounts(limits.USD)[1] ?? limits.USD.min, currency: 'USD' },
    validate: ({ amount, currency }) => {
      const { min, max } = limits[currency];
      const wrong = amountProblem(amount, limits[currency]);
      const range = { min: shown(min, currency), max: shown(max, currency) };
      return { amount: wrong === null ? null : t(wrong, range) };
    },
    // Submitting the same amount again sends the same idempotency key, so no second order is
    // created. Opening the page again creates a new key.
    send: ({ amount, currency }) =>
      orderTopUp(
        { amount: typedAmount(amount), currency },
        `${idempotencyKey}.${currency}.${typedAmount(amount)}`,
      ),
    onSent: ({ url }) => {
      if (url !== null) location.assign(url);
    },
  });
  const { amount, currency } = form.values;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <SegmentedControl
          aria-label={t('currency')}
          w="fit-content"
          data={[...CURRENCIES]}
          {...form.getInputProps('currency')}
        />
        <Chip.Group {...form.getInputProps('amount')}>
          <Group gap="xs" role="group" aria-label={t('amounts')}>
            {offeredAmounts(limits[currency]).map((amount) => (
              <Chip key={amount} value={amount}>
                {withCurrency(amount, currency)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Group align="flex-end" gap="sm">
          <TextInput
            flex="1 1 160px"
            maw={220}
            label={t('amount')}
            inputMode="decimal"
            autoComplete="off"
            leftSection={withCurrency('', currency)}
            {...form.getInputProps('amount')}
          />
          <Button type="submit" loading={isRunning}>
            {t('pay')}
          </Button>
        </Group>
        <BonusNote amount={amount} currency={currency} steps={bonuses[currency]} />
        <FormProblem error={problem} />
      </Stack>
    </form>
  );
}

type BonusNoteProps = OrderValues & { readonly steps: readonly BonusStep[] };

/** Shows, before the payment, the bonus that is credited with it. */
function BonusNote({ amount, currency, steps }: BonusNoteProps) {
  const t = useTexts(cardTexts);
  if (steps.length === 0) return null;
  const shown = (nano: bigint): string => withCurrency(formatExactGrouped(nano), currency);
  const bonus = bonusOn(amount, steps);
  const pay = bonus === 0n ? 0n : parseAmount(typedAmount(amount));
  const all = steps.map(({ from, percent }) =>
    t('step', { percent, from: shown(parseAmount(from)) }),
  );
  return (
    <Text size="sm" role="status">
      {bonus === 0n
        ? t('steps', { steps: all.join(' · ') })
        : t('gets', { pay: shown(pay), get: shown(pay + bonus) })}
    </Text>
  );
}

const TONES: Readonly<Record<TopUp['status'], Tone>> = {
  open: 'quiet',
  pending: 'quiet',
  paid: 'good',
  failed: 'bad',
  expired: 'quiet',
  review: 'attention',
};

function Orders({ orders }: { readonly orders: readonly TopUp[] }) {
  const t = useTexts(cardTexts);
  const bonusColumn: Column<TopUp> = moneyColumn(
    'bonus',
    t('bonus'),
    ({ bonus, currency }) => ({ amount: bonus, currency }),
    { exact: true },
  );
  const columns: readonly Column<TopUp>[] = [
    { name: 'when', heading: t('when'), cell: ({ created_at: at }) => <Ago at={at} /> },
    moneyColumn('amount', t('amount'), (order) => order, { phone: 'amount', exact: true }),
    ...(orders.some(({ bonus }) => parseAmount(bonus) > 0n) ? [bonusColumn] : []),
    {
      name: 'status',
      heading: t('status'),
      cell: ({ id, status, url }) => (
        <Group gap="xs" wrap="nowrap">
          <Status tone={TONES[status]}>{t(status)}</Status>
          {url === null ? null : (
            <Anchor href={url} size="sm">
              {t('continue')}
            </Anchor>
          )}
          {status === 'paid' ? (
            <TextLink size="sm" to="/billing/top-ups/$id" params={{ id }}>
              {t('receipt')}
            </TextLink>
          ) : null}
        </Group>
      ),
    },
  ];
  return (
    <DataTable
      label={t('orders')}
      columns={columns}
      rows={orders}
      keyOf={({ id }) => id}
      minWidth={380}
    />
  );
}
