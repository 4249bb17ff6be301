/** The filters of the model list, which are kept in the page's URL. */
import { every } from '#api/lists.ts';
import type { Model } from '#catalogue/models.ts';
import { lowestPrice } from '#catalogue/price.ts';
import { parseAmount } from '#money/amount.ts';

export const KINDS = every<Model['kind']>({ chat: true, image: true, embedding: true });
export const SORTS = ['price', 'context', 'newest'] as const;
export const VIEWS = ['cards', 'table'] as const;
/** The maximum number of compared models. */
export const MAX_COMPARED = 4;

/** The state of the model list. By default, all models as cards, in the catalog's order. */
export type ModelSearch = {
  readonly q?: string;
  readonly kind?: Model['kind'];
  /** The modality that a model must accept as input. */
  readonly input?: string;
  readonly maker?: string;
  /** The maximum price per 1M input tokens, or per image, as a decimal. */
  readonly max?: string;
  readonly sort?: (typeof SORTS)[number];
  readonly view?: (typeof VIEWS)[number];
};

type Given = Readonly<Record<string, unknown>>;

const MAX_CHARS = 200;
const DECIMAL = /^\d{1,9}(?:\.\d{1,6})?$/;

/** Returns the valid values of the URL and ignores all others. */
export const modelSearch = (given: Given): ModelSearch => ({
  ...text(given, 'q'),
  ...oneOf(given, 'kind', KINDS),
  ...text(given, 'input'),
  ...text(given, 'maker'),
  ...(DECIMAL.test(String(given['max'])) ? { max: String(given['max']) } : {}),
  ...oneOf(given, 'sort', SORTS),
  ...oneOf(given, 'view', VIEWS),
});

function text<Name extends string>(given: Given, name: Name): { readonly [N in Name]?: string } {
  const value = given[name];
  const said = typeof value === 'number' ? String(value) : value;
  if (typeof said !== 'string' || said === '') return {};
  return { [name]: said.slice(0, MAX_CHARS) } as { readonly [N in Name]?: string };
}

function oneOf<Name extends string, Value extends string>(
  given: Given,
  name: Name,
  values: readonly Value[],
): { readonly [N in Name]?: Value } {
  const value = values.find((each) => each === given[name]);
  return value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]?: Value });
}

/** Returns the models that match, in the selected order. */
export function foundModels(models: readonly Model[], search: ModelSearch): readonly Model[] {
  const found = models.filter((model) => isFound(model, search));
  return search.sort === undefined ? found : found.toSorted(ORDERS[search.sort]);
}

const ORDERS: Readonly<Record<(typeof SORTS)[number], (a: Model, b: Model) => number>> = {
  price: (a, b) => compare(lowestPrice(a), lowestPrice(b)),
  context: (a, b) => (b.context_length ?? 0) - (a.context_length ?? 0),
  newest: (a, b) => (b.release_date ?? '').localeCompare(a.release_date ?? ''),
};

function isFound(model: Model, { q, kind, input, maker, max }: ModelSearch): boolean {
  return (
    (kind === undefined || model.kind === kind) &&
    (input === undefined || model.input_modalities.includes(input)) &&
    (maker === undefined || model.maker === maker) &&
    (max === undefined || lowestPrice(model) <= parseAmount(max)) &&
    (q === undefined || hasWords(model, q))
  );
}

/** Whether every word of the query occurs in the id, name or provider. */
function hasWords({ id, name, maker }: Model, query: string): boolean {
  const said = `${id} ${name} ${maker}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the unique values in alphabetical order. */
export const distinct = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].toSorted();

/** Returns the ids to compare, without duplicates and up to the maximum. */
export const comparedIds = (ids: unknown): readonly string[] =>
  typeof ids === 'string'
    ? [...new Set(ids.split(',').filter((id) => id !== ''))].slice(0, MAX_COMPARED)
    : [];
