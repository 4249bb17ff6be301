/** A side sheet with the codes of a batch: which are redeemed, by which account and when. */

import { IconTicket } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Sheet } from '#components/dialog.tsx';
import { Empty } from '#components/empty.tsx';
import type { Tone } from '#components/status.tsx';
import { statusColumn, timeColumn } from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { MOST_ROWS, PAGING, PagedTable } from '#components/tables/paged-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { AdminLink } from '#screens/admin/admin-link.tsx';
import { BATCHES, batchQuery } from './batch-queries.ts';
import { redeemTexts } from './redeem-codes-texts.ts';

type Code = components['schemas']['RedeemCode'];

const TONES: Readonly<Record<Code['state'], Tone>> = {
  open: 'quiet',
  redeemed: 'good',
  cancelled: 'quiet',
};
const NAMES = { open: 'unused', redeemed: 'used', cancelled: 'cancelled' } as const;
/** The number of shown characters of a hash, enough to distinguish the codes of a batch. */
const SHOWN_CHARS = 10;

const codesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...BATCHES, id, 'codes'],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ limit: MOST_ROWS, after: pageParam });
      const params = { path: { id }, query };
      return answerOf(api.GET('/admin/v1/redeem-batches/{id}/codes', { params, signal }));
    },
    ...PAGING,
  });

export type BatchCodesProps = {
  /** The batch; undefined while the sheet is closed. */
  readonly id: string | undefined;
  readonly onClose: () => void;
};

export function BatchCodes({ id, onClose }: BatchCodesProps) {
  const { data: batch, error } = useQuery({ ...batchQuery(id ?? ''), enabled: id !== undefined });
  return (
    <Sheet opened={id !== undefined} onClose={onClose} title={batch?.reason ?? id}>
      {error === null ? null : <ApiProblem error={error} />}
      {id === undefined || error !== null ? null : <Codes id={id} />}
    </Sheet>
  );
}

function Codes({ id }: { readonly id: string }) {
  const t = useTexts(redeemTexts);
  const columns: readonly Column<Code>[] = [
    {
      name: 'code',
      heading: t('code'),
      hint: t('codeHint'),
      cell: ({ id: hash }) => <code>{hash.slice(0, SHOWN_CHARS)}</code>,
      value: ({ id: hash }) => hash,
    },
    statusColumn('state', t('state'), ({ state }) => [TONES[state], t(NAMES[state])]),
    {
      name: 'account',
      heading: t('account'),
      cell: ({ account_id: account, account_name: name }) =>
        account === null ? '–' : <AdminLink id={account} name={name ?? account} />,
      value: ({ account_name: name }) => name,
    },
    timeColumn('at', t('redeemedAt'), ({ redeemed_at: at }) => at),
  ];
  return (
    <PagedTable
      name="admin-codes"
      label={t('codes')}
      pages={useInfiniteQuery(codesQuery(id))}
      columns={columns}
      keyOf={({ id: hash }) => hash}
      download={{ file: ['codes', id] }}
      empty={<Empty icon={IconTicket} title={t('empty')} />}
    />
  );
}
