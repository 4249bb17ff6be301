/** Chooses the options of an images request within the limits of one model. */
import type { ImageFormat } from '../../config/image-options.ts';
import { GatewayError } from '../../errors.ts';
import {
  DEFAULT_QUALITY,
  DEFAULT_SIZE,
  DEFAULT_STYLE,
  type ImagesRequest,
  invalid,
} from './request.ts';

/** The limits of an image model for a request. The catalog's type `ImageModel` includes them. */
export type ImageLimits = {
  readonly id: string;
  readonly sizes: readonly string[];
  readonly maxImages: number;
  /**
   * The allowed values of `quality`. The first is the default. Empty if the model does not have
   * this parameter.
   */
  readonly qualities: readonly string[];
  readonly styles: readonly string[];
  readonly backgrounds: readonly string[];
  readonly moderations: readonly string[];
  readonly outputFormats: readonly ImageFormat[];
  /** The maximum number of partial images in a stream; null if the model does not stream. */
  readonly partialImages: number | null;
};

/**
 * The values of the parameters that are sent to the upstream and decide the price. A value is null
 * if the model does not have the parameter.
 */
export type ImageChoice = {
  readonly count: number;
  readonly size: string;
  readonly quality: string | null;
  readonly style: string | null;
  readonly background: string | null;
  readonly moderation: string | null;
  /** The file format of the images. */
  readonly format: ImageFormat;
  /** The quality of a JPEG or WebP file, 0 to 100; null for the default. */
  readonly compression: number | null;
  /** The number of partial images that the caller requests; null if the answer is not streamed. */
  readonly partialImages: number | null;
};

/**
 * The parameters with which images are generated, as answers report them. Parameters that the model
 * does not have are absent.
 */
export type ImageForm = {
  readonly size: string;
  readonly output_format: ImageFormat;
  readonly quality?: string;
  readonly background?: string;
};

/** Returns the parameters with which the images of a choice are generated. */
export const formOf = ({ size, quality, format, background }: ImageChoice): ImageForm => ({
  size,
  output_format: format,
  ...(quality === null ? {} : { quality }),
  ...(background === null ? {} : { background }),
});

/**
 * Checks a request against a model's limits. If the model does not have an optional parameter,
 * values that would change nothing are ignored, and other values are refused.
 * @throws GatewayError `invalid_value` or `unsupported_parameter`, which lists the allowed values.
 */
export function checkAgainstModel(request: ImagesRequest, model: ImageLimits): ImageChoice {
  const option = (name: Option, allowed: readonly string[]): string | null =>
    chooseOption(name, unlessAuto(request[name], allowed), allowed, model);
  const count = chooseCount(request.n, model);
  const background = option('background', model.backgrounds);
  const format = chooseFormat(request.outputFormat, model);
  if (background === 'transparent' && format === 'jpeg') throw opaqueJpeg();
  return {
    count,
    size: chooseSize(unlessAuto(request.size, model.sizes), model),
    quality: option('quality', model.qualities),
    style: option('style', model.styles),
    background,
    moderation: option('moderation', model.moderations),
    format,
    compression: chooseCompression(request.outputCompression, format, model),
    partialImages: choosePartialImages(request, count, model),
  };
}

/**
 * Returns the requested value. If it is `auto` and the model does not list `auto`, returns null,
 * which means the model's default.
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

/** Returns the size of images for requests that set no size. */
export const defaultSize = ({ sizes }: Pick<ImageLimits, 'sizes'>): string | undefined =>
  sizes.includes(DEFAULT_SIZE) ? DEFAULT_SIZE : sizes[0];

function chooseSize(asked: string | null, model: ImageLimits): string {
  const size = asked ?? defaultSize(model);
  if (size !== undefined && model.sizes.includes(size)) return size;
  throw notAllowed('size', asked, model.sizes, model);
}

/**
 * For each optional parameter, the values that are accepted even if the model does not have the
 * parameter. They request what the model does anyway, and some clients always send them.
 */
const HARMLESS = {
  quality: [DEFAULT_QUALITY],
  style: [DEFAULT_STYLE],
  background: ['auto', 'opaque'],
  moderation: ['auto'],
} as const;
type Option = keyof typeof HARMLESS;

function chooseOption(
  param: Option,
  asked: string | null,
  allowed: readonly string[],
  model: ImageLimits,
): string | null {
  const [modelDefault] = allowed;
  if (modelDefault === undefined) {
    const harmless: readonly string[] = HARMLESS[param];
    if (asked === null || harmless.includes(asked)) return null;
    throw unsupported(param, harmless, model);
  }
  if (asked === null) return modelDefault;
  if (allowed.includes(asked)) return asked;
  throw notAllowed(param, asked, allowed, model);
}

function chooseFormat(asked: string | null, model: ImageLimits): ImageFormat {
  const { outputFormats } = model;
  const format = outputFormats.find((each) => asked === null || each === asked);
  if (format !== undefined) return format;
  if (outputFormats.length === 1) throw unsupported('output_format', outputFormats, model);
  throw notAllowed('output_format', asked, outputFormats, model);
}

/** The value of `output_compression` that has no effect on a PNG file. */
const NO_COMPRESSION = 100;

function chooseCompression(
  asked: number | null,
  format: ImageFormat,
  model: ImageLimits,
): number | null {
  if (asked === null || (format === 'png' && asked === NO_COMPRESSION)) return null;
  if (format !== 'png') return asked;
  throw unsupported('output_compression', [NO_COMPRESSION], model, 'for PNG files');
}

function choosePartialImages(
  { stream, partialImages }: Pick<ImagesRequest, 'stream' | 'partialImages'>,
  count: number,
  model: ImageLimits,
): number | null {
  const asked = partialImages ?? 0;
  if (model.partialImages === null) {
    if (stream) throw unsupported('stream', [false], model);
    if (asked > 0) throw unsupported('partial_images', [0], model);
    return null;
  }
  if (!stream && asked > 0) throw invalid('partial_images', "needs 'stream': true");
  if (asked > model.partialImages)
    throw invalid('partial_images', `must be at most ${model.partialImages} for ${model.id}`);
  if (stream && count > 1) throw invalid('n', 'must be 1 in a stream');
  return stream ? asked : null;
}

const opaqueJpeg = (): GatewayError =>
  invalid('background', "cannot be 'transparent' in a JPEG file: send output_format png or webp");

const unsupported = (
  param: string,
  harmless: readonly unknown[],
  { id }: ImageLimits,
  where = '',
): GatewayError =>
  new GatewayError(
    'unsupported_parameter',
    `${id} does not support '${param}'${where === '' ? '' : ` ${where}`}: omit it, or send ` +
      `${harmless.map((each) => JSON.stringify(each)).join(' or ')}.`,
    { param },
  );

/** Maximum characters of the caller's value in an error message. */
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

/**
 * Returns the key of a price, such as `1024x1024`, or `1024x1024/hd` if the quality has its own
 * price.
 */
export const priceKey = (size: string, quality: string | null): string =>
  quality === null ? size : `${size}/${quality}`;

/** Returns the entry for this size and quality, or else for this size; null without an entry. */
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
