/** The values of the guided form for a provider, and the settings made from them. */
import { asObject } from '#api/json.ts';
import type { components } from '#api/schema.gen.ts';
import { formatExact, parseAmount } from '#money/amount.ts';
import { enteredAmount } from '#money/entered-amount.ts';

export type Provider = components['schemas']['Provider'];
export type ProviderModel = components['schemas']['ProviderModel'];
export type ChannelName = 'direct' | 'stable' | 'economical';
export type Settings = Readonly<Record<string, unknown>>;

/** The provider as entered. The key is sent to the gateway and never stored in the browser. */
export type ProviderFields = {
  readonly make: Provider['make'];
  readonly protocol: Provider['protocol'];
  readonly name: string;
  readonly base_url: string;
  readonly api_key: string;
  readonly allow_private: boolean;
};

export const KINDS = ['chat', 'image', 'embedding'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * The values for one image size: the cost and the price of an image of this size, or its number of
 * tokens.
 */
export type SizeAmounts = { readonly [Name in 'cost' | 'price' | 'tokens']: string };
export const NO_AMOUNTS: SizeAmounts = { cost: '', price: '', tokens: '' };

/** A model of the provider that will be sold. Numbers and amounts are texts as typed. */
export type SoldModel = {
  readonly kind: Kind;
  /** The provider's name for the model. */
  readonly there: string;
  /** The name that callers use. */
  readonly here: string;
  readonly channel: ChannelName;
  readonly context: string;
  readonly maxOutput: string;
  readonly readsImages: boolean;
  readonly dimensions: string;
  readonly sizes: readonly string[];
  /** Whether images are priced by token, as text is. */
  readonly isByToken: boolean;
  readonly bySize: Readonly<Record<string, SizeAmounts>>;
  readonly costIn: string;
  readonly costOut: string;
  readonly priceIn: string;
  readonly priceOut: string;
  /** The suggested costs; null without any. */
  readonly suggested: ProviderModel['cost'];
};

/** The maximum number of models in one step, because all of them are edited side by side. */
export const MAX_SOLD = 50;
const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;
const MODEL_NAME = /^[!-~]{1,128}$/;
const COUNT = /^[1-9]\d{0,7}$/;
const PRICE_DECIMALS = 6;
const IMAGE_SIZE = /^\d{2,4}x\d{2,4}$/;

/** Guesses the kind of a model from its name. The person can change it. */
export function kindOf(name: string): Kind {
  if (/embed/i.test(name)) return 'embedding';
  const draws = /(?:^|\/)(?:dall-e|gpt-image|flux|imagen|stable-diffusion|seedream)/i;
  return draws.test(name) ? 'image' : 'chat';
}

export const isUpstreamName = (name: string): boolean => NAME.test(name);

/** The body of a request that tests the provider before it is saved. */
export const draftBody = ({ name: _, api_key: key, ...fields }: ProviderFields) => ({
  ...fields,
  base_url: fields.base_url.trim(),
  api_key: key.trim() === '' ? null : key.trim(),
});

/** Returns a model with the properties from the provider's list. Unknown properties stay empty. */
export function soldModel(there: string, listed: ProviderModel | undefined): SoldModel {
  return {
    there,
    kind: kindOf(there),
    here: there.split('/').at(-1) ?? there,
    channel: 'direct',
    context: String(listed?.context_window ?? ''),
    maxOutput: String(listed?.max_output ?? ''),
    readsImages: listed?.reads_images ?? false,
    ...{ dimensions: '', sizes: ['1024x1024'], isByToken: false, bySize: {} },
    costIn: listed?.cost?.input ?? '',
    costOut: listed?.cost?.output ?? '',
    ...{ priceIn: '', priceOut: '', suggested: listed?.cost ?? null },
  };
}

/** Returns the source of suggested costs; null if a person changed them or none were suggested. */
export const sourceOf = ({ costIn, costOut, suggested }: SoldModel): string | null =>
  suggested?.input === costIn && suggested.output === costOut ? suggested.source : null;

/** Returns a price for the API, such as `1000.5` for `1,000.50`; null if the text is invalid. */
export function enteredPrice(text: string): string | null {
  const entered = enteredAmount(text, { zero: true });
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(entered ?? '') ?? [];
  const isPrice = whole !== '' && fraction.replace(/0+$/, '').length <= PRICE_DECIMALS;
  return isPrice ? entered : null;
}

const PICO = 10n ** 12n;
/** The value of the sixth decimal place in pico-units. Prices have no further places. */
const LAST_PLACE = 10n ** 6n;

/** Multiplies exactly, then rounds half up to six decimals; null if either text is not a number. */
export function timesFactor(cost: string, factor: string): string | null {
  const [of, by] = [enteredPrice(cost), enteredAmount(factor)];
  if (of === null || by === null) return null;
  const exact = parseAmount(of) * parseAmount(by);
  const unit = PICO * LAST_PLACE;
  return formatExact(((exact + unit / 2n) / unit) * LAST_PLACE);
}

/** Returns the channels of a configured model, by name; null for an unknown model. */
export const channelsOf = (models: Settings, name: string): Settings | null => {
  const model = asObject(models[name]);
  return model === null ? null : (asObject(model['channels']) ?? {});
};

/**
 * Whether the channel exists already. If so, the model becomes another route of this channel, at
 * the channel's price.
 */
export const joins = (models: Settings, { here, channel }: SoldModel): boolean =>
  asObject(channelsOf(models, here)?.[channel]) !== null;

export type SoldProblem =
  | ('name' | 'kind' | 'twice')
  | ('context' | 'maxOutput' | 'dimensions' | 'sizes' | 'tokens')
  | ('price' | 'cost');

/**
 * Returns the sizes of an image model: the configured sizes if the model exists, otherwise the
 * entered ones.
 */
export function sizesOf(models: Settings, { here, sizes }: SoldModel): readonly string[] {
  const existing = asObject(models[here])?.['sizes'];
  return Array.isArray(existing) ? existing.map(String) : sizes;
}

export const amountsOf = ({ bySize }: SoldModel, size: string): SizeAmounts =>
  bySize[size] ?? NO_AMOUNTS;

/**
 * Returns the names of the fields for token costs and token prices. A model that is priced per
 * image has none, and an embedding model has none for output.
 */
export const tokenAmounts = ({ kind, isByToken }: SoldModel) =>
  kind === 'image' && !isByToken
    ? []
    : kind === 'embedding'
      ? (['costIn', 'priceIn'] as const)
      : (['costIn', 'costOut', 'priceIn', 'priceOut'] as const);

/** Returns the errors of the model at index `at`, by field. */
export function problemsOf(sold: readonly SoldModel[], at: number, models: Settings): Problems {
  const model = sold[at];
  if (model === undefined) return {};
  const found: Problems = {};
  const existing = asObject(models[model.here]);
  const isTwice = sold.some(
    (each, index) => index < at && each.here === model.here && each.channel === model.channel,
  );
  if (!MODEL_NAME.test(model.here)) found.here = 'name';
  else if (existing !== null && existing['kind'] !== model.kind) found.here = 'kind';
  else if (isTwice) found.here = 'twice';
  if (existing === null) Object.assign(found, newProblems(model));
  return joins(models, model) ? found : { ...found, ...priceProblems(models, model) };
}

type Problems = Partial<Record<keyof SoldModel, SoldProblem>>;

/** Returns the errors of a model that does not exist yet, by field. */
function newProblems(model: SoldModel): Problems {
  const found: Problems = {};
  const { kind, context, maxOutput, dimensions, sizes } = model;
  if (kind !== 'image' && !COUNT.test(context)) found.context = 'context';
  if (kind === 'chat' && !COUNT.test(maxOutput)) found.maxOutput = 'maxOutput';
  if (kind === 'embedding' && !COUNT.test(dimensions)) found.dimensions = 'dimensions';
  if (kind !== 'image') return found;
  if (sizes.length === 0 || !sizes.every((size) => IMAGE_SIZE.test(size))) found.sizes = 'sizes';
  const isCounted = sizes.every((size) => COUNT.test(amountsOf(model, size).tokens));
  if (model.isByToken && !isCounted) found.bySize = 'tokens';
  return found;
}

function priceProblems(models: Settings, model: SoldModel): Problems {
  const found: Problems = {};
  const fields = tokenAmounts(model);
  const costs = fields.filter((field) => field.startsWith('cost'));
  const isCosted = costs.some((field) => model[field].trim() !== '');
  for (const field of fields) {
    if (enteredPrice(model[field]) !== null) continue;
    if (!field.startsWith('cost')) found[field] = 'price';
    else if (isCosted) found[field] = 'cost';
  }
  if (fields.length > 0) return found;
  const amounts = sizesOf(models, model).map((size) => amountsOf(model, size));
  const isDrawCosted = amounts.some(({ cost }) => cost.trim() !== '');
  if (amounts.some(({ price }) => enteredPrice(price) === null)) found.bySize = 'price';
  else if (isDrawCosted && amounts.some(({ cost }) => enteredPrice(cost) === null))
    found.bySize = 'cost';
  return found;
}

/**
 * Returns the new settings as a JSON merge patch: the upstream, and the models with their channels,
 * routes and prices.
 * @param secret the name of the stored key; null for a server that needs no key.
 */
export function patchOf(
  provider: ProviderFields,
  secret: string | null,
  sold: readonly SoldModel[],
  models: Settings,
): { readonly upstreams: Settings; readonly models: Settings } {
  const { make, protocol, name, base_url: baseUrl, allow_private: allowPrivate } = provider;
  const upstream = {
    protocol,
    make,
    base_url: baseUrl.trim(),
    api_key: secret === null ? 'none' : `\${secret:${secret}}`,
    ...(allowPrivate ? { allow_private: true } : {}),
  };
  const byName = Map.groupBy(sold, ({ here }) => here);
  const changed = [...byName].map(([here, channels]) => [
    here,
    modelPatch(provider, channels, models),
  ]);
  return { upstreams: { [name]: upstream }, models: Object.fromEntries(changed) };
}

function modelPatch(
  { name, make }: ProviderFields,
  sold: readonly SoldModel[],
  models: Settings,
): Settings {
  const channels = Object.fromEntries(
    sold.map((each) => [each.channel, channelPatch(name, each, models)]),
  );
  const [first] = sold;
  if (first === undefined || channelsOf(models, first.here) !== null) return { channels };
  const [maker] = first.there.includes('/') ? first.there.split('/') : [];
  return {
    kind: first.kind,
    maker: maker || (make === 'generic' ? name : make),
    ...abilitiesOf(first),
    default_channel: first.channel,
    channels,
  };
}

function abilitiesOf(model: SoldModel): Settings {
  const { kind, context, maxOutput, readsImages, dimensions, sizes, isByToken } = model;
  switch (kind) {
    case 'chat':
      return {
        context_window: Number(context),
        max_output: Number(maxOutput),
        input: readsImages ? ['text', 'image'] : ['text'],
      };
    case 'embedding':
      return { context_window: Number(context), dimensions: Number(dimensions) };
    case 'image': {
      const tokens = sizes.map((size) => [size, Number(amountsOf(model, size).tokens)]);
      return {
        sizes: [...sizes],
        ...(isByToken ? { image_tokens: Object.fromEntries(tokens) } : {}),
      };
    }
  }
}

function channelPatch(upstream: string, sold: SoldModel, models: Settings): Settings {
  const route = { upstream, model: sold.there };
  const existing = asObject(channelsOf(models, sold.here)?.[sold.channel]);
  if (existing !== null) {
    const routes = existing['routes'];
    return { routes: [...(Array.isArray(routes) ? routes : []), route] };
  }
  const cost = amountsIn(sold, 'cost', models);
  const source = sourceOf(sold);
  const isCosted = tokenAmounts(sold).length > 0 && source !== null;
  return {
    price: amountsIn(sold, 'price', models),
    ...(cost === null ? {} : { cost: isCosted ? { ...cost, source } : cost }),
    routes: [route],
  };
}

/** Returns the price or cost as a configuration value; null if an amount is missing. */
function amountsIn(sold: SoldModel, of: 'cost' | 'price', models: Settings): Settings | null {
  const [input, output] = [enteredPrice(sold[`${of}In`]), enteredPrice(sold[`${of}Out`])];
  if (sold.kind === 'embedding') return input === null ? null : { input };
  if (sold.kind === 'image' && !sold.isByToken) {
    const sizes = sizesOf(models, sold).map(
      (size) => [size, enteredPrice(amountsOf(sold, size)[of])] as const,
    );
    return sizes.some(([, amount]) => amount === null)
      ? null
      : { per_image: Object.fromEntries(sizes) };
  }
  if (input === null || output === null) return null;
  return sold.kind === 'image' ? { input, image_output: output } : { input, output };
}
