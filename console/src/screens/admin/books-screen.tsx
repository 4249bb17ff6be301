/** The operator's ledger: payments, earnings, losses and verification. */
import { Card, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { Money } from '#money/money.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { type BookAccount, type BookRow, type Currency, paidIn, rowsOf } from './books/balances.ts';
import { BooksMonths } from './books/books-months.tsx';
import { booksTexts } from './books/books-texts.ts';
import { Overruns } from './books/overruns.tsx';
import { PaymentEvents } from './books/payment-events.tsx';
import { Reconciliations } from './books/reconciliations.tsx';
import { BooksActions, BooksFindings, useBackup, useVerification } from './books/verification.tsx';

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

/** The three key figures of the operator. */
function Figures({ rows }: RowsProps) {
  const t = useTexts(booksTexts);
  const of = (account: BookAccount, currency: Currency): string =>
    rows?.find((row) => row.account === account)?.balances[currency] ?? '0';
  const figures = [
    { name: 'paid', hint: 'paidHint', amount: (it: Currency) => paidIn(rows ?? [], it) },
    { name: 'revenue', hint: 'revenueHint', amount: (it: Currency) => of('revenue', it) },
    { name: 'operator_loss', hint: 'lossHint', amount: (it: Currency) => of('operator_loss', it) },
  ] as const;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {figures.map(({ name, hint, amount }) => (
        <Card key={name} component="section" aria-label={t(name)}>
          <Stack gap={4}>
            <Text size="sm" c="dimmed">
              {t(name)}
            </Text>
            {rows === undefined ? (
              <Skeleton height={60} />
            ) : (
              CURRENCIES.map((currency) => (
                <Money
                  key={currency}
                  fz={currency === 'USD' ? 24 : 16}
                  fw={650}
                  amount={amount(currency)}
                  currency={currency}
                />
              ))
            )}
            <Text size="xs" c="dimmed">
              {t(hint)}
            </Text>
          </Stack>
        </Card>
      ))}
    </SimpleGrid>
  );
}

const NAMES = {
  top_up: 'top_up',
  redeem_code: 'redeem_code',
  card_payment: 'card_payment',
  demo: 'demo',
  goodwill: 'goodwill',
  adjustment: 'adjustment',
  revenue: 'revenue',
  operator_loss: 'operator_loss',
  'fx:USD': 'fxUSD',
  'fx:CNY': 'fxCNY',
} as const satisfies Record<BookAccount, string>;

function Balances({ rows }: RowsProps) {
  const t = useTexts(booksTexts);
  const columns: readonly Column<BookRow>[] = [
    {
      name: 'account',
      heading: t('account'),
      cell: ({ account }) => t(NAMES[account]),
      value: ({ account }) => t(NAMES[account]),
    },
    ...CURRENCIES.map(
      (currency): Column<BookRow> => ({
        name: currency,
        heading: currency,
        end: true,
        cell: ({ balances }) => <Money exact amount={balances[currency]} currency={currency} />,
        value: ({ balances }) => balances[currency],
      }),
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
        csv={{ file: ['ledger-balances'] }}
        expected={10}
      />
    </SectionCard>
  );
}
