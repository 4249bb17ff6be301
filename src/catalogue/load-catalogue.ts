/**
 * Builds the catalogue from a validated configuration. Prices become exact integers, and each price
 * card gets an id.
 */
import type { Config } from '../config/config.ts';
import { finish, type Steps } from '../config/document/steps.ts';
import type { ListedModel } from '../config/lists/list-checks.ts';
import type { ModelSettings } from '../config/schema.ts';
import { type Currency, isCurrency } from '../money/amount.ts';
import { type FxRate, parseFxRate } from '../money/price.ts';
import { modelAt, modelsFrom, momentSteps } from './announced.ts';
import { exact, modelOf } from './build-model.ts';
import type { Catalogue, Model } from './catalogue.ts';
import { contentId } from './content-id.ts';
import { listedModels, withLists } from './price-lists.ts';

type Sold = Pick<Config, 'models' | 'fx' | 'calendars'> & Partial<Pick<Config, 'lists'>>;

export const loadCatalogue = (config: Sold, nowMs: number): Catalogue =>
  finish(catalogueSteps(config, nowMs));

/**
 * Builds the catalogue. The generator yields after each model, so that other work can run, because
 * there may be thousands of models.
 */
export function* catalogueSteps(config: Sold, nowMs: number): Steps<Catalogue> {
  const { calendars, lists = {} } = config;
  const models = new Map<string, Model>();
  const versions: string[] = [];
  for (const [id, settings] of Object.entries(config.models)) {
    const known = builtOnce(id, settings, calendars);
    models.set(id, inForce(known, nowMs));
    versions.push(known.version);
    yield;
  }
  const fx = new Map<string, FxRate>();
  for (const [pair, text] of Object.entries(config.fx)) {
    if (text !== undefined) fx.set(pair, fxRate(pair, text));
  }
  const listed = new Map<string, ReadonlyMap<string, Model>>();
  const ofList: unknown[] = [];
  for (const [name, list] of Object.entries(lists)) {
    const own = (id: string, { settings }: ListedModel): Model =>
      inForce(builtOnce(id, settings, calendars), nowMs);
    listed.set(name, yield* listedModels(models, name, list, own));
    const { factor, only, hidden, models: its } = list;
    const prices: string[] = [];
    for (const [id, { settings, channels }] of Object.entries(its)) {
      prices.push(builtOnce(id, settings, calendars).version, ...channels);
      yield;
    }
    ofList.push([name, factor, only, hidden, prices]);
  }
  const content = [versions, config.fx, calendars, ...(listed.size === 0 ? [] : [ofList])];
  const all = [models, ...listed.values()].flatMap((each) => [...each.values()]);
  const moments = yield* momentSteps(all);
  const version = versionAt(content, moments.findLast((moment) => moment <= nowMs) ?? null);
  const now = { all: models, fx, version, loadedAtMs: nowMs };
  yield;
  const later: Later[] = [];
  let [before, listedBefore]: [Models, ReadonlyMap<string, Models>] = [models, listed];
  for (const fromMs of moments.filter((moment) => moment > nowMs)) {
    before = modelsFrom(before, fromMs);
    listedBefore = new Map(
      [...listedBefore].map(([name, each]) => [name, modelsFrom(each, fromMs)]),
    );
    const at = { all: before, fx, version: versionAt(content, fromMs), loadedAtMs: fromMs };
    later.push(withLists(at, listedBefore));
    yield;
  }
  return { ...withLists(now, listed), next: chain(later) };
}

type Built = Pick<Sold, 'calendars'> & {
  readonly model: Model;
  readonly version: string;
  /** The model with the price cards that were in effect at the last call of `inForce`. */
  current: Model;
};
/**
 * Caches the built model of each settings object. A reload reuses the settings objects of unchanged
 * models.
 */
const built = new WeakMap<ModelSettings, Built>();

function builtOnce(id: string, settings: ModelSettings, calendars: Config['calendars']): Built {
  const known = built.get(settings);
  if (known?.model.id === id && Bun.deepEquals(known.calendars, calendars)) return known;
  const model = modelOf(id, settings, calendars);
  const next = { calendars, model, version: contentId(id, settings), current: model };
  built.set(settings, next);
  return next;
}

/**
 * Returns the model with the price cards that are in effect now. Returns the same object as before
 * if no card has changed.
 */
function inForce(known: Built, nowMs: number): Model {
  const model = modelAt(known.model, nowMs);
  const cardsOf = ({ channels }: Model) => [...channels.values()].map(({ card }) => card);
  const cards = cardsOf(known.current);
  if (cardsOf(model).some((card, at) => card !== cards[at])) known.current = model;
  return known.current;
}

type Models = ReadonlyMap<string, Model>;
type Later = Omit<Catalogue, 'next'>;

/**
 * Links catalogues, which are sorted by start time: each catalogue becomes the `next` of its
 * predecessor.
 */
const chain = (later: readonly Later[]): Catalogue['next'] =>
  later.reduceRight<Catalogue['next']>(
    (next, each) => ({ fromMs: each.loadedAtMs, catalogue: { ...each, next } }),
    null,
  );

/**
 * Returns the catalogue's version. It depends on the time of the last price change instead of the
 * time of loading. Therefore, nodes that started before and after the price change have the same
 * version.
 */
const versionAt = (content: readonly unknown[], sinceMs: number | null): string =>
  contentId('cat', sinceMs === null ? content : [...content, sinceMs]);

function fxRate(pair: string, text: string): FxRate {
  const [base = '', quote = ''] = pair.split('/');
  const scaled = exact(parseFxRate, text);
  return {
    id: contentId('fx', [pair, String(scaled)]),
    base: currency(base),
    quote: currency(quote),
    scaled,
  };
}

function currency(text: string): Currency {
  if (!isCurrency(text)) throw new Error(`fx: ${text} is not a supported currency`);
  return text;
}
