/** The list of redeem code batches, where administrators create batches and void unused codes. */

import { Button, Text, UnstyledButton } from '@mantine/core';
import { IconPlus, IconTicket } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { Copyable } from '#components/copyable.tsx';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { ShortTime } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { ShownOnce } from '#components/shown-once.tsx';
import { Status, type Tone } from '#components/status.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { AlignedMoney } from '#money/money.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { shortId } from './admin-link.tsx';
import {
  type Batch,
  type BatchState,
  batchState,
  codesCsv,
  redeemedValue,
  unusedCodes,
} from './redeem-codes/batch.ts';
import { BatchCodes } from './redeem-codes/batch-codes.tsx';
import { batchesQuery, useBatchesChanged } from './redeem-codes/batch-queries.ts';
import { type CreatedBatch, NewBatchDialog } from './redeem-codes/new-batch-dialog.tsx';
import { redeemTexts } from './redeem-codes/redeem-codes-texts.ts';

const TONES: Readonly<Record<BatchState, Tone>> = {
  open: 'good',
  used_up: 'quiet',
  expired: 'quiet',
  cancelled: 'quiet',
};

export function RedeemCodesScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(redeemTexts);
  const pages = useInfiniteQuery(batchesQuery);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedBatch | null>(null);
  const [leaving, setLeaving] = useState<Batch | null>(null);
  const [shown, setShown] = useState<Batch | null>(null);
  const make = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={title('redeemCodes')} actions={make}>
      <ListCard
        label={t('table')}
        pages={pages}
        columns={useColumns({ show: setShown, cancel: setLeaving })}
        keyOf={({ id }) => id}
        name="admin-redeem"
        csv={{ file: ['redeem-batches'] }}
        empty={{ icon: IconTicket, title: t('empty'), action: make, hint: t('emptyHint') }}
      />
      <NewBatchDialog
        opened={isMaking}
        onClose={() => setMaking(false)}
        onCreated={(batch) => {
          setMaking(false);
          setMade(batch);
        }}
      />
      <Codes batch={made} onSaved={() => setMade(null)} />
      <BatchCodes batch={shown} onClose={() => setShown(null)} />
      <CancelUnused batch={leaving} onClose={() => setLeaving(null)} />
    </Page>
  );
}

type Actions = {
  readonly show: (batch: Batch) => void;
  readonly cancel: (batch: Batch) => void;
};

function useColumns({ show, cancel }: Actions): readonly Column<Batch>[] {
  const t = useTexts(redeemTexts);
  const stateOf = (batch: Batch): BatchState => batchState(batch, Date.now());
  const time = (name: 'created' | 'expires', of: (batch: Batch) => string | null) => ({
    name,
    heading: t(name),
    cell: (batch: Batch) => {
      const at = of(batch);
      return at === null ? t('never') : <ShortTime at={at} />;
    },
    value: of,
  });
  return [
    {
      name: 'reason',
      heading: t('reason'),
      cell: (batch) => (
        <UnstyledButton
          fz="inherit"
          display="block"
          aria-haspopup="dialog"
          onClick={() => show(batch)}
        >
          <Text inherit maw={280} truncate title={batch.reason}>
            {batch.reason}
          </Text>
        </UnstyledButton>
      ),
      value: ({ reason }) => reason,
    },
    {
      name: 'state',
      heading: t('state'),
      phone: 'state',
      cell: (batch) => <Status tone={TONES[stateOf(batch)]}>{t(stateOf(batch))}</Status>,
      value: (batch) => t(stateOf(batch)),
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
      name: 'used',
      heading: t('used'),
      end: true,
      cell: ({ used, count }) => t('usedOf', { used, count }),
      value: ({ used }) => used,
    },
    {
      name: 'value',
      heading: t('redeemedValue'),
      end: true,
      cell: (batch) => <AlignedMoney amount={redeemedValue(batch)} currency={batch.currency} />,
      value: redeemedValue,
    },
    time('created', ({ created_at: at }) => at),
    { ...time('expires', ({ expires_at: at }) => at), show: 'wide' },
    {
      name: 'batch',
      heading: t('batch'),
      show: 'chosen',
      phone: 'hidden',
      cell: ({ id }) => <Copyable value={id} shown={shortId(id)} />,
      value: ({ id }) => id,
    },
    {
      name: 'actions',
      heading: t('actions'),
      end: true,
      phone: 'action',
      cell: (batch) =>
        unusedCodes(batch) === 0 ? null : (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-label={`${t('cancel')}: ${batch.reason}`}
            onClick={() => cancel(batch)}
          >
            {t('void')}
          </Button>
        ),
    },
  ];
}

type CodesProps = { readonly batch: CreatedBatch | null; readonly onSaved: () => void };

function Codes({ batch, onSaved }: CodesProps) {
  const t = useTexts(redeemTexts);
  const codes = batch?.codes ?? [];
  return (
    <ShownOnce
      opened={batch !== null}
      title={t('codesTitle')}
      secret={codes.join('\n')}
      file={{
        name: `redeem-codes-${batch?.id ?? ''}.csv`,
        type: 'text/csv',
        content: codesCsv(codes),
      }}
      onSaved={onSaved}
    >
      {t('codesLead')}
    </ShownOnce>
  );
}

type CancelUnusedProps = { readonly batch: Batch | null; readonly onClose: () => void };

function CancelUnused({ batch, onClose }: CancelUnusedProps) {
  const t = useTexts(redeemTexts);
  const changed = useBatchesChanged();
  const cancelling = useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE('/admin/v1/redeem-batches/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <TypeToConfirm
      opened={batch !== null}
      onClose={() => {
        cancelling.reset();
        onClose();
      }}
      title={t('cancelTitle')}
      phrase={batch === null ? '' : String(unusedCodes(batch))}
      confirm={t('cancel')}
      onConfirm={() => {
        if (batch !== null) cancelling.mutate(batch.id);
      }}
      isRunning={cancelling.isPending}
      error={cancelling.error}
    >
      {t('cancelLead', { count: batch === null ? 0 : unusedCodes(batch) })}
    </TypeToConfirm>
  );
}
