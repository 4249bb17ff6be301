/** Chooses an images request's count, size, quality and price within the limits of one model. */
import { GatewayError } from '../../errors.ts';
import { DEFAULT_QUALITY, DEFAULT_SIZE, DEFAULT_STYLE, type ImagesRequest } from './request.ts';

/** The limits of an image model. A catalogue's ImageModel has these members. */
export type ImageLimits = {
  readonly id: string;
  readonly sizes: readonly string[];
  readonly maxImages: number;
  /** The values of `quality`, first the default. Empty when the model has no such parameter. */
  readonly qualities: readonly string[];
  readonly styles: readonly string[];
};

/** The values that are sent upstream and charged. Null when the model has no such parameter. */
export type ImageChoice = {
  readonly count: number;
  readonly size: string;
  readonly quality: string | null;
  readonly style: string | null;
};

/**
 * Checks a request against a model's limits. A model without `quality` or `style` ignores the
 * default value of that field and refuses other values.
 * @throws GatewayError `invalid_value` or `unsupported_parameter`, with what is allowed.
 */
export function checkAgainstModel(request: ImagesRequest, model: ImageLimits): ImageChoice {
  return {
    count: chooseCount(request.n, model),
    size: chooseSize(unlessAuto(request.size, model.sizes), model),
    quality: chooseOption(
      'quality',
      unlessAuto(request.quality, model.qualities),
      model.qualities,
      DEFAULT_QUALITY,
      model,
    ),
    style: chooseOption('style', request.style, model.styles, DEFAULT_STYLE, model),
  };
}

/**
 * Returns the requested value; null (the model's default) for an `auto` that the model does not
 * list.
 */
const unlessAuto = (asked: string | null, allowed: readonly string[]): string | null =>
  asked === 'auto' && !allowed.includes('auto') ? null : asked;

function chooseCount(asked: number | null, model: ImageLimits): number {
  const count = asked ?? 1;
  if (Number.isInteger(count) && count >= 1 && count <= model.maxImages) return count;
  const allowed = model.maxImages === 1 ? 'only 1' : `1 to ${model.maxImages}`;
  throw new GatewayError(
    'invalid_value',
    `Invalid value for 'n': ${model.id} makes ${allowed} per request, got ${count}.`,
    { param: 'n' },
  );
}

/** Returns the size of images when the caller names none. */
export const defaultSize = ({ sizes }: Pick<ImageLimits, 'sizes'>): string | undefined =>
  sizes.includes(DEFAULT_SIZE) ? DEFAULT_SIZE : sizes[0];

function chooseSize(asked: string | null, model: ImageLimits): string {
  const size = asked ?? defaultSize(model);
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
    // The model lacks the parameter. Its default value is accepted, because some clients always
    // send it.
    if (asked === null || asked === serviceDefault) return null;
    throw new GatewayError(
      'unsupported_parameter',
      `${model.id} does not support '${param}': omit it, or send '${serviceDefault}'.`,
      { param },
    );
  }
  if (asked === null) return modelDefault;
  if (allowed.includes(asked)) return asked;
  throw notAllowed(param, asked, allowed, model);
}

/** Most characters of the caller's value that an error message repeats. */
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

/** Returns the key of a price: `1024x1024`, or `1024x1024/hd` for a quality with its own price. */
export const priceKey = (size: string, quality: string | null): string =>
  quality === null ? size : `${size}/${quality}`;

/** Returns the entry for size and quality, or else for the size; null if the map has neither. */
export function findByImage<Value>(
  byImage: ReadonlyMap<string, Value>,
  size: string,
  quality: string | null,
): { readonly key: string; readonly value: Value } | null {
  for (const key of [priceKey(size, quality), size]) {
    const value = byImage.get(key);
    if (value !== undefined) return { key, value };
  }
  return null;
}
