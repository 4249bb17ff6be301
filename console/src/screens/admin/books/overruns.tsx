/** A list of answers that cost more than was held for them, each with its main cause. */
import { Stack, Text } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { Copyable } from '#components/copyable.tsx';
import { Empty } from '#components/empty.tsx';
import { ShortTime } from '#components/moment.tsx';
import { SectionCard } from '#components/section-card.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { PAGING, PagedTable } from '#components/tables/paged-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { AdminLink, shortId } from '#screens/admin/admin-link.tsx';
import { booksTexts } from './books-texts.ts';

type Overrun = components['schemas']['Overrun'];

const PAGE_ROWS = 20;

const overrunsQuery = infiniteQueryOptions({
  queryKey: ['admin', 'overruns'],
  queryFn: ({ pageParam, signal }) => {
    const query = given({ limit: PAGE_ROWS, after: pageParam });
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
        minWidth={900}
        empty={<Empty icon={IconScale} title={t('noOverruns')} />}
      />
    </SectionCard>
  );
}

function useColumns(): readonly Column<Overrun>[] {
  const t = useTexts(booksTexts);
  const money = (name: 'held' | 'price' | 'loss'): Column<Overrun> => ({
    name,
    heading: t(name),
    end: true,
    cell: (row) => <Money amount={row[name]} currency={row.currency} />,
  });
  return [
    { name: 'at', heading: t('when'), cell: ({ at }) => <ShortTime at={at} /> },
    {
      name: 'request',
      heading: t('request'),
      cell: ({ request_id: id, model, channel }) => (
        <Stack gap={0}>
          <Text size="sm">{`${model} · ${channel}`}</Text>
          <Copyable value={id} shown={shortId(id)} />
        </Stack>
      ),
    },
    {
      name: 'account',
      heading: t('customer'),
      cell: ({ account_id: id }) => <AdminLink id={id} />,
    },
    money('held'),
    money('price'),
    money('loss'),
    { name: 'cause', heading: t('cause'), cell: (row) => <Cause {...row} /> },
    { name: 'careful', heading: t('careful'), end: true, cell: (row) => row.careful_answers },
  ];
}

function Cause({ cause, unpriced }: Pick<Overrun, 'cause' | 'unpriced'>) {
  const t = useTexts(booksTexts);
  return (
    <Stack gap={0}>
      <Text size="sm">{cause === null ? '–' : t(cause === 'request' ? 'fee_request' : cause)}</Text>
      {unpriced.length === 0 ? null : (
        <Text size="xs" c="red">
          {t('unpriced', { what: unpriced.join(', ') })}
        </Text>
      )}
    </Stack>
  );
}
