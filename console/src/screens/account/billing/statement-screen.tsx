/** The statement of a wallet for a month, as a page to print. */
import { Skeleton, Text } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import { usageRows } from '#api/usage.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { moneyColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExact } from '#money/amount.ts';
import type { Currency } from '#money/currencies.ts';
import { useReason } from '#money/reason.ts';
import { type Movement, STATEMENTS, statementsQuery } from './billing-queries.ts';
import { ledgerTexts } from './ledger-texts.ts';
import { lastDayOf } from './months.ts';
import { Paper, PaperPage } from './paper.tsx';
import { type MonthlyStatement, type StatementLine, statementLines } from './statement-lines.ts';

const texts = defineTexts('statement', {
  en: {
    title: 'Statement',
    period: 'Period (UTC)',
    wallet: 'Wallet',
    date: 'Date',
    text: 'Description',
    amount: 'Amount',
    lines: 'Lines of the statement',
    opening: 'Opening balance',
    closing: 'Closing balance',
    charges_one: '{{model}}, {{shown}} request',
    charges_other: '{{model}}, {{shown}} requests',
    corrections: 'Corrections of earlier charges',
    open: 'The month is not over. Its amounts can still change.',
    none: 'No statement for this month',
    noneHint: 'A wallet has a statement for each month since its first transaction.',
  },
  zh: {
    title: '对账单',
    period: '账期（UTC）',
    wallet: '钱包',
    date: '日期',
    text: '说明',
    amount: '金额',
    lines: '对账单明细',
    opening: '期初余额',
    closing: '期末余额',
    charges_one: '{{model}}，{{shown}} 次请求',
    charges_other: '{{model}}，{{shown}} 次请求',
    corrections: '对先前扣费的更正',
    open: '本月尚未结束，金额可能变动。',
    none: '该月没有对账单',
    noneHint: '自钱包产生第一笔流水起，每月都有对账单。',
  },
});

const route = getRouteApi('/app/billing/statements/$month/$currency');
const PAGE = 1_000;
/** The kinds of movements that are listed individually. Charges are summed by model. */
const LISTED = ['credit', 'exchange', 'refund', 'adjust'] as const;

async function movementsOf(
  query: { readonly kind: Movement['kind']; readonly currency: Currency } & Period,
  signal: AbortSignal,
): Promise<readonly Movement[]> {
  const found: Movement[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const parameters = { ...query, ...given({ after }), limit: PAGE };
    const page: { readonly data: readonly Movement[]; readonly next: string | null } =
      await answerOf(api.GET('/console/api/ledger', { params: { query: parameters }, signal }));
    found.push(...page.data);
    after = page.next;
  }
  return found;
}

type Period = { readonly from: string; readonly to: string };
const periodOf = (month: string): Period => ({ from: `${month}-01`, to: lastDayOf(month) });

const linesQuery = (statement: MonthlyStatement) =>
  queryOptions({
    queryKey: [...STATEMENTS, 'lines', statement],
    queryFn: async ({ signal }) => {
      const query = { currency: statement.currency, ...periodOf(statement.month) };
      const [usage, ...movements] = await Promise.all([
        usageRows({ ...query, group_by: 'model' }, signal),
        ...LISTED.map((kind) => movementsOf({ ...query, kind }, signal)),
      ]);
      return statementLines(statement, movements.flat(), usage.rows);
    },
  });

export function StatementScreen() {
  const t = useTexts(texts);
  const { month, currency } = route.useParams();
  const { data, error, refetch } = useQuery(statementsQuery);
  const statement = data?.data.find((each) => each.month === month && each.currency === currency);
  if (error === null && statement !== undefined) return <Statement statement={statement} />;
  return (
    <PaperPage title={t('title')} tab="statements">
      {error !== null ? (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      ) : data?.is_whole === true ? (
        <Empty icon={IconReceipt} title={t('none')}>
          {t('noneHint')}
        </Empty>
      ) : (
        <Skeleton height={400} />
      )}
    </PaperPage>
  );
}

function Statement({ statement }: { readonly statement: MonthlyStatement }) {
  const t = useTexts(texts);
  const { month, currency } = statement;
  const { from, to } = periodOf(month);
  const { date } = useFormats('UTC');
  const columns = useColumns(currency);
  const { data, error, refetch } = useQuery(linesQuery(statement));
  const isOpen = new Date().toISOString().slice(0, 'YYYY-MM'.length) <= month;
  return (
    <Paper
      title={t('title')}
      tab="statements"
      facts={[
        { name: t('period'), value: `${date(from)} – ${date(to)}` },
        { name: t('wallet'), value: currency },
      ]}
    >
      {error === null ? (
        <DataTable
          label={t('lines')}
          columns={columns}
          rows={data}
          keyOf={({ id }) => id}
          canSort={false}
        />
      ) : (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      )}
      {isOpen ? <Text variant="note">{t('open')}</Text> : null}
    </Paper>
  );
}

function useColumns(currency: Currency): readonly Column<StatementLine>[] {
  const t = useTexts(texts);
  const kindOf = useTexts(ledgerTexts);
  const reasonOf = useReason();
  const { date, count, pair } = useFormats('UTC');
  const nameOf = ({ kind, about, requests }: StatementLine): string => {
    const many = requests ?? 0;
    switch (kind) {
      case 'opening':
      case 'closing':
      case 'corrections':
        return t(kind);
      case 'charges':
        return t('charges', { model: about ?? '', count: many, shown: count(many) });
      default:
        return about === null ? kindOf(kind) : pair(kindOf(kind), reasonOf(about));
    }
  };
  return [
    {
      name: 'date',
      heading: t('date'),
      phone: 'state',
      cell: ({ at }) => (at === null ? '' : date(at)),
    },
    {
      name: 'text',
      heading: t('text'),
      phone: 'title',
      cell: (line) => (
        <Text span inherit fw={['opening', 'closing'].includes(line.kind) ? 600 : 400}>
          {nameOf(line)}
        </Text>
      ),
    },
    moneyColumn(
      'amount',
      t('amount'),
      ({ amount }) => ({ amount: formatExact(amount), currency }),
      { phone: 'amount', exact: true },
    ),
  ];
}
