/** The list of redeem code batches, where administrators create batches and void unused codes. */

import { Button, Progress, Stack, Text } from '@mantine/core';
import { IconPlus, IconTicket } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { Copyable } from '#components/copyable.tsx';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { Ago, Day } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { ShownOnce } from '#components/shown-once.tsx';
import { Status, type Tone } from '#components/status.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { ListCard } from '#components/tables/list-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { shortId } from './admin-link.tsx';
import {
  type Batch,
  type BatchState,
  batchState,
  codesCsv,
  unusedCodes,
} from './redeem-codes/batch.ts';
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
        columns={useColumns(setLeaving)}
        keyOf={({ id }) => id}
        minWidth={900}
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
      <CancelUnused batch={leaving} onClose={() => setLeaving(null)} />
    </Page>
  );
}

function useColumns(cancel: (batch: Batch) => void): readonly Column<Batch>[] {
  const t = useTexts(redeemTexts);
  return [
    {
      name: 'id',
      heading: t('batch'),
      cell: ({ id }) => <Copyable value={id} shown={shortId(id)} />,
    },
    { name: 'reason', heading: t('reason'), cell: ({ reason }) => <Text size="sm">{reason}</Text> },
    {
      name: 'amount',
      heading: t('amount'),
      end: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    { name: 'used', heading: t('used'), cell: (batch) => <Used batch={batch} /> },
    { name: 'state', heading: t('state'), cell: (batch) => <State batch={batch} /> },
    { name: 'created', heading: t('created'), cell: ({ created_at: at }) => <Ago at={at} /> },
    {
      name: 'expires',
      heading: t('expires'),
      cell: ({ expires_at: at }) =>
        at === null ? (
          <Text size="sm" c="dimmed">
            {t('never')}
          </Text>
        ) : (
          <Day at={at} />
        ),
    },
    {
      name: 'actions',
      heading: t('actions'),
      end: true,
      cell: (batch) =>
        unusedCodes(batch) === 0 ? null : (
          <Button size="xs" variant="subtle" color="red" onClick={() => cancel(batch)}>
            {t('cancel')}
          </Button>
        ),
    },
  ];
}

function Used({ batch }: { readonly batch: Batch }) {
  const t = useTexts(redeemTexts);
  const label = t('usedOf', { used: batch.used, count: batch.count });
  return (
    <Stack gap={4} miw={110}>
      <Text size="sm">{label}</Text>
      <Progress value={(batch.used / batch.count) * 100} size="sm" aria-label={label} />
    </Stack>
  );
}

function State({ batch }: { readonly batch: Batch }) {
  const t = useTexts(redeemTexts);
  const state = batchState(batch, Date.now());
  return <Status tone={TONES[state]}>{t(state)}</Status>;
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
