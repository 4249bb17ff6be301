/**
 * The one image format that is handed out (service rule: PNG, really of the size asked for). Whatever an
 * upstream delivered becomes that here, so that nothing else is ever stored or served.
 */
import { GatewayError } from '../errors.ts';

/** Bytes known to be a PNG. */
export type PngBytes = Uint8Array<ArrayBuffer> & { readonly brand: 'PngBytes' };

export type PixelSize = { readonly width: number; readonly height: number };

/** More pixels than any size on sale, few enough that a decompression bomb costs at most 64 MB. */
const MAX_DELIVERED_PIXELS = 4096 * 4096;

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER_LENGTH = 24;

/** `1792x1024` as numbers; null when it is not of that form. */
export function parsePixelSize(size: string): PixelSize | null {
  const match = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size);
  return match === null ? null : { width: Number(match[1]), height: Number(match[2]) };
}

/** The size in a PNG's first chunk; null when the bytes do not begin as a PNG does. */
export function readPngSize(bytes: Uint8Array): PixelSize | null {
  if (bytes.length < HEADER_LENGTH) return null;
  if (SIGNATURE.some((byte, at) => bytes[at] !== byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/**
 * A delivered image as a PNG of exactly this size. One that is so already is passed on untouched;
 * another format is converted, another size scaled to cover and cropped around its middle.
 * @throws GatewayError `upstream_failed` when the bytes are no image that can be read.
 */
export async function toPngOfSize(
  delivered: Uint8Array<ArrayBuffer>,
  size: PixelSize,
): Promise<PngBytes> {
  const found = readPngSize(delivered);
  if (found?.width === size.width && found.height === size.height) return delivered as PngBytes;
  // Loaded when it is first needed: most gateways relay pictures that are right already.
  const { default: sharp } = await import('sharp');
  try {
    const converted = await sharp(delivered, { limitInputPixels: MAX_DELIVERED_PIXELS })
      .resize(size.width, size.height, { fit: 'cover' })
      .png()
      .toBuffer();
    return new Uint8Array(converted) as PngBytes;
  } catch (cause) {
    throw new GatewayError('upstream_failed', 'The upstream delivered an image that is broken.', {
      cause,
    });
  }
}
