/**
 * The values of the image form within the model's limits, and their cost. All functions are pure.
 */
import type { Model } from '#catalogue/models.ts';
import { charged } from '#catalogue/price.ts';
import { imagesCost } from '#catalogue/price-situation.ts';
import { formatExact } from '#money/amount.ts';
import { channelOf } from '#screens/playground/chat/settings/parameters.ts';
import type { ImageRequest } from '#snippets/request.ts';

export const FORMATS = ['url', 'b64_json'] as const;
export type ImageFormat = (typeof FORMATS)[number];

export type ImageForm = {
  readonly model: string;
  /** The channel; null for the model's default channel. */
  readonly channel: string | null;
  readonly prompt: string;
  /** The size as `WIDTHxHEIGHT`. */
  readonly size: string;
  readonly count: number;
  /** The quality; null when the model does not have this parameter. */
  readonly quality: string | null;
  readonly style: string | null;
  readonly format: ImageFormat;
};

/** The maximum length of a prompt in the protocol. */
export const MAX_PROMPT_CHARACTERS = 32_000;
const USUAL_SIZE = '1024x1024';

/** Fits the values to a model: an unsupported value becomes the model's default. */
export function fitted(form: ImageForm, model: Model): ImageForm {
  const { sizes = [], qualities = [], styles = [], max_images: most = 1 } = model;
  const usual = sizes.includes(USUAL_SIZE) ? USUAL_SIZE : (sizes[0] ?? USUAL_SIZE);
  const hasChannel = model.channels.some(({ channel }) => channel === form.channel);
  return {
    ...form,
    model: model.id,
    channel: hasChannel ? form.channel : null,
    size: sizes.includes(form.size) ? form.size : usual,
    count: Math.max(1, Math.min(form.count, most)),
    quality: among(qualities, form.quality),
    style: among(styles, form.style),
  };
}

const among = (known: readonly string[], wanted: string | null): string | null =>
  wanted !== null && known.includes(wanted) ? wanted : (known[0] ?? null);

export const firstForm = (model: Model): ImageForm =>
  fitted(
    {
      ...{ model: model.id, channel: null, prompt: '', size: USUAL_SIZE, count: 1 },
      ...{ quality: null, style: null, format: 'url' },
    },
    model,
  );

export const requestOf = (form: ImageForm): ImageRequest => ({
  kind: 'image',
  model: form.model,
  channel: form.channel,
  prompt: form.prompt,
  parameters: {
    size: form.size,
    n: form.count,
    ...(form.quality === null ? {} : { quality: form.quality }),
    ...(form.style === null ? {} : { style: form.style }),
    response_format: form.format,
  },
});

export const bodyOf = ({
  model,
  prompt,
  channel,
  parameters,
}: ImageRequest): Readonly<Record<string, unknown>> => ({
  model,
  prompt,
  ...parameters,
  ...(channel === null ? {} : { provider: { channel } }),
});

export type ImagePrice = {
  /** The price per image in the currency of the price card. */
  readonly each: { readonly amount: string; readonly currency: string };
  /** The price of all images in the charged currency. */
  readonly total: { readonly amount: string; readonly currency: string };
  /**
   * Whether `total` is only the highest possible price, because the number of tokens is not known
   * yet.
   */
  readonly isMost: boolean;
};

/** Returns the maximum number of prompt tokens: one per byte, plus those that the provider adds. */
const tokensIn = (prompt: string): number => new TextEncoder().encode(prompt).length + FRAME_TOKENS;
const FRAME_TOKENS = 18;

/**
 * Returns the price of the images. Null when the price card has no price for these values, so that
 * the gateway would refuse the request.
 */
export function priceOf(form: ImageForm, model: Model): ImagePrice | null {
  const channel = channelOf(model, form.channel);
  if (channel === undefined) return null;
  const { size, quality, count } = form;
  const promptTokens = form.prompt === '' ? 0 : tokensIn(form.prompt);
  const one = imagesCost(model, channel, { size, quality, count: 1, promptTokens: 0 });
  const all = imagesCost(model, channel, { size, quality, count, promptTokens });
  if (one === null || all === null) return null;
  const { price } = channel;
  const total = charged(all.lines, model.settlement_rate?.rate ?? null);
  return {
    each: {
      amount: price.per_image?.[one.lines[0]?.kind ?? ''] ?? formatExact(charged(one.lines, null)),
      currency: price.currency,
    },
    total: { amount: formatExact(total), currency: model.settlement },
    isMost: price.per_image === null,
  };
}

export type Proportion = { readonly width: number; readonly height: number };

/** Returns the proportions of a size, with the longer side as 1. An unknown size is a square. */
export function proportionOf(size: string): Proportion {
  const [width = 1, height = 1] = size.split('x').map(Number);
  const longer = Math.max(width, height);
  return Number.isFinite(longer) && longer > 0
    ? { width: width / longer, height: height / longer }
    : { width: 1, height: 1 };
}
