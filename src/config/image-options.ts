/**
 * The settings of an image model: the values that callers can request, and the maximum number of
 * tokens of an image.
 */
import * as z from 'zod';
import { built } from './document/on-demand.ts';
import { count, text } from './values.ts';

export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Maximum tokens of one item, such as an image, a page or a second; null for the default. */
export const bound = built(() => count(1, 100_000_000).nullable().default(null));

export const imageOptions = built(() => ({
  sizes: z.array(z.string().regex(/^\d{2,4}x\d{2,4}$/, 'write WIDTHxHEIGHT')).min(1),
  max_images: count(1, 10).default(10),
  qualities: z.array(text()).default([]),
  styles: z.array(text()).default([]),
  /** The accepted values of `background`. The first one is the default. */
  backgrounds: z.array(z.enum(['auto', 'opaque', 'transparent'])).default([]),
  /** The file formats that callers may request. The first one is the default. */
  output_formats: z.array(z.enum(IMAGE_FORMATS)).min(1).default(['png']),
  /** The accepted values of `moderation`. The first one is the default. */
  moderations: z.array(z.enum(['auto', 'low'])).default([]),
  /** The maximum number of partial images in a stream; null for a model that does not stream. */
  partial_images: count(0, 3).nullable().default(null),
  /**
   * Whether generated images are returned as URLs or base64 data if the request has no
   * `response_format`. Edited images are always base64 data in that case.
   */
  response_format: z.enum(['url', 'b64_json']).default('url'),
  /** The maximum number of images in an edit request; 0 for a model that cannot edit images. */
  max_input_images: count(0, 16).default(0),
  /**
   * The maximum number of input tokens of an image to edit. If null, the maximum is computed from
   * the image's size.
   */
  input_image_tokens: bound(),
  /**
   * The maximum number of output tokens of an image, by size (`1024x1024`) or by size and quality
   * (`1024x1024/hd`). Holds are based on these numbers.
   */
  image_tokens: z.record(z.string(), count(1, 100_000_000)).default({}),
}));
