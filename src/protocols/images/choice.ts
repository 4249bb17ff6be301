/** What one images request comes to on one model: how many, how large, how fine, and the price's key. */
import { GatewayError } from '../../errors.ts';
import { DEFAULT_QUALITY, DEFAULT_SIZE, DEFAULT_STYLE, type ImagesRequest } from './request.ts';

/** The part of an image model that limits a request; a catalogue's ImageModel is one. */
export type ImageLimits = {
  readonly id: string;
  readonly sizes: readonly string[];
  readonly maxImages: number;
  /** Empty when the model has no such parameter; the first is the default. */
  readonly qualities: readonly string[];
  readonly styles: readonly string[];
};

/** What will be asked of the upstream and charged. Null: the model has no such parameter. */
export type ImageChoice = {
  readonly count: number;
  readonly size: string;
  readonly quality: string | null;
  readonly style: string | null;
};

/**
 * Resolves a request against a model's limits (service rule: `img-3` draws one image at a time and
 * alone has `quality` and `style`; elsewhere their default value is accepted and ignored).
 * @throws GatewayError `invalid_value` or `unsupported_parameter` naming the field and what is allowed.
 */
export function checkAgainstModel(request: ImagesRequest, model: ImageLimits): ImageChoice {
  return {
    count: chooseCount(request.n, model),
    size: chooseSize(request.size, model),
    quality: chooseOption('quality', request.quality, model.qualities, DEFAULT_QUALITY, model),
    style: chooseOption('style', request.style, model.styles, DEFAULT_STYLE, model),
  };
}

function chooseCount(asked: number | null, model: ImageLimits): number {
  const count = asked ?? 1;
  if (Number.isInteger(count) && count >= 1 && count <= model.maxImages) return count;
  const allowed = model.maxImages === 1 ? 'only 1' : `1 to ${model.maxImages}`;
  throw new GatewayError(
    'invalid_value',
    `Invalid value for 'n': ${model.id} makes ${allowed} a request, got ${count}.`,
    { param: 'n' },
  );
}

function chooseSize(asked: string | null, model: ImageLimits): string {
  const fallback = model.sizes.includes(DEFAULT_SIZE) ? DEFAULT_SIZE : model.sizes[0];
  const size = asked ?? fallback;
  if (size !== undefined && model.sizes.includes(size)) return size;
  throw notAllowed('size', asked, model.sizes, model);
}

function chooseOption(
  param: 'quality' | 'style',
  asked: string | null,
  allowed: readonly string[],
  serviceDefault: string,
  model: ImageLimits,
): string | null {
  const [modelDefault] = allowed;
  if (modelDefault === undefined) {
    // Some interfaces always send the default, so refusing it would break them for nothing.
    if (asked === null || asked === serviceDefault) return null;
    throw new GatewayError(
      'unsupported_parameter',
      `${model.id} has no '${param}': leave it out, or send '${serviceDefault}'.`,
      { param },
    );
  }
  if (asked === null) return modelDefault;
  if (allowed.includes(asked)) return asked;
  throw notAllowed(param, asked, allowed, model);
}

/** How much of a caller's wrong value is repeated in the message: enough to recognize it. */
const MAX_ECHO_CHARACTERS = 64;

function notAllowed(
  param: string,
  asked: string | null,
  allowed: readonly string[],
  model: ImageLimits,
): GatewayError {
  const got = JSON.stringify((asked ?? '').slice(0, MAX_ECHO_CHARACTERS));
  return new GatewayError(
    'invalid_value',
    `Invalid value for '${param}': ${model.id} allows ${allowed.join(', ')}; got ${got}.`,
    { param },
  );
}

/** A price card's key for one image: `1024x1024`, or `1024x1024/hd` for a quality of its own. */
export const priceKey = (size: string, quality: string | null): string =>
  quality === null ? size : `${size}/${quality}`;

/**
 * The price of one image: the card's own for this quality if it has one, else that of the size.
 * @returns null when the card prices neither, which a checked catalogue rules out.
 */
export function findImagePrice<Price>(
  perImage: ReadonlyMap<string, Price>,
  choice: Pick<ImageChoice, 'size' | 'quality'>,
): Price | null {
  return perImage.get(priceKey(choice.size, choice.quality)) ?? perImage.get(choice.size) ?? null;
}
