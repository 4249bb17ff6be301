/** The tab with the ledger of an account, newest first. */
import { IconReceipt } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { components } from '#api/schema.gen.ts';
import { Copyable } from '#components/copyable.tsx';
import { ShortTime } from '#components/moment.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { AlignedMoney } from '#money/money.tsx';
import { shortId } from '#screens/admin/admin-link.tsx';
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
      csv={{ href: `/admin/v1/accounts/${encodeURIComponent(accountId)}/ledger?format=csv` }}
      empty={{ icon: IconReceipt, title: t('empty'), hint: t('emptyHint') }}
    />
  );
}

function useColumns(): readonly Column<Movement>[] {
  const t = useTexts(texts);
  return [
    {
      name: 'at',
      heading: t('when'),
      cell: ({ at }) => <ShortTime at={at} />,
      value: ({ at }) => at,
    },
    {
      name: 'kind',
      heading: t('kind'),
      phone: 'state',
      cell: ({ kind }) => t(kind),
      value: ({ kind }) => t(kind),
    },
    {
      name: 'why',
      heading: t('why'),
      cell: ({ reason, request_id: id }) =>
        id === null ? reason : <Copyable value={id} shown={shortId(id)} />,
      value: ({ reason, request_id: id }) => reason ?? id,
    },
    {
      name: 'amount',
      heading: t('amount'),
      end: true,
      phone: 'amount',
      cell: ({ amount, currency }) => <AlignedMoney amount={amount} currency={currency} />,
      value: ({ amount }) => amount,
    },
    {
      name: 'after',
      heading: t('after'),
      end: true,
      cell: ({ balance_after: after, currency }) => (
        <AlignedMoney amount={after} currency={currency} />
      ),
      value: ({ balance_after: after }) => after,
    },
  ];
}
