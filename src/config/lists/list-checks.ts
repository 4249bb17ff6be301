/** Validates price lists against the models that they refer to, and parses their prices. */
import type { Steps } from '../document/steps.ts';
import { nearest } from '../nearest.ts';
import type { Finding, Path } from '../problem.ts';
import type { FileSettings, ModelSettings } from '../schema.ts';
import { isMap, valueAt } from '../schema-path.ts';
import { MAX_PRICE_LISTS } from './list-schema.ts';

type ChannelName = keyof ModelSettings['channels'];

/** A model for which a price list contains prices. */
export type ListedModel = {
  /** The model's settings, in which the prices of the list replace those of the model. */
  readonly settings: ModelSettings;
  /** The channels of the model for which the list contains prices. */
  readonly channels: readonly ChannelName[];
};

export type PriceList = {
  /** An exact decimal such as `0.85`. It multiplies all prices that the list does not replace. */
  readonly factor: string;
  readonly only: readonly string[] | null;
  readonly hidden: readonly string[];
  readonly models: Readonly<Record<string, ListedModel>>;
};
export type PriceLists = Readonly<Record<string, PriceList>>;

/** Parses a model of a file. The paths of its problems start at the root of the file. */
export type CheckModel = (
  file: unknown,
  id: string,
) => { readonly data: ModelSettings | undefined; readonly findings: readonly Finding[] };

type Checked = {
  readonly models: Readonly<Record<string, ListedModel>>;
  readonly findings: readonly Finding[];
};

/** Yields problems: too many lists, invalid names of lists, and unknown names within lists. */
export function* priceListChecks(file: unknown): Generator<Finding> {
  const lists = entriesAt(file, ['price_lists']);
  if (lists.length > MAX_PRICE_LISTS) {
    const message = `has ${lists.length} lists; write at most ${MAX_PRICE_LISTS}`;
    yield { path: ['price_lists'], message };
  }
  const models = entriesAt(file, ['models']).map(([id]) => id);
  const known = new Set(models);
  for (const [name, list] of lists) {
    const path = ['price_lists', name];
    if (!/^[a-z0-9][a-z0-9_-]{0,47}$/.test(name)) {
      const message =
        'the name of a list has up to 48 lower-case letters, digits and the signs - and _';
      yield { path, message };
    }
    // `none` is reserved, because it means the public prices on the command line.
    if (name === 'none')
      yield { path, message: 'cannot be the name of a list; choose another name' };
    const only = valueAt(list, ['only']);
    for (const [index, id] of Array.isArray(only) ? only.entries() : [])
      if (typeof id === 'string' && !known.has(id))
        yield { path: [...path, 'only', index], message: unknownModel(id, models) };
    for (const [id, listed] of entriesAt(list, ['models'])) {
      const at = [...path, 'models', id];
      if (!known.has(id)) yield { path: at, message: unknownModel(id, models) };
      else yield* channelChecks(valueAt(file, ['models', id]), listed, at);
    }
  }
  const names = lists.map(([name]) => name);
  for (const [id, model] of entriesAt(file, ['models']))
    yield* onlyOnChecks(model, names, ['models', id]);
}

/**
 * Yields the problems of `only_on` in a model and its channels. The default channel cannot have
 * `only_on`, because it serves every caller without access to the requested channel.
 */
function* onlyOnChecks(model: unknown, known: readonly string[], path: Path): Generator<Finding> {
  const ofModel = yield* listNames(model, known, path);
  for (const [name, channel] of entriesAt(model, ['channels'])) {
    const at = [...path, 'channels', name];
    const named = yield* listNames(channel, known, at);
    if (named === null) continue;
    if (valueAt(model, ['default_channel']) === name) {
      const message =
        'cannot be set on the default channel; set it on the model, or choose another default channel';
      yield { path: [...at, 'only_on'], message };
    }
    for (const [index, list] of named.entries())
      if (ofModel?.includes(list) === false) {
        const message = `the model is not sold on the list "${list}"`;
        yield { path: [...at, 'only_on', index], message };
      }
  }
}

/**
 * Yields a problem for each unknown list in `only_on`. Returns the names of the lists; null if
 * `only_on` is absent.
 */
function* listNames(
  value: unknown,
  known: readonly string[],
  path: Path,
): Generator<Finding, readonly string[] | null> {
  const names = valueAt(value, ['only_on']);
  if (!Array.isArray(names)) return null;
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string' || known.includes(name)) continue;
    const near = nearest(name, known);
    const hint = near === null ? '' : `; did you mean "${near}"?`;
    const message = `there is no price list "${name}"${hint}`;
    yield { path: [...path, 'only_on', index], message };
  }
  return names.filter((name) => typeof name === 'string');
}

function unknownModel(id: string, models: readonly string[]): string {
  const near = nearest(id, models);
  const hint = near === null ? '' : `; did you mean "${near}"?`;
  return `there is no model "${id}"${hint}`;
}

function* channelChecks(model: unknown, listed: unknown, path: Path): Generator<Finding> {
  const known = entriesAt(model, ['channels']).map(([name]) => name);
  for (const [name] of entriesAt(listed, ['channels']))
    if (!known.includes(name))
      yield {
        path: [...path, 'channels', name],
        message: `the model has no channel ${name}; it has ${known.join(', ')}`,
      };
}

/** Prices of a list that were found valid, with the model and the context of that validation. */
type ValidPrices = {
  readonly id: string;
  readonly model: unknown;
  readonly context: object;
  readonly own: ListedModel;
};
/** The valid prices found so far. Each key is the object with the prices in the parsed file. */
const valid = new WeakMap<object, ValidPrices>();

/**
 * Validates the prices of a list as if they were the prices of its models. The generator yields
 * after each model. Prices are not validated again while their object, their model and `context`
 * are the same objects.
 */
export function* listedModelSteps(
  file: unknown,
  name: string,
  context: object,
  check: CheckModel,
): Steps<Checked> {
  const models: [string, ListedModel][] = [];
  const findings: Finding[] = [];
  for (const [id, listed] of entriesAt(file, ['price_lists', name, 'models'])) {
    yield;
    const model = valueAt(file, ['models', id]);
    const known = isMap(listed) ? valid.get(listed) : undefined;
    const isKnown = known?.id === id && known.model === model;
    if (isKnown && known.context === context) {
      models.push([id, known.own]);
      continue;
    }
    const channels = channelsIn(model, listed);
    if (channels.length === 0) continue;
    const { data, findings: found } = check(withPrices(file, id, listed, channels), id);
    const path = ['price_lists', name, 'models', id];
    findings.push(...ofList(found, channels, path, () => check(file, id).findings));
    if (data === undefined) continue;
    const own = isKnown ? known.own : { settings: data, channels };
    models.push([id, own]);
    if (isMap(listed) && found.length === 0) valid.set(listed, { id, model, context, own });
  }
  return { models: Object.fromEntries(models), findings };
}

/** Returns a file that contains only this model, with the prices of the list. */
function withPrices(
  file: unknown,
  id: string,
  listed: unknown,
  channels: readonly ChannelName[],
): object {
  const model = valueAt(file, ['models', id]);
  const own = { ...Object(model), channels: { ...Object(valueAt(model, ['channels'])) } };
  for (const channel of channels) {
    const { price, upcoming } = Object(valueAt(listed, ['channels', channel]));
    own.channels[channel] = { ...own.channels[channel], price, upcoming };
  }
  return { ...Object(file), models: { [id]: own } };
}

/** Returns the model's channels for which the list contains prices. */
function channelsIn(model: unknown, listed: unknown): readonly ChannelName[] {
  const known = entriesAt(model, ['channels']).map(([name]) => name);
  return (['direct', 'stable', 'economical'] as const).filter(
    (name) => known.includes(name) && isMap(valueAt(listed, ['channels', name])),
  );
}

/**
 * Returns the problems that the price list causes, with paths in the list. Drops the problems that
 * `ofModel` returns, because the model has these problems even without the list.
 */
function ofList(
  found: readonly Finding[],
  channels: readonly ChannelName[],
  path: Path,
  ofModel: () => readonly Finding[],
): readonly Finding[] {
  if (found.length === 0) return [];
  const known = new Set(ofModel().map(textOf));
  return found.flatMap((finding): readonly Finding[] => {
    // Skips the first two parts of the path, which are `models` and the model's id.
    const [area, channel, key, ...rest] = finding.path.slice(2);
    const isOwn =
      area === 'channels' &&
      channels.some((each) => each === channel) &&
      (key === 'price' || key === 'upcoming');
    if (isOwn) return [{ ...finding, path: [...path, 'channels', String(channel), key, ...rest] }];
    return known.has(textOf(finding)) ? [] : [{ ...finding, path }];
  });
}

const textOf = ({ path, message }: Finding): string => `${path.map(String).join('.')}: ${message}`;

/** Builds the price lists from the parsed lists and their validated prices. */
export const priceListsOf = (
  lists: FileSettings['price_lists'],
  own: Readonly<Record<string, Checked['models']>>,
): PriceLists =>
  Object.fromEntries(
    Object.entries(lists).map(([name, { factor, only, models }]) => [
      name,
      {
        factor,
        only,
        hidden: Object.entries(models).flatMap(([id, { hidden }]) => (hidden ? [id] : [])),
        models: own[name] ?? {},
      },
    ]),
  );

function entriesAt(value: unknown, path: Path): readonly (readonly [string, unknown])[] {
  const found = valueAt(value, path);
  return isMap(found) ? Object.entries(found) : [];
}
