/** Decides whether a request may be served, by which channel and at which price. */
import type { Caller } from '../accounts/account.ts';
import {
  type Card,
  type Catalogue,
  type Channel,
  type ChannelName,
  type ChatModel,
  type EmbeddingModel,
  findModel,
  type ImageModel,
  type Modality,
  type Model,
  pickChannel,
  type TokenCard,
} from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { Currency } from '../money/amount.ts';
import { FACT_NAMES } from '../money/card-terms.ts';
import { conditionsText } from '../money/conditions.ts';
import type { FxRate } from '../money/price.ts';
import { type FactValues, unsoldConditions } from '../money/price-of.ts';
import type { MediaInput } from '../protocols/inputs/media-input.ts';
import type { RequestExtras } from '../protocols/inputs/request-extras.ts';
import type { ServerTool } from '../protocols/inputs/server-tools.ts';
import type { Claim } from '../protocols/request-fields.ts';

/** Maximum bytes of a prompt per token of the context window. A longer prompt is refused. */
export const MOST_BYTES_PER_TOKEN = 24;

export type Payment = {
  readonly currency: Currency;
  /**
   * The exchange rate from the price card's currency to the settlement currency; null when they are
   * the same.
   */
  readonly rate: FxRate | null;
  /**
   * The exchange rate at which the USD wallet may pay what the settlement wallet lacks; null if no
   * such rate is configured, or if the settlement wallet is the USD wallet.
   */
  readonly exchange: FxRate | null;
};

export type Offer<M extends Model, C extends Card> = {
  readonly model: M;
  /** The first channel to try, then the fallback channel if there is one. */
  readonly channels: readonly [Channel<C>, ...Channel<C>[]];
  readonly payment: Payment;
};
export type ChatOffer = Offer<ChatModel, TokenCard>;
export type ImageOffer = Offer<ImageModel, Card>;
export type EmbeddingOffer = Offer<EmbeddingModel, TokenCard>;

/**
 * `channel` is the requested channel, or null. `allowFallbacks`: whether the default channel may
 * serve the request if the requested channel cannot.
 */
export type ChannelOptions = {
  readonly channel: string | null;
  readonly allowFallbacks: boolean;
};
export type MayUse = (channel: ChannelName) => boolean;

/** Returns a function that decides whether the caller's key and account may use a channel. */
export const mayUseChannel =
  ({ limits: { key, account } }: Caller): MayUse =>
  (channel) =>
    (key.channels?.includes(channel) ?? true) && (account.channels?.includes(channel) ?? true);

/**
 * The fields of a text request that decide whether it is admitted and what it costs. They are the
 * same for all protocols.
 */
export type TextRequest = ChannelOptions & {
  readonly model: string;
  readonly maxOutputTokens: number | null;
  /** The name of the request field that limits the output, for error messages. */
  readonly maxOutputField: string;
  /**
   * The name of the request field that contains the prompt, for error messages; by default
   * `messages`.
   */
  readonly promptField?: 'input';
  readonly choices: number;
  /** Whether the caller asked for usage in the stream. */
  readonly includeUsage: boolean;
  /** The caller's thinking budget in tokens; 0 when the model decides, or does not think. */
  readonly thinkingTokens: number;
  /** Whether the caller asked for thinking. An upstream may bill thinking without showing it. */
  readonly mayThinkUnseen: boolean;
  /** Whether a cache marker asks for a lifetime of one hour. */
  readonly oneHourCache: boolean;
  readonly inputs: readonly MediaInput[];
  /** Values of nested fields that are sent only if the price card or the upstream allows them. */
  readonly claims: readonly Claim[];
  readonly extras: RequestExtras;
};

/**
 * Checks a text request against the catalogue. `textBytes` excludes media payloads.
 * @throws GatewayError when the request cannot be served.
 */
export function admitText(
  catalogue: Catalogue,
  request: TextRequest,
  textBytes: number,
  mayUse: MayUse,
): ChatOffer {
  const model = findModel(catalogue, request.model);
  if (model.kind !== 'chat') throw wrongEndpoint(model);
  const channels = channelsFor(model, request, mayUse);
  if (request.maxOutputTokens !== null && request.maxOutputTokens > model.maxOutput) {
    throw new GatewayError(
      'invalid_value',
      `${request.maxOutputField} is ${request.maxOutputTokens}, but ${model.id} writes at most ${model.maxOutput} tokens.`,
      { param: request.maxOutputField },
    );
  }
  for (const { modality, param } of request.inputs) {
    if (modality !== 'unknown' && !model.input.includes(modality))
      throw unsupportedInput(model, modality, param);
  }
  refuseManyUses(request.extras.serverTools, channels[0].card);
  if (textBytes > model.contextWindow * MOST_BYTES_PER_TOKEN) {
    // Coding agents find the words `maximum context length is N tokens`, and then shorten the
    // conversation themselves.
    throw new GatewayError(
      'context_length_exceeded',
      `The maximum context length is ${model.contextWindow} tokens for ${model.id}, and the prompt is longer. Shorten the conversation.`,
      { param: request.promptField ?? 'messages' },
    );
  }
  return { model, channels, payment: paymentOf(catalogue, model, channels[0].card.currency) };
}

/**
 * Whether all output can be counted while it streams, so that the hold can grow with the output. It
 * cannot if the model may think without showing its thinking, which is billed too.
 */
export const isCountable = (request: TextRequest, { model }: ChatOffer): boolean =>
  !request.mayThinkUnseen && !model.thinksUnseen;

export const hasImages = ({ inputs }: TextRequest): boolean =>
  inputs.length > 0 && inputs.some(({ modality }) => modality === 'image');

/** Returns the request without the optional tools that no channel sells. */
export function withSoldTools(request: TextRequest, { channels }: ChatOffer): TextRequest {
  const { extras } = request;
  if (extras.serverTools.length === 0) return request;
  const isSold = ({ unit, isOptional }: ServerTool): boolean =>
    isOptional !== true || channels.some(({ card }) => card.terms.admits.tools.includes(unit));
  if (extras.serverTools.every(isSold)) return request;
  return { ...request, extras: { ...extras, serverTools: extras.serverTools.filter(isSold) } };
}

/** Maximum uses of a tool per request, for a price card that sets no limit. */
const MOST_USES = 1_000;

/**
 * Refuses a request that allows more uses of a tool than the price card does.
 * @throws GatewayError `invalid_value`.
 */
function refuseManyUses(tools: readonly ServerTool[], { terms }: TokenCard): void {
  for (const { unit, param, maxUses } of tools) {
    const most = terms.limits.uses[unit] ?? MOST_USES;
    if ((maxUses ?? 0) <= most) continue;
    throw new GatewayError(
      'invalid_value',
      `${param}.max_uses must be at most ${most}, the limit of this model.`,
      { param: `${param}.max_uses` },
    );
  }
}

/**
 * Checks an image request against the catalogue.
 * @throws GatewayError `model_not_found`, `wrong_endpoint`, `channel_not_available`.
 */
export function admitImages(
  catalogue: Catalogue,
  request: ChannelOptions & { readonly model: string },
  mayUse: MayUse,
): ImageOffer {
  const model = findModel(catalogue, request.model);
  if (model.kind !== 'image') throw wrongEndpoint(model);
  const channels = channelsFor(model, request, mayUse);
  return { model, channels, payment: paymentOf(catalogue, model, channels[0].card.currency) };
}

/**
 * Checks an embeddings request against the catalogue.
 * @throws GatewayError `model_not_found`, `wrong_endpoint`, `channel_not_available`.
 */
export function admitEmbeddings(
  catalogue: Catalogue,
  request: ChannelOptions & { readonly model: string },
  mayUse: MayUse,
): EmbeddingOffer {
  const model = findModel(catalogue, request.model);
  if (model.kind !== 'embedding') throw wrongEndpoint(model);
  const channels = channelsFor(model, request, mayUse);
  return { model, channels, payment: paymentOf(catalogue, model, channels[0].card.currency) };
}

/**
 * Returns the channels in order of use. A caller who names no channel and may not use the default
 * channel gets the first one that the caller may use, because many clients cannot name a channel.
 * @throws GatewayError `channel_not_available`.
 */
export function channelsFor<C extends Card>(
  model: Parameters<typeof pickChannel<C>>[0],
  { channel, allowFallbacks }: ChannelOptions,
  mayUse: MayUse,
): readonly [Channel<C>, ...Channel<C>[]] {
  const first = pickChannel(model, channel, allowFallbacks);
  if (channel === null && !mayUse(first.name)) {
    return [[...model.channels.values()].find(({ name }) => mayUse(name)) ?? first];
  }
  const fallback = model.channels.get(model.defaultChannel);
  const isOther = fallback !== undefined && fallback !== first;
  return isOther && allowFallbacks && mayUse(fallback.name) ? [first, fallback] : [first];
}

const FIELDS = {
  tier: 'service_tier',
  speed: 'speed',
  geo: 'inference_geo',
  size: 'size',
  quality: 'quality',
} as const;

/**
 * Refuses a combination of properties, such as a service tier and a speed, that the price card does
 * not sell.
 * @throws GatewayError `unsupported_value`.
 */
export function refuseUnsold(
  { model, terms }: TokenCard,
  requested: FactValues,
  promptTokens: number,
): void {
  const when = unsoldConditions(terms, requested, promptTokens);
  if (when === null) return;
  const asked = FACT_NAMES.filter((each) => requested[each] !== null);
  const name = asked.find((each) => when[each] !== undefined) ?? asked[0];
  const param = name === undefined ? 'messages' : FIELDS[name];
  throw new GatewayError(
    'unsupported_value',
    `${param}: ${model} is not sold with ${conditionsText(when)}. Omit ${param}, or change the other conditions.`,
    { param },
  );
}

function paymentOf({ fx }: Catalogue, model: Model, cardCurrency: Currency): Payment {
  const currency = model.settlement;
  const isSame = currency === cardCurrency;
  const rate = isSame ? null : (fx.get(`${cardCurrency}/${currency}`) ?? null);
  if (rate === null && !isSame) {
    throw new GatewayError('internal_error', 'The gateway has no exchange rate for this model.', {
      cause: new Error(`no rate ${cardCurrency}/${currency}`),
    });
  }
  const exchange = currency === 'USD' ? null : (fx.get(`USD/${currency}`) ?? null);
  return { currency, rate, exchange };
}

const ENDPOINTS = {
  chat: { what: 'a chat model', right: '/v2/chat/completions, /v1/messages or /v1/responses' },
  image: { what: 'an image model', right: '/v2/images/generations' },
  embedding: { what: 'an embedding model', right: '/v2/embeddings' },
} as const;

function wrongEndpoint(model: Model): GatewayError {
  const { what, right } = ENDPOINTS[model.kind];
  return new GatewayError('wrong_endpoint', `${model.id} is ${what}; call it at ${right}.`, {
    param: 'model',
  });
}

function unsupportedInput(model: ChatModel, modality: Modality, param: string): GatewayError {
  return new GatewayError(
    'unsupported_modality',
    `${model.id} does not take ${modality} input; it takes ${model.input.join(', ')}. Remove ${param} or choose another model.`,
    { param },
  );
}
