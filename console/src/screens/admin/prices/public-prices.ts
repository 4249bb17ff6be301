/**
 * Compares the configured prices with public prices, and proposes the public prices that a person
 * selects.
 */
import { answerOf, api } from '#api/client.ts';
import type { components, paths } from '#api/schema.gen.ts';
import { changeConfig, readModels } from './price-api.ts';
import { channelIn, itemAt, type PriceEdits, patchOf } from './price-edit.ts';
import type { Proposal } from './price-proposal.ts';

export type Comparison = components['schemas']['PriceComparison'];
export type Difference = Comparison['data'][number];
type Compare = paths['/admin/v1/config/prices/compare']['post'];
export type Asked = Compare['requestBody']['content']['application/json'];

export const comparePrices = (body: Asked): Promise<Comparison> =>
  answerOf(api.POST('/admin/v1/config/prices/compare', { body }));

export const placeOf = ({ model, channel }: Pick<Difference, 'model' | 'channel'>): string =>
  JSON.stringify([model, channel]);
export const rowKey = ({ key, ...place }: Difference): string => `${placeOf(place)} ${key}`;

/**
 * Returns the edits that set the selected prices. If all differences of a channel are selected, the
 * edits also record the source of its prices.
 */
export function editsOf(
  { data }: Pick<Comparison, 'data'>,
  selected: readonly Difference[],
): PriceEdits {
  return [...Map.groupBy(selected, placeOf)].flatMap(([place, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const { model, channel, source } = first;
    const isWhole = data.filter((row) => placeOf(row) === place).length === own.length;
    const prices = own.map(({ key, after }) => ({ path: [key], value: after }));
    const edits = isWhole ? [...prices, { path: ['source'], value: source }] : prices;
    return [{ model, channel, edits }];
  });
}

export async function publicProposal(
  comparison: Comparison,
  selected: readonly Difference[],
): Promise<Proposal> {
  const { compare } = comparison;
  const { revision, models } = await readModels([...new Set(selected.map(({ model }) => model))]);
  const patch = patchOf(models, editsOf(comparison, selected), null, compare);
  return {
    models,
    facts: { rounded: selected.filter(({ rounded }) => rounded).length },
    from: null,
    prices: selected.map(({ model, channel, key, after }) => ({
      ...{ model, channel, path: [key], after },
      before: itemAt(channelIn(models, { model, channel })?.[compare], [key])?.value ?? null,
    })),
    // Costs do not change what requests pay, so a change of costs has no preview.
    preview: compare === 'price' ? { document: patch } : null,
    send: (saving) => changeConfig({ revision, patch }, saving),
  };
}
