/** What is entered in the guided form of a provider, and the settings that it becomes. */
import { asObject } from '#api/json.ts';
import type { components } from '#api/schema.gen.ts';
import { formatExact, parseAmount } from '#money/amount.ts';
import { enteredAmount } from '#money/entered-amount.ts';

export type Provider = components['schemas']['Provider'];
export type ProviderModel = components['schemas']['ProviderModel'];
export type ChannelName = 'direct' | 'stable' | 'economical';
export type Settings = Readonly<Record<string, unknown>>;

/** The provider as entered; the key is sent, and never kept in the browser. */
export type ProviderFields = {
  readonly make: Provider['make'];
  readonly protocol: Provider['protocol'];
  readonly name: string;
  readonly base_url: string;
  readonly api_key: string;
  readonly allow_private: boolean;
};

/** A model of the provider that is going to be sold. All fields are as typed. */
export type SoldModel = {
  /** The provider's name of the model. */
  readonly there: string;
  /** The name that callers use. */
  readonly here: string;
  readonly channel: ChannelName;
  readonly context: string;
  readonly maxOutput: string;
  readonly readsImages: boolean;
  readonly costIn: string;
  readonly costOut: string;
  readonly priceIn: string;
  readonly priceOut: string;
  /** The costs that were suggested; null without any. */
  readonly suggested: ProviderModel['cost'];
};

/** The most models of one step, which are edited side by side. */
export const MAX_SOLD = 50;
const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;
const MODEL_NAME = /^[!-~]{1,128}$/;
const COUNT = /^[1-9]\d{0,7}$/;
const PRICE_DECIMALS = 6;

export const isUpstreamName = (name: string): boolean => NAME.test(name);

/** The body of a call that tries the provider. */
export const draftBody = ({ name: _, api_key: key, ...fields }: ProviderFields) => ({
  ...fields,
  base_url: fields.base_url.trim(),
  api_key: key.trim() === '' ? null : key.trim(),
});

/** A model with what the provider's list says; what it does not say is left empty. */
export function soldModel(there: string, listed: ProviderModel | undefined): SoldModel {
  return {
    there,
    here: there.split('/').at(-1) ?? there,
    channel: 'direct',
    context: String(listed?.context_window ?? ''),
    maxOutput: String(listed?.max_output ?? ''),
    readsImages: listed?.reads_images ?? false,
    costIn: listed?.cost?.input ?? '',
    costOut: listed?.cost?.output ?? '',
    ...{ priceIn: '', priceOut: '', suggested: listed?.cost ?? null },
  };
}

/** Where the costs of a model are from; null if a person has changed them, or the list has them. */
export const sourceOf = ({ costIn, costOut, suggested }: SoldModel): string | null =>
  suggested?.input === costIn && suggested.output === costOut ? suggested.source : null;

/** Returns a price for the API, such as `1000.5` for `1,000.50`; null for what is no price. */
export function enteredPrice(text: string): string | null {
  const entered = enteredAmount(text, { zero: true });
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(entered ?? '') ?? [];
  const isPrice = whole !== '' && fraction.replace(/0+$/, '').length <= PRICE_DECIMALS;
  return isPrice ? entered : null;
}

const PICO = 10n ** 12n;
/** The pico-units of the sixth decimal place, the last one of a price. */
const LAST_PLACE = 10n ** 6n;

/** Multiplies a cost exactly, then rounds half up to six decimals; null if either is no number. */
export function timesFactor(cost: string, factor: string): string | null {
  const [of, by] = [enteredPrice(cost), enteredAmount(factor)];
  if (of === null || by === null) return null;
  const exact = parseAmount(of) * parseAmount(by);
  const unit = PICO * LAST_PLACE;
  return formatExact(((exact + unit / 2n) / unit) * LAST_PLACE);
}

/** The channels of a model in the settings, by their names. */
export const channelsOf = (models: Settings, name: string): Settings | null => {
  const model = asObject(models[name]);
  return model === null ? null : (asObject(model['channels']) ?? {});
};

/** Whether the channel exists, so that the model joins it as a further route at its price. */
export const joins = (models: Settings, { here, channel }: SoldModel): boolean =>
  asObject(channelsOf(models, here)?.[channel]) !== null;

export type SoldProblem = 'name' | 'kind' | 'twice' | 'context' | 'maxOutput' | 'price' | 'cost';

/** Returns what is wrong with the model at `at`, by the field where it is shown. */
export function problemsOf(
  sold: readonly SoldModel[],
  at: number,
  models: Settings,
): Partial<Record<keyof SoldModel, SoldProblem>> {
  const model = sold[at];
  if (model === undefined) return {};
  const found: Partial<Record<keyof SoldModel, SoldProblem>> = {};
  const existing = asObject(models[model.here]);
  const isTwice = sold.some(
    (each, index) => index < at && each.here === model.here && each.channel === model.channel,
  );
  if (!MODEL_NAME.test(model.here)) found.here = 'name';
  else if (existing !== null && existing['kind'] !== 'chat') found.here = 'kind';
  else if (isTwice) found.here = 'twice';
  if (existing === null) {
    if (!COUNT.test(model.context)) found.context = 'context';
    if (!COUNT.test(model.maxOutput)) found.maxOutput = 'maxOutput';
  }
  if (joins(models, model)) return found;
  for (const field of ['priceIn', 'priceOut'] as const) {
    if (enteredPrice(model[field]) === null) found[field] = 'price';
  }
  const [costIn, costOut] = [model.costIn.trim(), model.costOut.trim()];
  if (costIn === '' && costOut === '') return found;
  for (const field of ['costIn', 'costOut'] as const) {
    if (enteredPrice(model[field]) === null) found[field] = 'cost';
  }
  return found;
}

/**
 * Returns the change of the settings as a JSON merge patch: the upstream, and the models with their
 * channels, routes and prices.
 * @param secret the name of the stored key; null for a server that needs none.
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
    kind: 'chat',
    maker: maker || (make === 'generic' ? name : make),
    context_window: Number(first.context),
    max_output: Number(first.maxOutput),
    input: first.readsImages ? ['text', 'image'] : ['text'],
    default_channel: first.channel,
    channels,
  };
}

function channelPatch(upstream: string, sold: SoldModel, models: Settings): Settings {
  const route = { upstream, model: sold.there };
  const existing = asObject(channelsOf(models, sold.here)?.[sold.channel]);
  if (existing !== null) {
    const routes = existing['routes'];
    return { routes: [...(Array.isArray(routes) ? routes : []), route] };
  }
  const [input, output] = [enteredPrice(sold.priceIn), enteredPrice(sold.priceOut)];
  const [costIn, costOut] = [enteredPrice(sold.costIn), enteredPrice(sold.costOut)];
  const source = sourceOf(sold);
  const cost = { input: costIn, output: costOut, ...(source === null ? {} : { source }) };
  return {
    price: { input, output },
    ...(costIn === null || costOut === null ? {} : { cost }),
    routes: [route],
  };
}
