import { Button, Text, UnstyledButton } from '@mantine/core';
import { IconPlus, IconTicket } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { ShortTime } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { ShownOnce } from '#components/shown-once.tsx';
import type { Tone } from '#components/status.tsx';
import {
  actionColumn,
  idColumn,
  moneyColumn,
  RowAction,
  statusColumn,
} from '#components/tables/columns.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
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

const route = getRouteApi('/app/admin/redeem-codes');

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
  const { batch: shown } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (batch: string | undefined): void => void navigate({ search: { batch } });
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
        columns={useColumns({ show: ({ id }) => show(id), cancel: setLeaving })}
        keyOf={({ id }) => id}
        name="admin-redeem"
        download={{ file: ['redeem-batches'] }}
        empty={{ icon: IconTicket, title: t('empty'), hint: t('emptyHint') }}
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
      <BatchCodes id={shown} onClose={() => show(undefined)} />
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
          <Text inherit maw={240} truncate title={batch.reason}>
            {batch.reason}
          </Text>
        </UnstyledButton>
      ),
      value: ({ reason }) => reason,
    },
    statusColumn('state', t('state'), (batch) => [TONES[stateOf(batch)], t(stateOf(batch))]),
    moneyColumn('amount', t('amount'), (batch) => batch, { phone: 'amount' }),
    {
      name: 'used',
      heading: t('used'),
      end: true,
      cell: ({ used, count }) => t('usedOf', { used, count }),
      value: ({ used }) => used,
    },
    moneyColumn(
      'value',
      t('redeemedValue'),
      (batch) => ({ ...batch, amount: redeemedValue(batch) }),
      { show: 'fits' },
    ),
    { ...time('created', ({ created_at: at }) => at), show: 'wide' },
    { ...time('expires', ({ expires_at: at }) => at), show: 'wide' },
    idColumn('batch', t('batch'), ({ id }) => id, { show: 'chosen', phone: 'hidden' }),
    actionColumn(t('actions'), (batch) =>
      unusedCodes(batch) === 0 ? null : (
        <RowAction label={t('void')} of={batch.reason} onClick={() => cancel(batch)} />
      ),
    ),
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
  const unused = batch === null ? 0 : unusedCodes(batch);
  return (
    <TypeToConfirm
      opened={batch !== null}
      onClose={onClose}
      title={t('cancelTitle')}
      phrase={String(unused)}
      confirm={t('cancel')}
      act={() =>
        answerOf(
          api.DELETE('/admin/v1/redeem-batches/{id}', {
            params: { path: { id: batch?.id ?? '' } },
          }),
        )
      }
      onDone={changed}
    >
      {t('cancelLead', { count: unused })}
    </TypeToConfirm>
  );
}
