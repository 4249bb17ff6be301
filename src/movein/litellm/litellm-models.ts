/** Converts the deployments of LiteLLM to upstreams and models. */
import { droppedField } from '../../config/values.ts';
import type { JsonObject } from '../../json/object.ts';
import { countIn, isSet, numberIn, textIn, textsIn } from '../json-values.ts';
import type { Left } from '../move-in.ts';
import { type Deployment, targetOf } from './deployments.ts';
import {
  embeddingPriceOf,
  highestOf,
  type PriceFile,
  type ReadPrice,
  textPriceOf,
  withoutSteps,
} from './litellm-prices.ts';
import { providerModelOf } from './litellm-providers.ts';
import type { SecretBook, Variables } from './litellm-secrets.ts';

export type ModelsInput = {
  readonly deployments: readonly Deployment[];
  /** The aliases of models, from `model_group_alias`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Public price data, for deployments without their own prices; null if it is not given. */
  readonly prices: PriceFile | null;
  readonly variables: Variables;
  readonly secrets: SecretBook;
};

type Settings = Readonly<Record<string, JsonObject>>;
export type ReadModels = {
  readonly upstreams: Settings;
  readonly models: Settings;
  readonly left: readonly Left[];
};

/** A deployment, with the upstream that it becomes and the attributes of its model. */
type Placed = {
  readonly deployment: Deployment;
  readonly provider: string;
  readonly upstream: string;
  readonly model: string;
  /**
   * The model's attributes, such as prices and sizes. The price data supplies what the deployment
   * does not set.
   */
  readonly facts: JsonObject;
};

const MODEL_ID = /^[\w.:/-]{1,128}$/;
/** The modes of LiteLLM whose models can move, each with the gateway's kind of such models. */
const KINDS: ReadonlyMap<string, 'chat' | 'embedding'> = new Map([
  ['chat', 'chat'],
  ['responses', 'chat'],
  ['embedding', 'embedding'],
]);
/**
 * The context window and the maximum output, in tokens, that are assumed if LiteLLM states none.
 */
const DEFAULT_CONTEXT = 128_000;
const DEFAULT_OUTPUT = 16_384;
const MODALITIES = [
  ['supports_vision', 'image'],
  ['supports_pdf_input', 'file'],
  ['supports_audio_input', 'audio'],
] as const;
/** The prices of a deployment that replace those of the price data, also for long prompts. */
const BASE_PRICES = ['input_cost_per_token', 'output_cost_per_token'] as const;
const MAX_WEIGHT = 1_000_000;
const MAX_PRIORITY = 100;

export function modelsOf(input: ModelsInput): ReadModels {
  const reader = new ModelReader(input);
  return reader.read();
}

class ModelReader {
  readonly #input: ModelsInput;
  readonly #upstreams = new Map<string, JsonObject>();
  readonly #left: Left[] = [];

  constructor(input: ModelsInput) {
    this.#input = input;
  }

  read(): ReadModels {
    const models = new Map<string, JsonObject>();
    const groups = Map.groupBy(this.#input.deployments, ({ name }) => name);
    for (const [name, deployments] of groups) {
      const model = this.#model(name, deployments);
      if (model !== null) models.set(name, model);
    }
    for (const [alias, name] of this.#input.aliases) {
      const model = models.get(name);
      if (models.has(alias)) continue;
      if (model === undefined || !MODEL_ID.test(alias))
        this.#leave('alias', alias, `It is an alias of ${name}, which is not imported.`);
      else models.set(alias, model);
    }
    return {
      upstreams: Object.fromEntries(this.#upstreams),
      models: Object.fromEntries(models),
      left: this.#left,
    };
  }

  #model(name: string, deployments: readonly Deployment[]): JsonObject | null {
    if (name.includes('*')) {
      this.#leave('model', name, 'It is a wildcard pattern. Add each of its models separately.');
      return null;
    }
    if (!MODEL_ID.test(name)) {
      this.#leave('model', name, 'A model id may contain only letters, digits and - _ . : /.');
      return null;
    }
    const placed = deployments.flatMap((deployment) => this.#placed(deployment) ?? []);
    const [first] = placed;
    if (first === undefined) return null;
    const kind = kindOf(first);
    if (kind === null) {
      const mode = textIn(first.facts, 'mode');
      this.#leave('model', name, `The gateway does not sell models of the mode ${mode}.`);
      return null;
    }
    const price = this.#price(name, kind, placed);
    if (price === null) return null;
    const size = this.#size(name, kind, placed, price);
    if (size === null) return null;
    for (const each of placed) this.#leaveParameters(each);
    return {
      kind,
      maker: makerOf(first),
      ...size,
      default_channel: 'direct',
      channels: { direct: { price: price.price, routes: routesOf(placed) } },
    };
  }

  #placed(deployment: Deployment): Placed | null {
    const { prices } = this.#input;
    const full = textIn(deployment.params, 'model') ?? '';
    const given = textIn(deployment.params, 'custom_llm_provider');
    const listed = (of: string): string | null => {
      const entry = prices?.get(of);
      return entry === undefined ? null : textIn(entry, 'litellm_provider');
    };
    const { provider, model } = providerModelOf(full, given, listed);
    const target = targetOf(deployment, provider, model, this.#input);
    if ('reason' in target) {
      const subject = `${deployment.name} (${full})`;
      this.#leave('deployment', subject, sentence(target.reason));
      return null;
    }
    const base = textIn(deployment.info, 'base_model') ?? textIn(deployment.params, 'base_model');
    const known = [base, full, model, target.model, `${provider}/${model}`]
      .map((name) => (name === null ? undefined : prices?.get(name)))
      .find((entry) => entry !== undefined);
    const own = { ...present(deployment.info), ...pricesIn(deployment.params) };
    // LiteLLM charges a deployment's own price for prompts of any length.
    const isOwnPrice = BASE_PRICES.some((name) => numberIn(own, name) !== null);
    const facts = { ...(isOwnPrice ? withoutSteps(known ?? {}) : known), ...own };
    const upstream = this.#upstream(provider ?? 'upstream', target.settings);
    return { deployment, provider: provider ?? '', upstream, model: target.model, facts };
  }

  /** Returns the name of the upstream with these settings, after adding it if it is missing. */
  #upstream(provider: string, settings: JsonObject): string {
    const written = JSON.stringify(settings);
    const base = provider.replaceAll('_', '-');
    for (let index = 1; ; index += 1) {
      const name = index === 1 ? base : `${base}-${index}`;
      const taken = this.#upstreams.get(name);
      if (taken === undefined) this.#upstreams.set(name, settings);
      if (taken === undefined || JSON.stringify(taken) === written) return name;
    }
  }

  /**
   * Returns the highest price of a model's deployments, because a model has only one price per
   * channel.
   */
  #price(name: string, kind: 'chat' | 'embedding', placed: readonly Placed[]): ReadPrice | null {
    const context = contextOf(placed[0]?.facts ?? {}) ?? DEFAULT_CONTEXT;
    const read = placed.flatMap(({ facts, deployment }) => {
      const price = kind === 'chat' ? textPriceOf(facts, context) : embeddingPriceOf(facts);
      return price === null || !isSold(deployment, price) ? [] : [price];
    });
    if (read.length === 0) {
      const remedy =
        this.#input.prices === null
          ? 'Run again with price data (--prices), or add the model with its price.'
          : 'The price data does not list it. Add the model with its price.';
      this.#leave('model', name, `It has no price, so it cannot be sold. ${remedy}`);
      return null;
    }
    if (new Set(read.map(({ price }) => JSON.stringify(price))).size > 1)
      this.#leave('price', name, 'Its deployments have different prices. The highest is charged.');
    const highest = highestOf(read);
    if (highest.isRounded)
      this.#leave('price', name, 'A price has more than six decimals and was rounded up.');
    return highest;
  }

  /**
   * Returns the context window and maximum output of the first deployment, and the kinds of input
   * that all deployments accept.
   */
  #size(
    name: string,
    kind: 'chat' | 'embedding',
    placed: readonly Placed[],
    { price }: ReadPrice,
  ): JsonObject | null {
    const facts = placed[0]?.facts ?? {};
    const context = contextOf(facts);
    if (kind === 'embedding') {
      const dimensions = countIn(facts, 'output_vector_size');
      if (dimensions === null) {
        this.#leave(
          'model',
          name,
          'The number of dimensions of its embeddings (output_vector_size) is unknown, so it is not imported.',
        );
        return null;
      }
      return { context_window: context ?? DEFAULT_CONTEXT, dimensions };
    }
    const output = countIn(facts, 'max_output_tokens') ?? countIn(facts, 'max_tokens');
    if (context === null || output === null) {
      const size = `${context ?? DEFAULT_CONTEXT} and ${output ?? DEFAULT_OUTPUT}`;
      this.#leave('size', name, `Its context window and max output are assumed: ${size} tokens.`);
    }
    const input = ['text'];
    for (const [fact, modality] of MODALITIES) {
      if (!placed.every((each) => each.facts[fact] === true)) continue;
      if (modality === 'audio' && price.audio_input === undefined)
        this.#leave('input', name, NO_AUDIO_PRICE);
      else input.push(modality);
    }
    return {
      context_window: context ?? DEFAULT_CONTEXT,
      max_output: output ?? DEFAULT_OUTPUT,
      input,
    };
  }

  /** Reports parameters without a counterpart in the gateway, because they may change answers. */
  #leaveParameters({ deployment: { name, params } }: Placed): void {
    for (const [parameter, value] of Object.entries(params)) {
      const kept = parameter === 'additional_drop_params' ? keptFields(params) : [];
      if (kept.length > 0)
        this.#leave(`parameter ${parameter}`, name, `A route cannot drop ${kept.join(', ')}.`);
      if (READ.has(parameter) || parameter.includes('cost') || !isSet(value)) continue;
      this.#leave(
        `parameter ${parameter}`,
        name,
        'The gateway has no such parameter, so it is not imported.',
      );
    }
  }

  #leave(what: string, name: string, reason: string): void {
    this.#left.push({ what, name, reason });
  }
}

function routesOf(placed: readonly Placed[]): readonly JsonObject[] {
  const measure = (['weight', 'rpm', 'tpm'] as const).find((name) =>
    placed.every(({ deployment }) => numberIn(deployment.params, name) !== null),
  );
  // LiteLLM never uses a deployment with weight zero, unless all have weight zero.
  const isUsed = ({ deployment: { params } }: Placed): boolean => numberIn(params, 'weight') !== 0;
  const used = measure === 'weight' && placed.some(isUsed) ? placed.filter(isUsed) : placed;
  const routes = new Map<string, { readonly route: JsonObject; weight: number }>();
  for (const { deployment, upstream, model } of used) {
    const { params } = deployment;
    const order = countIn(params, 'order');
    const given = measure === undefined ? null : numberIn(params, measure);
    const drop = textsIn(params, 'additional_drop_params').filter(isDroppable);
    const route = {
      ...{ upstream, model },
      ...(order === null ? {} : { priority: Math.min(MAX_PRIORITY, order) }),
      ...(drop.length === 0 ? {} : { drop }),
    };
    // Deployments with the same settings are one route, which gets the share of them all.
    const same = routes.get(JSON.stringify(route));
    const weight = (same?.weight ?? 0) + Math.max(1, Math.round(given ?? 1));
    routes.set(JSON.stringify(route), { route, weight });
  }
  const hasWeights = routes.size > 1 && (measure !== undefined || routes.size < used.length);
  return [...routes.values()].map(({ route, weight }) => ({
    ...route,
    ...(hasWeights ? { weight: Math.min(MAX_WEIGHT, weight) } : {}),
  }));
}

/** Parameters that are not reported, because they are read or have no effect in the gateway. */
const READ: ReadonlySet<string> = new Set([
  ...['model', 'custom_llm_provider', 'base_model', 'api_key', 'api_base', 'base_url'],
  ...['api_version', 'weight', 'rpm', 'tpm', 'order', 'additional_drop_params', 'drop_params'],
  ...['tenant_id', 'client_id', 'client_secret', 'vertex_project', 'vertex_location'],
  ...['vertex_credentials', 'aws_region_name', 'aws_access_key_id', 'aws_secret_access_key'],
  ...['aws_session_token', 'litellm_credential_name', 'model_info', 'use_in_pass_through'],
  ...['use_litellm_proxy', 'merge_reasoning_content_in_choices', 'max_tokens_per_request'],
]);

const isDroppable = (field: string): boolean => droppedField().safeParse(field).success;
/** Returns the fields that LiteLLM drops, but a route cannot, such as a part of a field. */
const keptFields = (params: JsonObject): readonly string[] =>
  textsIn(params, 'additional_drop_params').filter((field) => !isDroppable(field));

const kindOf = ({ facts }: Placed): 'chat' | 'embedding' | null =>
  KINDS.get(textIn(facts, 'mode') ?? 'chat') ?? null;

const contextOf = (facts: JsonObject): number | null =>
  countIn(facts, 'max_input_tokens') ?? countIn(facts, 'max_tokens');

/** Returns the maker in a model's name, such as `anthropic` in `anthropic/claude-sonnet-5`. */
function makerOf({ provider, model }: Placed): string {
  const [, prefix] = /^(?:[a-z]{2,4}\.)?([a-z]+)[./]/.exec(model) ?? [];
  return prefix ?? provider;
}

/** Removes members that are null. LiteLLM stores many of them. */
const present = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** Returns the parameters that are prices. Others, such as `max_tokens`, are request defaults. */
const pricesIn = (params: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(present(params)).filter(([name]) => name.includes('cost')));

/**
 * Whether the model can be sold at this price. A price of zero in the public price data means that
 * the price is unknown. So a model is only free if the operator set its price to zero.
 */
function isSold({ params, info }: Deployment, { price }: ReadPrice): boolean {
  const isFree = Number(price.input) === 0 && Number(price.output ?? 0) === 0;
  return !isFree || [params, info].some((own) => numberIn(own, 'input_cost_per_token') === 0);
}

const NO_AUDIO_PRICE = 'Audio has no price of its own, so the model accepts no audio here.';

const sentence = (reason: string): string => `${reason[0]?.toUpperCase()}${reason.slice(1)}.`;
