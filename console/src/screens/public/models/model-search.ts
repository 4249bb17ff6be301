/** The filters of the model list, which are kept in the page's URL. */
import { every } from '#api/lists.ts';
import type { Model } from '#catalogue/models.ts';
import { lowestPrice } from '#catalogue/price.ts';
import { checkedText, choice, longText, searchReader, text } from '#components/search-reader.ts';
import { parseAmount } from '#money/amount.ts';

export const KINDS = every<Model['kind']>({ chat: true, image: true, embedding: true });
export const SORTS = ['price', 'context', 'newest'] as const;
export const VIEWS = ['cards', 'table'] as const;
export const MAX_COMPARED = 4;

/** Whether a text can be used as a maximum price. */
export const isPrice = (text: string): boolean => /^\d{1,9}(?:\.\d{1,6})?$/.test(text);

/**
 * The URL parameters of the model list. Without parameters, the list shows all models as cards, in
 * the catalog's order.
 */
export const modelSearch = searchReader({
  q: text,
  kind: choice(KINDS),
  /** The modality that a model must accept as input. */
  input: text,
  maker: text,
  tag: text,
  /** The maximum price per 1M input tokens, or per image, as a decimal. */
  max: checkedText(isPrice),
  sort: choice(SORTS),
  view: choice(VIEWS),
});
export type ModelSearch = ReturnType<typeof modelSearch>;

/** The URL parameters of the comparison: the model ids, separated by commas. */
export const compareSearch = searchReader({ ids: longText });

/** Returns the models that match the search, in the selected sort order. */
export function foundModels(models: readonly Model[], search: ModelSearch): readonly Model[] {
  const found = models.filter((model) => isFound(model, search));
  return search.sort === undefined ? found : found.toSorted(ORDERS[search.sort]);
}

const ORDERS: Readonly<Record<(typeof SORTS)[number], (a: Model, b: Model) => number>> = {
  price: (a, b) => compare(lowestPrice(a), lowestPrice(b)),
  context: (a, b) => (b.context_length ?? 0) - (a.context_length ?? 0),
  newest: (a, b) => (b.release_date ?? '').localeCompare(a.release_date ?? ''),
};

function isFound(model: Model, { q, kind, input, maker, tag, max }: ModelSearch): boolean {
  return (
    (kind === undefined || model.kind === kind) &&
    (input === undefined || model.input_modalities.includes(input)) &&
    (maker === undefined || model.maker === maker) &&
    (tag === undefined || model.tags.includes(tag)) &&
    (max === undefined || lowestPrice(model) <= parseAmount(max)) &&
    (q === undefined || hasWords(model, q))
  );
}

/** Whether every word of the query occurs in the id, name, maker, description or tags. */
function hasWords(model: Model, query: string): boolean {
  const { id, name, maker, tags, description, description_zh: chinese } = model;
  const said = [id, name, maker, ...tags, description, chinese].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/**
 * Returns the model of the same kind whose price is nearest, as a suggestion for a comparison.
 * Returns undefined if there is no other model of this kind.
 */
export function nearestModel(model: Model, models: readonly Model[]): Model | undefined {
  const price = lowestPrice(model);
  const distance = (other: Model): bigint => {
    const difference = lowestPrice(other) - price;
    return difference < 0n ? -difference : difference;
  };
  return models
    .filter(({ id, kind }) => kind === model.kind && id !== model.id)
    .toSorted((a, b) => compare(distance(a), distance(b)))[0];
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The maximum number of tags that are offered as filters. The most frequent tags are chosen. */
const MAX_TAGS = 8;

/** Returns the tags that at least two models have, the most frequent first, at most `MAX_TAGS`. */
export function commonTags(models: readonly Model[]): readonly string[] {
  const counts = Map.groupBy(
    models.flatMap(({ tags }) => tags),
    (tag) => tag,
  );
  return [...counts]
    .filter(([, uses]) => uses.length > 1)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MAX_TAGS)
    .map(([tag]) => tag);
}

/** Returns the unique values in alphabetical order. */
export const distinct = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].toSorted();

/** Splits a comma-separated list of model ids. Drops duplicates and ids beyond `MAX_COMPARED`. */
export const comparedIds = (ids = ''): readonly string[] =>
  [...new Set(ids.split(',').filter((id) => id !== ''))].slice(0, MAX_COMPARED);
