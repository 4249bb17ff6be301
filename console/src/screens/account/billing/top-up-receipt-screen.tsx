/** The receipt of a card payment, as a page to print. */
import { Skeleton, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answerOf, api } from '#api/client.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExactGrouped, parseAmount } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { TOP_UPS, type TopUp } from './billing-queries.ts';
import { cardTexts } from './card-texts.ts';
import { Paper, PaperPage } from './paper.tsx';

const texts = defineTexts('top-up-receipt', {
  en: {
    title: 'Receipt',
    number: 'Number',
    ordered: 'Ordered',
    method: 'Method',
    card: 'Card',
    status: 'Status',
    unpaid: 'This payment is not complete. This page is not a receipt yet.',
    amount: 'Prepaid credit',
  },
  zh: {
    title: '收据',
    number: '编号',
    ordered: '下单时间',
    method: '付款方式',
    card: '银行卡',
    status: '状态',
    unpaid: '该笔支付尚未完成，本页暂不能作为收据。',
    amount: '预付充值',
  },
});

const route = getRouteApi('/app/billing/top-ups/$id');

const topUpQuery = (id: string) =>
  queryOptions({
    queryKey: [...TOP_UPS, id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/console/api/top-ups/{id}', { params: { path: { id } }, signal })),
  });

export function TopUpReceiptScreen() {
  const t = useTexts(texts);
  const { data, error, refetch } = useQuery(topUpQuery(route.useParams().id));
  if (error === null && data !== undefined) return <Receipt topUp={data} />;
  return (
    <PaperPage title={t('title')} tab="wallets">
      {error === null ? (
        <Skeleton height={300} />
      ) : (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      )}
    </PaperPage>
  );
}

function Receipt({ topUp }: { readonly topUp: TopUp }) {
  const t = useTexts(texts);
  const statusName = useTexts(cardTexts);
  const { time } = useFormats('UTC');
  const { id, amount, bonus, currency, status, created_at: at } = topUp;
  return (
    <Paper
      title={t('title')}
      tab="wallets"
      facts={[
        { name: t('number'), value: id },
        { name: t('ordered'), value: `${time(at)} UTC` },
        { name: t('method'), value: t('card') },
        { name: t('status'), value: statusName(status) },
        ...(parseAmount(bonus) === 0n
          ? []
          : [
              {
                name: statusName('bonus'),
                value: `${formatExactGrouped(parseAmount(bonus))} ${currency}`,
              },
            ]),
      ]}
    >
      <div>
        <Text variant="note">{t('amount')}</Text>
        <Money amount={amount} currency={currency} exact fz={28} fw={650} /> {currency}
      </div>
      {status === 'paid' ? null : <Text size="sm">{t('unpaid')}</Text>}
    </Paper>
  );
}
