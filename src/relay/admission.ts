/** May this request be served, by which channel, at which price? Pure: the catalogue and the request decide. */
import type {
  Catalogue,
  Channel,
  ChatCard,
  ChatModel,
  ImageCard,
  ImageModel,
  Modality,
  Model,
} from '../catalogue/catalogue.ts';
import { findModel, pickChannel } from '../catalogue/find-model.ts';
import { GatewayError } from '../errors.ts';
import type { Currency } from '../money/amount.ts';
import type { FxRate } from '../money/price.ts';
import type { TextRequest } from './text-protocol.ts';

/** Even the densest text packs no more than this many bytes of JSON into a token. */
const MOST_BYTES_PER_TOKEN = 24;

export type Payment = {
  readonly currency: Currency;
  /** Card currency to settlement currency; null when they are the same. */
  readonly rate: FxRate | null;
  /** Other wallet to the settlement wallet; null when there is no way. */
  readonly exchange: FxRate | null;
};

export type ChatOffer = {
  readonly model: ChatModel;
  readonly channel: Channel<ChatCard>;
  readonly payment: Payment;
};
export type ImageOffer = {
  readonly model: ImageModel;
  readonly channel: Channel<ImageCard>;
  readonly payment: Payment;
};

/**
 * @param textBytes of the body without media payloads.
 * @throws GatewayError `model_not_found`, `wrong_endpoint`, `channel_not_available`, `invalid_value`,
 *   `unsupported_modality`, `context_length_exceeded`.
 */
export function admitText(
  catalogue: Catalogue,
  request: TextRequest,
  textBytes: number,
): ChatOffer {
  const model = findModel(catalogue, request.model);
  if (model.kind !== 'chat') throw wrongEndpoint(model, '/v2/images/generations');
  const channel = pickChannel(model, request.channel, request.allowFallbacks);
  if (request.maxOutputTokens !== null && request.maxOutputTokens > model.maxOutput) {
    throw new GatewayError(
      'invalid_value',
      `${request.maxOutputField} is ${request.maxOutputTokens}, but ${model.id} writes at most ${model.maxOutput} tokens.`,
      { param: request.maxOutputField },
    );
  }
  for (const { modality, param } of request.inputs) {
    if (!model.input.includes(modality)) throw unsupportedInput(model, modality, param);
  }
  if (textBytes > model.contextWindow * MOST_BYTES_PER_TOKEN) {
    throw new GatewayError(
      'context_length_exceeded',
      `The prompt is longer than the ${model.contextWindow} tokens that ${model.id} can read. Send less of the conversation.`,
      { param: 'messages' },
    );
  }
  return { model, channel, payment: paymentOf(catalogue, model, channel.card.currency) };
}

/** @throws GatewayError `model_not_found`, `wrong_endpoint`, `channel_not_available`. */
export function admitImages(
  catalogue: Catalogue,
  request: {
    readonly model: string;
    readonly channel: string | null;
    readonly allowFallbacks: boolean;
  },
): ImageOffer {
  const model = findModel(catalogue, request.model);
  if (model.kind !== 'image') throw wrongEndpoint(model, '/v2/chat/completions or /v1/messages');
  const channel = pickChannel(model, request.channel, request.allowFallbacks);
  return { model, channel, payment: paymentOf(catalogue, model, channel.card.currency) };
}

function paymentOf(catalogue: Catalogue, model: Model, cardCurrency: Currency): Payment {
  const currency = model.settlement;
  const toSettlement = (from: Currency): FxRate | null =>
    catalogue.fx.get(`${from}/${currency}`) ?? null;
  if (currency === cardCurrency)
    return { currency, rate: null, exchange: otherWallet(currency, toSettlement) };
  const rate = toSettlement(cardCurrency);
  if (rate === null) {
    throw new GatewayError('internal_error', 'The gateway has no exchange rate for this model.', {
      cause: new Error(`no rate ${cardCurrency}/${currency}`),
    });
  }
  return { currency, rate, exchange: otherWallet(currency, toSettlement) };
}

const otherWallet = (
  currency: Currency,
  toSettlement: (from: Currency) => FxRate | null,
): FxRate | null => (currency === 'USD' ? null : toSettlement('USD'));

function wrongEndpoint(model: Model, right: string): GatewayError {
  const what = model.kind === 'image' ? 'an image model' : 'a chat model';
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
