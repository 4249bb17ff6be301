/** Converts images to files of the requested format and size. */
import type { ImageFormat } from '../config/image-options.ts';
import { GatewayError } from '../errors.ts';
import { type ImageSize, readHeader } from '../protocols/inputs/image-header.ts';
import { imageLibrary } from './image-library.ts';

export type ImageFile = {
  readonly format: ImageFormat;
  readonly bytes: Uint8Array<ArrayBuffer>;
};

/** The file that a caller asked for. If `compression` is null, the encoder chooses the quality. */
export type FileForm = {
  readonly format: ImageFormat;
  readonly size: ImageSize;
  readonly compression: number | null;
};

/** The media types and file name extensions of the formats. */
export const FORMATS = {
  png: { mediaType: 'image/png', extension: 'png' },
  jpeg: { mediaType: 'image/jpeg', extension: 'jpg' },
  webp: { mediaType: 'image/webp', extension: 'webp' },
} as const satisfies Record<ImageFormat, { mediaType: string; extension: string }>;

/**
 * Maximum pixels of an upstream's image: more than any size that models offer, but at most 64 MB in
 * memory.
 */
const MAX_DELIVERED_PIXELS = 4096 * 4096;

/** Parses a size such as `1792x1024`; returns null for any other form. */
export function parsePixelSize(size: string): ImageSize | null {
  const match = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size);
  return match === null ? null : { width: Number(match[1]), height: Number(match[2]) };
}

/**
 * Returns a file of exactly this format and size. An image of another size is scaled to cover it
 * and cropped at the center.
 * @throws GatewayError `upstream_failed` when the bytes are not a readable image.
 */
export async function toImageFile(
  delivered: Uint8Array<ArrayBuffer>,
  { format, size, compression }: FileForm,
): Promise<ImageFile> {
  const { buffer, byteOffset, byteLength } = delivered;
  const header = readHeader(Buffer.from(buffer, byteOffset, byteLength));
  const isAsAsked =
    header?.mediaType === FORMATS[format].mediaType &&
    header.size?.width === size.width &&
    header.size.height === size.height;
  if (isAsAsked) return { format, bytes: delivered };
  const sharp = await imageLibrary();
  try {
    const converted = await sharp(delivered, { limitInputPixels: MAX_DELIVERED_PIXELS })
      .resize(size.width, size.height, { fit: 'cover' })
      .toFormat(format, qualityOf(format, compression))
      .toBuffer();
    return { format, bytes: new Uint8Array(converted) };
  } catch (cause) {
    throw new GatewayError('upstream_failed', 'The provider sent an image that cannot be read.', {
      cause,
    });
  }
}

/** Returns the option for the quality. The encoders accept 1 to 100. PNG files have no quality. */
const qualityOf = (format: ImageFormat, compression: number | null) =>
  format === 'png' || compression === null ? {} : { quality: Math.max(compression, 1) };
