/**
 * Proposed price changes, which a person previews and then saves. A proposal edits prices, restores
 * an earlier price, or withdraws an announced price.
 */
import {
  type ConfigChange,
  changeConfig,
  type Previewable,
  readModels,
  restoreCard,
  type Saving,
} from './price-api.ts';
import {
  type ChangedPrice,
  itemAt,
  itemsOf,
  type Models,
  type Multiplied,
  type Place,
  patchOf,
  priceAt,
  withdrawing,
} from './price-edit.ts';

export type Changed = ChangedPrice & {
  readonly before: string | null;
  readonly after: string | null;
};

export type Proposal = {
  readonly models: Models;
  /** Notes on the calculation, such as how many prices were rounded. */
  readonly facts: Partial<Multiplied>;
  /** A sentence about when the prices take effect; null if at once. */
  readonly from: string | null;
  /** The changed prices to show; null to show the changes that the API reports instead. */
  readonly prices: readonly Changed[] | null;
  /** The change to preview; null if it changes no prices. */
  readonly preview: Previewable | null;
  /** Saves the change. If `saving` is null, sends the change as a dry run instead. */
  readonly send: (saving: Saving | null) => Promise<ConfigChange>;
};

/** Computes the price edits from the configured models. */
export type Compute = (
  models: Models,
) => Pick<Multiplied, 'edits'> & Partial<Multiplied> & { readonly from?: string | null };

type Sentence = (moment: string) => string;

export async function editProposal(
  ids: readonly string[],
  compute: Compute,
  sentence: Sentence,
): Promise<Proposal> {
  const { revision, models } = await readModels(ids);
  const { edits, from = null, ...facts } = compute(models);
  const patch = patchOf(models, edits, from);
  return {
    models,
    facts,
    from: from === null ? null : sentence(from),
    prices: from === null ? null : announcedIn(models, edits, from),
    preview: { document: patch },
    send: (saving) => changeConfig({ revision, patch }, saving),
  };
}

/**
 * Returns each price that changes within announced prices, because the API reports announced prices
 * only as a whole.
 */
const announcedIn = (
  models: Models,
  edits: Multiplied['edits'],
  from: string,
): readonly Changed[] =>
  edits.flatMap(({ edits: own, ...place }) =>
    own.map(({ path, value }) => ({
      ...place,
      path,
      before: itemAt(priceAt(models, place, from), path)?.value ?? null,
      after: value,
    })),
  );

export async function restoreProposal(model: string, card: string): Promise<Proposal> {
  const { revision, models } = await readModels([model]);
  const send: Proposal['send'] = (saving) => restoreCard(card, revision, saving);
  return { models, facts: {}, from: null, prices: null, preview: { card }, send };
}

export async function withdrawProposal(
  place: Place,
  moment: string,
  sentence: Sentence,
): Promise<Proposal> {
  const { revision, models } = await readModels([place.model]);
  const announced = priceAt(models, place, moment);
  const justBefore = new Date(Date.parse(moment) - 1).toISOString();
  const stays = priceAt(models, place, justBefore);
  const prices = itemsOf(announced).flatMap(({ path, value }): readonly Changed[] => {
    const after = itemAt(stays, path)?.value ?? null;
    return after === value ? [] : [{ ...place, path, before: value, after }];
  });
  const patch = withdrawing(models, place, moment);
  const send: Proposal['send'] = (saving) => changeConfig({ revision, patch }, saving);
  const preview = { document: patch };
  return { models, facts: {}, from: sentence(moment), prices, preview, send };
}
