/** The dialog that changes prices: first the fields, then a review of the change, then the save. */
import { Box, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import type { ChannelName } from '#catalogue/models.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Dialog } from '#components/dialog.tsx';
import { useUnsaved } from '#components/forms/unsaved.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { FactorFields } from './factor-fields.tsx';
import { configuredQuery } from './price-api.ts';
import { type Place, placesOf } from './price-edit.ts';
import { PriceFields } from './price-fields.tsx';
import {
  type Compute,
  editProposal,
  type Proposal,
  restoreProposal,
  withdrawProposal,
} from './price-proposal.ts';
import { PriceReview } from './price-review.tsx';
import { pricesTexts } from './prices-texts.ts';

/**
 * A change of prices, of one of four kinds (`by`). It edits the prices of one model, multiplies the
 * prices of several models by a factor, restores an earlier price card, or withdraws an announced
 * price. A null channel means all channels.
 */
export type Editing =
  | { readonly by: 'price'; readonly model: string; readonly channel: ChannelName | null }
  | { readonly by: 'factor'; readonly models: readonly string[] }
  | (Place & { readonly by: 'restore'; readonly card: string })
  | (Place & { readonly by: 'withdraw'; readonly moment: string });

export type PriceDialogProps = {
  /** The prices to edit; null while the dialog is closed. */
  readonly editing: Editing | null;
  readonly onClose: () => void;
};

export function PriceDialog({ editing, onClose }: PriceDialogProps) {
  const title = useTitle();
  return (
    <Dialog
      opened={editing !== null}
      onClose={onClose}
      title={editing === null ? '' : title(editing)}
      size="xl"
    >
      {editing === null ? null : editing.by === 'restore' || editing.by === 'withdraw' ? (
        <Undo editing={editing} onClose={onClose} />
      ) : (
        <Steps editing={editing} onClose={onClose} />
      )}
    </Dialog>
  );
}

function useTitle(): (editing: Editing) => string {
  const t = useTexts(pricesTexts);
  const channelName = useChannelName();
  return (editing) => {
    if (editing.by === 'factor') return t('multiplyOf', { count: editing.models.length });
    const { model, channel } = editing;
    const what = channel === null ? model : `${model} · ${channelName(channel)}`;
    return t(TITLES[editing.by], { what });
  };
}

const TITLES = { price: 'editOf', restore: 'restoreOf', withdraw: 'withdrawOf' } as const;

type By<Kind> = Extract<Editing, { readonly by: Kind }>;
type UndoProps = {
  readonly editing: By<'restore' | 'withdraw'>;
  readonly onClose: () => void;
};

/** The review before an earlier price is restored or an announced price is withdrawn. */
function Undo({ editing, onClose }: UndoProps) {
  const t = useTexts(pricesTexts);
  const { time } = useFormats();
  const { model, channel } = editing;
  const propose = (): Promise<Proposal> =>
    editing.by === 'restore'
      ? restoreProposal(model, editing.card)
      : withdrawProposal({ model, channel }, editing.moment, (moment) =>
          t('withdrawText', { time: time(moment) }),
        );
  return <PriceReview propose={propose} onBack={null} onClose={onClose} />;
}

type StepsProps = { readonly editing: By<'price' | 'factor'>; readonly onClose: () => void };

function Steps({ editing, onClose }: StepsProps) {
  const t = useTexts(pricesTexts);
  // The start is entered in UTC.
  const { time } = useFormats('UTC');
  const ids = editing.by === 'price' ? [editing.model] : editing.models;
  const { data, error, refetch } = useQuery(configuredQuery(ids));
  const [compute, setCompute] = useState<Compute | null>(null);
  // The entries count as unsaved even while the person reviews the change.
  const [hasEntries, setHasEntries] = useState(false);
  useUnsaved(hasEntries);
  const review = (next: Compute): void => {
    setCompute(() => next);
    setHasEntries(true);
  };
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loader size="sm" />;
  const { models } = data;
  return (
    <>
      <Box hidden={compute !== null}>
        {editing.by === 'factor' ? (
          <FactorFields models={models} onReview={review} onCancel={onClose} />
        ) : (
          <PriceFields
            models={models}
            places={placesOf(models).filter(
              ({ channel }) => editing.channel === null || channel === editing.channel,
            )}
            onReview={(edits, from) => review(() => ({ edits, from }))}
            onCancel={onClose}
          />
        )}
      </Box>
      {compute === null ? null : (
        <PriceReview
          propose={() => editProposal(ids, compute, (moment) => t('from', { time: time(moment) }))}
          onBack={() => setCompute(null)}
          onClose={onClose}
        />
      )}
    </>
  );
}
