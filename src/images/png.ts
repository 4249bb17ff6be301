/**
 * Converts images to PNG files of the requested size. Images are stored and served in no other
 * form.
 */
import { GatewayError } from '../errors.ts';

/** The bytes of a PNG file. */
export type PngBytes = Uint8Array<ArrayBuffer> & { readonly brand: 'PngBytes' };

export type PixelSize = { readonly width: number; readonly height: number };

/** The most pixels to decode: above any size on sale, and at most 64 MB for a malicious image. */
const MAX_DELIVERED_PIXELS = 4096 * 4096;

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER_LENGTH = 24;

/** Parses a size such as `1792x1024`; returns null for any other form. */
export function parsePixelSize(size: string): PixelSize | null {
  const match = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size);
  return match === null ? null : { width: Number(match[1]), height: Number(match[2]) };
}

/** Returns the size from the PNG's first chunk; null when the bytes do not start like a PNG. */
export function readPngSize(bytes: Uint8Array): PixelSize | null {
  if (bytes.length < HEADER_LENGTH) return null;
  if (SIGNATURE.some((byte, at) => bytes[at] !== byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/**
 * Returns a PNG of exactly `size`. An image of another size is scaled to cover it and cropped at
 * the center. @throws GatewayError `upstream_failed` when the bytes are not a readable image.
 */
export async function toPngOfSize(
  delivered: Uint8Array<ArrayBuffer>,
  size: PixelSize,
): Promise<PngBytes> {
  const found = readPngSize(delivered);
  if (found?.width === size.width && found.height === size.height) return delivered as PngBytes;
  // Loaded on first use, since most upstreams deliver images that need no conversion.
  const { default: sharp } = await import('sharp');
  try {
    const converted = await sharp(delivered, { limitInputPixels: MAX_DELIVERED_PIXELS })
      .resize(size.width, size.height, { fit: 'cover' })
      .png()
      .toBuffer();
    return new Uint8Array(converted) as PngBytes;
  } catch (cause) {
    throw new GatewayError('upstream_failed', 'The provider sent a broken image.', {
      cause,
    });
  }
}
