/** The tab with an account's wallets, the forms that change them, and their alert thresholds. */
import { Button, Card, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, newIdempotencyKey, taggedPath } from '#api/client.ts';
import { Dialog } from '#components/dialog.tsx';
import { AlertThresholds } from '#components/forms/alert-thresholds.tsx';
import { AmountInput } from '#components/forms/amount-input.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExactGrouped, parseAmount, withCurrency } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { ratesQuery } from '#screens/admin/cards/card-queries.ts';
import { CurrencyField, ReasonField } from '#screens/admin/money-fields.tsx';
import {
  type Account,
  type Currency,
  idPath,
  readThresholds,
  thresholdsQuery,
  useAccountsChanged,
  type Wallet,
  webhookQuery,
} from './account-queries.ts';
import {
  availableAfter,
  BOUGHT,
  ORDERS,
  type OrderKind,
  orderAmount,
  paidFor,
  SOLD,
} from './order.ts';
import { type OrderForm, sendOrder, useReused } from './order-queries.ts';
import { orderTexts } from './order-texts.ts';

const texts = defineTexts('admin-wallets', {
  en: {
    wallet: '{{currency}} wallet',
    available: 'available',
    balance: 'Balance',
    held: 'Held for running requests',
    credit_limit: 'Credit limit',
    webhook: 'Webhook',
    posts: 'Alerts of this account are sent to {{host}}. An owner set the webhook on {{time}}.',
    remove: 'Remove webhook',
    removeText:
      'Alerts that are waiting to be sent will be discarded. An owner can set up the webhook again.',
  },
  zh: {
    wallet: '{{currency}} 钱包',
    available: '可用',
    balance: '余额',
    held: '为进行中的请求预扣',
    credit_limit: '信用额度',
    webhook: '账户 Webhook',
    posts: '该账户的提醒会发送到 {{host}}，此 Webhook 由所有者于 {{time}} 设置。',
    remove: '移除 Webhook',
    removeText: '等待发送的提醒会被丢弃。所有者可以重新设置 Webhook。',
  },
});

export function WalletsTab({ account }: { readonly account: Account }) {
  const [order, setOrder] = useState<{ kind: OrderKind; currency: Currency } | null>(null);
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {account.wallets.toSorted(usdFirst).map((wallet) => (
          <WalletCard
            key={wallet.currency}
            wallet={wallet}
            onOrder={(kind) => setOrder({ kind, currency: wallet.currency })}
          />
        ))}
      </SimpleGrid>
      <Alerts accountId={account.id} />
      <Webhook accountId={account.id} />
      <OrderDialog account={account} order={order} onClose={() => setOrder(null)} />
    </Stack>
  );
}

function Alerts({ accountId: id }: { readonly accountId: string }) {
  const queryClient = useQueryClient();
  const query = thresholdsQuery(id);
  return (
    <AlertThresholds
      thresholds={useQuery(query)}
      mayChange
      read={() => readThresholds(id)}
      save={(body, { etag }) =>
        answerOf(api.PUT('/admin/v1/accounts/{id}/alerts', { ...taggedPath(id, etag), body }))
      }
      onSaved={async (saved) => void queryClient.setQueryData(query.queryKey, saved)}
    />
  );
}

/** The webhook for the account's own alerts. Renders nothing if the account has none. */
function Webhook({ accountId: id }: { readonly accountId: string }) {
  const t = useTexts(texts);
  const { time } = useFormats();
  const query = useQuery(webhookQuery(id));
  const [isAsked, ask] = useState(false);
  const host = query.data?.host ?? null;
  if (host === null && query.error === null) return null;
  return (
    <SectionCard title={t('webhook')} query={query} maw={720}>
      <Group justify="space-between">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('posts', { host: host ?? '', time: time(query.data?.created_at ?? '') })}
        </Text>
        <Button variant="default" onClick={() => ask(true)}>
          {t('remove')}
        </Button>
      </Group>
      <TypeToConfirm
        opened={isAsked}
        onClose={() => ask(false)}
        title={t('remove')}
        phrase={host ?? ''}
        confirm={t('remove')}
        act={() => answerOf(api.DELETE('/admin/v1/accounts/{id}/webhook', idPath(id)))}
        onDone={() => void query.refetch()}
      >
        {t('removeText')}
      </TypeToConfirm>
    </SectionCard>
  );
}

const usdFirst = (a: Wallet, b: Wallet): number =>
  Number(b.currency === 'USD') - Number(a.currency === 'USD');

type WalletCardProps = {
  readonly wallet: Wallet;
  readonly onOrder: (kind: OrderKind) => void;
};

function WalletCard({ wallet, onOrder }: WalletCardProps) {
  const t = useTexts(texts);
  const tOrder = useTexts(orderTexts);
  const { currency } = wallet;
  return (
    <Card component="section" aria-label={t('wallet', { currency })}>
      <Stack>
        <Title order={2} size="h5">
          {t('wallet', { currency })}
        </Title>
        <Group gap="xs" align="baseline">
          <Money fz={28} fw={600} lh={1.2} amount={wallet.available} currency={currency} />
          <Text c="dimmed">{t('available')}</Text>
        </Group>
        <Group gap="8px 32px">
          {(['balance', 'held', 'credit_limit'] as const).map((name) => (
            <Stack key={name} gap={0}>
              <Text variant="caption">{t(name)}</Text>
              <Money fz="sm" amount={wallet[name]} currency={currency} />
            </Stack>
          ))}
        </Group>
        <Group gap="xs">
          {ORDERS.map((kind) => (
            <Button
              key={kind}
              size="xs"
              variant="default"
              aria-label={`${tOrder(kind)} ${currency}`}
              onClick={() => onOrder(kind)}
            >
              {tOrder(kind)}
            </Button>
          ))}
        </Group>
      </Stack>
    </Card>
  );
}

type OrderDialogProps = {
  readonly account: Account;
  /** The kind of change and the currency of its wallet; null while the dialog is closed. */
  readonly order: { readonly kind: OrderKind; readonly currency: Currency } | null;
  readonly onClose: () => void;
};

/** The form that changes a wallet. It shows the resulting balance before anything is booked. */
function OrderDialog({ account, order, onClose }: OrderDialogProps) {
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
  const reused = useReused();
  const wrong = {
    credit: 'amountWrong',
    exchange: 'amountWrong',
    adjust: 'signedWrong',
    credit_limit: 'limitWrong',
  } as const;
  return useApiForm<OrderForm, Awaited<ReturnType<typeof sendOrder>>>({
    initialValues: {
      amount: '',
      currency: kind === 'exchange' ? BOUGHT : currency,
      reason: '',
      reference: '',
    },
    validate: ({ amount, reason }) => ({
      amount: orderAmount(kind, amount) === null ? t(wrong[kind]) : null,
      reason: reason.trim() === '' ? t('reasonWrong') : null,
    }),
    send: (values) => sendOrder(account.id, kind, values, key).catch(reused),
    onSent: async (booked) => {
      await changed();
      const available = withCurrency(
        formatExactGrouped(parseAmount(booked.available)),
        booked.currency,
      );
      const key = booked.already_applied ? 'already' : 'booked';
      notifications.show({ color: 'green', message: t(key, { available }) });
      onClose();
    },
  });
}

function OrderFields(props: OrderFieldsProps) {
  const { account, kind, onClose } = props;
  const t = useTexts(orderTexts);
  const { form, ...sending } = useOrder(props);
  const amountName = {
    credit: 'amount',
    adjust: 'amount',
    exchange: 'buys',
    credit_limit: 'limit',
  } as const;
  return (
    <FormBody of={sending} submit={t(kind)} onCancel={onClose}>
      <Text variant="note">{t(`${kind}Lead`)}</Text>
      <SimpleGrid cols={{ base: 1, xs: kind === 'exchange' ? 1 : 2 }} spacing="sm">
        <AmountInput
          label={t(amountName[kind])}
          placeholder={kind === 'adjust' ? '-2.50' : '100.00'}
          data-autofocus
          {...form.getInputProps('amount')}
        />
        {kind === 'exchange' ? null : <CurrencyField form={form} label={t('currency')} />}
      </SimpleGrid>
      <ReasonField form={form} label={t('reason')} description={t('reasonHint')} />
      {kind === 'credit' ? (
        <TextInput
          label={t('reference')}
          description={t('referenceHint')}
          maxLength={100}
          {...form.getInputProps('reference')}
        />
      ) : null}
      <Consequence account={account} kind={kind} values={form.values} />
    </FormBody>
  );
}

type ConsequenceProps = {
  readonly account: Account;
  readonly kind: OrderKind;
  readonly values: OrderForm;
};

/** The available balance of the wallet before and after the change. */
function Consequence({ account, kind, values }: ConsequenceProps) {
  const t = useTexts(orderTexts);
  const wallet = account.wallets.find(({ currency }) => currency === values.currency);
  if (wallet === undefined) return null;
  const amount = orderAmount(kind, values.amount);
  return (
    <Group gap="xl" aria-live="polite">
      <Stack gap={0}>
        <Text variant="caption">{t('nowAvailable')}</Text>
        <Money amount={wallet.available} currency={wallet.currency} />
      </Stack>
      <Stack gap={0}>
        <Text variant="caption">{t('afterwards')}</Text>
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
      {kind === 'exchange' ? <Paid amount={amount} /> : null}
    </Group>
  );
}

/** What an exchange takes from the other wallet, at the rate in force. */
function Paid({ amount }: { readonly amount: string | null }) {
  const t = useTexts(orderTexts);
  const rates = useInfiniteQuery(ratesQuery).data?.pages.flatMap(({ data }) => data);
  const rate = rates?.find((each) => each.in_force && each.from === SOLD && each.to === BOUGHT);
  if (rate === undefined) return null;
  return (
    <Stack gap={0}>
      <Text variant="caption">{t('paid', { rate: rate.rate })}</Text>
      {amount === null ? (
        <Text>–</Text>
      ) : (
        <Money fw={600} exact amount={paidFor(amount, rate.rate)} currency={SOLD} />
      )}
    </Stack>
  );
}
