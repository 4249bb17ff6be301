/** The tab with the ledger of an account, newest first. */
import { IconReceipt } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { components } from '#api/schema.gen.ts';
import { Copyable, shortId } from '#components/copyable.tsx';
import { moneyColumn, textColumn, timeColumn } from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useReason } from '#money/reason.ts';
import { accountLedgerQuery } from './account-queries.ts';

const texts = defineTexts('admin-account-ledger', {
  en: {
    table: 'Transactions',
    when: 'Time',
    kind: 'Type',
    amount: 'Amount',
    after: 'Balance after',
    why: 'Reason',
    empty: 'No transactions yet',
    emptyHint: 'Credits, charges, exchanges and refunds appear here.',
    credit: 'Top-up',
    settle: 'Charge',
    exchange: 'Currency exchange',
    refund: 'Refund',
    adjust: 'Adjustment',
    late: 'Correction',
  },
  zh: {
    table: '流水',
    when: '时间',
    kind: '类型',
    amount: '金额',
    after: '变动后余额',
    why: '原因',
    empty: '还没有流水',
    emptyHint: '充值、扣费、换汇与退款都会显示在这里。',
    credit: '充值',
    settle: '扣费',
    exchange: '换汇',
    refund: '退款',
    adjust: '调整',
    late: '更正',
  },
});

type Movement = components['schemas']['Movement'];

export function AccountLedger({ accountId }: { readonly accountId: string }) {
  const t = useTexts(texts);
  return (
    <ListCard
      name="admin-ledger"
      label={t('table')}
      pages={useInfiniteQuery(accountLedgerQuery(accountId))}
      columns={useColumns()}
      keyOf={({ id }) => id}
      download={{ href: `/admin/v1/accounts/${encodeURIComponent(accountId)}/ledger` }}
      empty={{ icon: IconReceipt, title: t('empty'), hint: t('emptyHint') }}
    />
  );
}

function useColumns(): readonly Column<Movement>[] {
  const t = useTexts(texts);
  const reasonOf = useReason();
  const shown = (reason: string | null) => (reason === null ? null : reasonOf(reason));
  return [
    timeColumn('at', t('when'), ({ at }) => at),
    textColumn('kind', t('kind'), ({ kind }) => t(kind), { phone: 'state' }),
    {
      name: 'why',
      heading: t('why'),
      cell: ({ reason, request_id: id }) =>
        id === null ? shown(reason) : <Copyable value={id} shown={shortId(id)} />,
      value: ({ reason, request_id: id }) => shown(reason) ?? id,
    },
    moneyColumn('amount', t('amount'), (movement) => movement, { phone: 'amount' }),
    moneyColumn('after', t('after'), ({ balance_after: amount, currency }) => ({
      amount,
      currency,
    })),
  ];
}
