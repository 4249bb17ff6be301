/** The nightly comparisons of the providers' bills with the receipts, and their differences. */
import { Stack, Text, Title } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { Empty } from '#components/empty.tsx';
import { ShortTime } from '#components/moment.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { Status } from '#components/status.tsx';
import { moneyColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { reconcileTexts } from './reconcile-texts.ts';

type Night = components['schemas']['NightlyReconciliation'];
type Result = components['schemas']['Reconciliation'];
type Sums = components['schemas']['ReconciledSums'];
type Row = { readonly night: Night; readonly result: Result; readonly index: number };

const NIGHTS = 30;
const MEASURES = [
  'prompt',
  'cache_read',
  'cache_write',
  'output',
  'images',
  'cost',
] as const satisfies readonly (keyof Sums)[];

const nightsQuery = queryOptions({
  queryKey: ['admin', 'reconciliations'],
  queryFn: ({ signal }) =>
    answerOf(
      api.GET('/admin/v1/ledger/reconciliations', { params: { query: { limit: NIGHTS } }, signal }),
    ),
});

export function Reconciliations() {
  const t = useTexts(reconcileTexts);
  const nights = useQuery(nightsQuery);
  const { data } = nights;
  const differences = data === undefined ? undefined : newestDifferences(data.data);
  return (
    <SectionCard title={t('title')} lead={t('lead')} size="h5" query={nights}>
      <DataTable
        label={t('title')}
        columns={useNightColumns()}
        rows={data?.data}
        keyOf={({ upstream, to }) => `${upstream} ${to}`}
        empty={
          <Empty icon={IconScale} title={t('none')}>
            {t('noneHint')}
          </Empty>
        }
      />
      {differences === undefined || differences.length === 0 ? null : (
        <Differences rows={differences} />
      )}
    </SectionCard>
  );
}

/** Returns the differences in the newest result of each upstream. Older results are ignored. */
function newestDifferences(nights: readonly Night[]): readonly Row[] {
  const seen = new Set<string>();
  return nights.flatMap((night) => {
    const { upstream, result } = night;
    if (result === null || seen.has(upstream)) return [];
    seen.add(upstream);
    return result.differences.map((_, index) => ({ night, result, index }));
  });
}

function useNightColumns(): readonly Column<Night>[] {
  const t = useTexts(reconcileTexts);
  const money = (name: 'billed' | 'receipts'): Column<Night> =>
    moneyColumn(name, t(name), ({ result }) => {
      const amount = result?.[name].cost ?? null;
      return result === null || amount === null ? null : { amount, currency: result.currency };
    });
  return [
    { name: 'at', heading: t('when'), cell: ({ at }) => <ShortTime at={at} /> },
    { name: 'upstream', heading: t('upstream'), cell: ({ upstream }) => upstream },
    {
      name: 'days',
      heading: t('days'),
      cell: ({ result, to }) => (result === null ? to : `${result.from} – ${result.to}`),
    },
    money('billed'),
    money('receipts'),
    {
      name: 'outcome',
      heading: t('outcome'),
      phone: 'state',
      cell: (night) => <Outcome {...night} />,
    },
  ];
}

function Outcome({ result, failure }: Pick<Night, 'result' | 'failure'>) {
  const t = useTexts(reconcileTexts);
  if (result === null) return <Status tone="bad">{failure ?? '–'}</Status>;
  const { beyond, tolerance } = result;
  return beyond > 0 ? (
    <Status tone="bad">{t('beyond', { count: beyond, tolerance })}</Status>
  ) : (
    <Status tone="good">{t('agrees', { tolerance })}</Status>
  );
}

function Differences({ rows }: { readonly rows: readonly Row[] }) {
  const t = useTexts(reconcileTexts);
  const differenceOf = ({ result, index }: Row) => result.differences[index];
  const columns: readonly Column<Row>[] = [
    { name: 'day', heading: t('day'), cell: (row) => differenceOf(row)?.day },
    { name: 'upstream', heading: t('upstream'), cell: ({ night }) => night.upstream },
    {
      name: 'model',
      heading: t('model'),
      cell: (row) => differenceOf(row)?.model ?? t('apartFromModels'),
    },
    { name: 'differs', heading: t('differs'), cell: (row) => <Differing {...row} /> },
    {
      name: 'cause',
      heading: t('cause'),
      cell: (row) => {
        const difference = differenceOf(row);
        return difference === undefined ? null : (
          <Text size="sm" {...(difference.beyond ? { c: 'red' } : {})}>
            {t(difference.cause)}
          </Text>
        );
      },
    },
  ];
  return (
    <>
      <Title order={3} size="h6" mt="sm">
        {t('differences')}
      </Title>
      <DataTable
        label={t('differences')}
        columns={columns}
        rows={rows}
        keyOf={({ night, index }) => `${night.upstream} ${index}`}
      />
    </>
  );
}

/** Lists each number that differs: the provider's value and the value in the receipts. */
function Differing({ result, index }: Row) {
  const t = useTexts(reconcileTexts);
  const difference = result.differences[index];
  if (difference === undefined) return null;
  const { billed, receipts } = difference;
  const differing = MEASURES.filter(
    (name) => billed[name] !== null && receipts[name] !== null && billed[name] !== receipts[name],
  );
  return (
    <Stack gap={0}>
      {differing.map((name) => (
        <Text key={name} size="sm">
          {t('pair', {
            name: t(name),
            billed: String(billed[name]),
            receipts: String(receipts[name]),
          })}
        </Text>
      ))}
    </Stack>
  );
}
