/** A list of answers that cost more than the amount held for them, each with its main cause. */
import { IconScale } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { Empty } from '#components/empty.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { Status } from '#components/status.tsx';
import { idColumn, moneyColumn, textColumn, timeColumn } from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { MOST_ROWS, PAGING, PagedTable } from '#components/tables/paged-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { AdminLink } from '#screens/admin/admin-link.tsx';
import { booksTexts } from './books-texts.ts';

type Overrun = components['schemas']['Overrun'];

const overrunsQuery = infiniteQueryOptions({
  queryKey: ['admin', 'overruns'],
  queryFn: ({ pageParam, signal }) => {
    const query = given({ limit: MOST_ROWS, after: pageParam });
    return answerOf(api.GET('/admin/v1/ledger/overruns', { params: { query }, signal }));
  },
  ...PAGING,
});

export function Overruns() {
  const t = useTexts(booksTexts);
  const columns = useColumns();
  return (
    <SectionCard title={t('overruns')} lead={t('overrunsLead')} size="h5">
      <PagedTable
        label={t('overruns')}
        pages={useInfiniteQuery(overrunsQuery)}
        columns={columns}
        keyOf={({ request_id: id }) => id}
        name="admin-overruns"
        download={{ file: ['overruns'] }}
        empty={<Empty icon={IconScale} title={t('noOverruns')} />}
      />
    </SectionCard>
  );
}

function useColumns(): readonly Column<Overrun>[] {
  const t = useTexts(booksTexts);
  const money = (name: 'held' | 'price' | 'loss'): Column<Overrun> =>
    moneyColumn(name, t(name), ({ [name]: amount, currency }) => ({ amount, currency }));
  return [
    timeColumn('at', t('when'), ({ at }) => at),
    idColumn('request', t('request'), ({ request_id: id }) => id),
    textColumn('model', t('model'), ({ model, channel }) => `${model} · ${channel}`),
    {
      name: 'account',
      heading: t('customer'),
      cell: ({ account_id: id }) => <AdminLink id={id} />,
      value: ({ account_id: id }) => id,
    },
    money('held'),
    money('price'),
    { ...money('loss'), phone: 'amount' },
    { name: 'cause', heading: t('cause'), phone: 'state', cell: (row) => <Cause {...row} /> },
    textColumn('careful', t('careful'), ({ careful_answers: answers }) => answers, {
      end: true,
      show: 'wide',
    }),
  ];
}

function Cause({ cause, unpriced }: Pick<Overrun, 'cause' | 'unpriced'>) {
  const t = useTexts(booksTexts);
  const name = cause === null ? '–' : t(cause === 'request' ? 'fee_request' : cause);
  if (unpriced.length === 0) return name;
  return (
    <Status tone="bad" title={t('unpriced', { what: unpriced.join(', ') })}>
      {name}
    </Status>
  );
}
