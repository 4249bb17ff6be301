/** The operator's ledger: payments, earnings, losses and verification. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { CardSkeleton, SectionCard } from '#components/section-card.tsx';
import { moneyColumn, textColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { type BookAccount, type BookRow, type Currency, paidIn, rowsOf } from './books/balances.ts';
import { BooksMonths } from './books/books-months.tsx';
import { booksTexts } from './books/books-texts.ts';
import { Overruns } from './books/overruns.tsx';
import { PaymentEvents } from './books/payment-events.tsx';
import { Reconciliations } from './books/reconciliations.tsx';
import { BooksActions, BooksFindings, useBackup, useVerification } from './books/verification.tsx';
import { Figure, FigureCard } from './home/figures.tsx';

const booksQuery = queryOptions({
  queryKey: ['admin', 'books'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/books', { signal })),
});

export function BooksScreen() {
  const title = useTexts(navigationTexts);
  const verification = useVerification();
  const backup = useBackup();
  const { data, error, refetch } = useQuery(booksQuery);
  const rows = data === undefined ? undefined : rowsOf(data.data);
  const actions = <BooksActions verification={verification} backup={backup} />;
  return (
    <Page title={title('books')} actions={actions}>
      <BooksFindings verification={verification} backup={backup} />
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      <Figures rows={rows} />
      <BooksMonths />
      <Balances rows={rows} />
      <Overruns />
      <Reconciliations />
      <PaymentEvents />
    </Page>
  );
}

type RowsProps = { readonly rows: readonly BookRow[] | undefined };

/** The totals of payments, earnings and losses since the first day. */
function Figures({ rows }: RowsProps) {
  const t = useTexts(booksTexts);
  const of = (account: BookAccount, currency: Currency): string =>
    rows?.find((row) => row.account === account)?.balances[currency] ?? '0';
  const figures = [
    { name: 'revenue', hint: 'revenueHint', amount: (it: Currency) => of('revenue', it) },
    { name: 'paid', hint: 'paidHint', amount: (it: Currency) => paidIn(rows ?? [], it) },
    { name: 'operator_loss', hint: 'lossHint', amount: (it: Currency) => of('operator_loss', it) },
  ] as const;
  if (rows === undefined) return <CardSkeleton height={105} />;
  return (
    <FigureCard label={t('allTime')}>
      {figures.map(({ name, hint, amount }, at) => (
        <Figure
          key={name}
          label={t(name)}
          isHero={at === 0}
          amounts={CURRENCIES.map((currency) => ({ currency, amount: amount(currency) }))}
        >
          {t(hint)}
        </Figure>
      ))}
    </FigureCard>
  );
}

const NAMES = {
  top_up: 'top_up',
  redeem_code: 'redeem_code',
  card_payment: 'card_payment',
  demo: 'demo',
  goodwill: 'goodwill',
  bonus: 'bonus',
  adjustment: 'adjustment',
  revenue: 'revenue',
  operator_loss: 'operator_loss',
  'fx:USD': 'fxUSD',
  'fx:CNY': 'fxCNY',
} as const satisfies Record<BookAccount, string>;

function Balances({ rows }: RowsProps) {
  const t = useTexts(booksTexts);
  const columns: readonly Column<BookRow>[] = [
    textColumn('account', t('account'), ({ account }) => t(NAMES[account])),
    ...CURRENCIES.map(
      (currency): Column<BookRow> =>
        moneyColumn(
          currency,
          currency,
          ({ balances }) => ({ amount: balances[currency], currency }),
          { exact: true },
        ),
    ),
  ];
  return (
    <SectionCard title={t('balances')} lead={t('signs')} size="h5">
      <DataTable
        label={t('balances')}
        columns={columns}
        rows={rows}
        keyOf={({ account }) => account}
        name="admin-balances"
        download={{ file: ['ledger-balances'] }}
        expected={10}
      />
    </SectionCard>
  );
}
