/**
 * The tab with the monthly statements of each wallet: opening balance, changes, closing balance.
 */
import { Alert, Card, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconPrinter, IconReceipt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { components } from '#api/schema.gen.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { IconLink, TextLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { moneyColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { dateLocaleOf } from '#i18n/region.ts';
import { defineTexts, useLanguage, useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, sum } from '#money/amount.ts';
import { statementsQuery } from './billing-queries.ts';
import { lastDayOf } from './months.ts';

const texts = defineTexts('statements', {
  en: {
    lead: 'Months are in UTC. The opening balance, top-ups, requests and other changes add up exactly to the closing balance.',
    months: 'Monthly statements, newest first',
    month: 'Month',
    currency: 'Wallet',
    opening: 'Opening',
    topUps: 'Top-ups',
    requests: 'Requests',
    requestsHint: 'Select an amount to see the usage of the month by API key',
    other: 'Other',
    otherHint: 'Refunds, adjustments and currency exchange',
    closing: 'Closing',
    printOf: 'Print statement {{month}} {{currency}}',
    empty: 'No statements yet',
    emptyHint: 'A statement appears after the first transaction.',
    summing:
      'This account has many transactions, and the oldest are still being added up. The amounts update automatically.',
  },
  zh: {
    lead: '按 UTC 月份统计。期初余额加上充值、请求和其他变动，正好等于期末余额。',
    months: '月度对账单，最新在前',
    month: '月份',
    currency: '钱包',
    opening: '期初',
    topUps: '充值',
    requests: '请求',
    requestsHint: '点击金额，可查看当月各 API 密钥的用量',
    other: '其他',
    otherHint: '退款、调整与换汇',
    closing: '期末',
    printOf: '打印 {{month}} {{currency}} 对账单',
    empty: '还没有对账单',
    emptyHint: '有了第一笔流水后，这里会显示对账单。',
    summing: '此账户的流水很多，最早的流水仍在汇总，金额会自动更新。',
  },
});

type Month = components['schemas']['MonthlyStatement'];

const ADDRESS = '/console/api/statements';
export function StatementsTab() {
  const t = useTexts(texts);
  const { data, error, refetch } = useQuery(statementsQuery);
  const columns = useColumns(data?.data ?? []);
  if (error !== null && data === undefined) {
    return <ApiProblem error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Stack>
      {data?.is_whole === false ? (
        <Alert color="blue" role="status">
          {t('summing')}
        </Alert>
      ) : null}
      <Card>
        <DataTable
          label={t('months')}
          columns={columns}
          rows={data?.data}
          keyOf={({ month, currency }) => `${month} ${currency}`}
          download={{ href: ADDRESS }}
          summary={<Text variant="note">{t('lead')}</Text>}
          empty={
            <Empty icon={IconReceipt} title={t('empty')}>
              {t('emptyHint')}
            </Empty>
          }
        />
      </Card>
    </Stack>
  );
}

const otherOf = ({ refunds, exchanged, adjusted }: Month): string =>
  formatExact(sum([refunds, exchanged, adjusted]));

function useColumns(months: readonly Month[]): readonly Column<Month>[] {
  const t = useTexts(texts);
  const amount = (name: string, heading: string, of: (month: Month) => string): Column<Month> =>
    moneyColumn(name, heading, (month) => ({ ...month, amount: of(month) }), { exact: true });
  const charged = amount('requests', t('requests'), ({ requests }) => requests);
  return [
    { name: 'month', heading: t('month'), cell: (month) => <MonthLinks month={month} /> },
    { name: 'currency', heading: t('currency'), show: 'chosen', cell: ({ currency }) => currency },
    // The previous month of the wallet shows the same amount as its closing balance.
    { ...amount('opening', t('opening'), ({ opening }) => opening), show: 'fits' },
    amount('top-ups', t('topUps'), ({ top_ups: topUps }) => topUps),
    {
      ...charged,
      hint: t('requestsHint'),
      cell: (month, places) => (
        <TextLink
          inherit
          to="/usage"
          search={{
            ...{ from: `${month.month}-01`, to: lastDayOf(month.month) },
            ...{ by: 'key', currency: month.currency },
          }}
        >
          {charged.cell(month, places)}
        </TextLink>
      ),
    },
    {
      ...amount('other', t('other'), otherOf),
      hint: t('otherHint'),
      // This column may be hidden for lack of space if its amount is zero in every month.
      show: months.every((month) => parseAmount(otherOf(month)) === 0n) ? 'fits' : 'always',
    },
    { ...amount('closing', t('closing'), ({ closing }) => closing), phone: 'amount' },
  ];
}

/** Links of a month: to its ledger entries, and to its printable page. */
function MonthLinks({ month }: { readonly month: Month }) {
  const t = useTexts(texts);
  const params = { month: month.month, currency: month.currency };
  return (
    <Group component="span" display="inline-flex" gap={4} wrap="nowrap">
      <MonthLink month={month} />
      <Tooltip label={t('printOf', params)}>
        <IconLink
          variant="subtle"
          color="gray"
          size={24}
          to="/billing/statements/$month/$currency"
          params={params}
          aria-label={t('printOf', params)}
        >
          <IconPrinter size={16} aria-hidden />
        </IconLink>
      </Tooltip>
    </Group>
  );
}

/** A link to the ledger entries of a month. */
function MonthLink({ month: { month, currency } }: { readonly month: Month }) {
  const [language] = useLanguage();
  const format = new Intl.DateTimeFormat(dateLocaleOf(language), {
    year: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  const from = `${month}-01`;
  const search = { tab: 'ledger', currency, from, to: lastDayOf(month) } as const;
  return (
    <TextLink size="sm" style={{ whiteSpace: 'nowrap' }} to="/billing" search={search}>
      {format.format(new Date(from))}
    </TextLink>
  );
}
