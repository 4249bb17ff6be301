/** Simulates an edit of an image: adds a tint and a frame, whose colors depend on the prompt. */
import { imageLibrary } from '../../images/image-library.ts';
import { invalid } from '../request-error.ts';
import { fingerprint, seededRandom } from '../seeded-random.ts';
import type { Picture } from './picture.ts';

/** Maximum pixels of an image to edit. Decoding an image of this size takes up to 200 MB. */
const MAX_PIXELS = 50_000_000;
/** The width of the frame, as a fraction of the short side. */
const FRAME = 0.03;

/**
 * Returns the image in the requested size, with a tint and a frame. With a mask, changes only the
 * areas where the mask is transparent.
 * @throws RequestError when an image cannot be decoded.
 */
export async function editedPng(
  image: Uint8Array<ArrayBuffer>,
  mask: Uint8Array<ArrayBuffer> | null,
  { prompt, index, width, height }: Picture,
): Promise<Buffer> {
  const sharp = await imageLibrary();
  const random = seededRandom(fingerprint(JSON.stringify([prompt, index])));
  const [red, green, blue] = [0, 1, 2].map(() => 60 + random.below(160));
  const tint = { r: red ?? 0, g: green ?? 0, b: blue ?? 0 };
  const scaled = async (bytes: Uint8Array<ArrayBuffer>, param: string): Promise<Buffer> => {
    try {
      return await sharp(bytes, { limitInputPixels: MAX_PIXELS })
        .resize(width, height, { fit: 'cover' })
        .ensureAlpha()
        .png()
        .toBuffer();
    } catch {
      throw invalid(param, 'The image cannot be decoded.');
    }
  };
  const original = await scaled(image, 'image');
  const line = Math.max(1, Math.round(Math.min(width, height) * FRAME));
  const frame = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<rect x="${line / 2}" y="${line / 2}" width="${width - line}" height="${height - line}" ` +
      `fill="none" stroke="rgb(${red},${green},${blue})" stroke-width="${line}"/></svg>`,
  );
  const edited = await sharp(original)
    .tint(tint)
    .composite([{ input: frame }])
    .png()
    .toBuffer();
  if (mask === null) return edited;
  // Where the mask is opaque, the pixels keep their original color.
  const kept = await sharp(original)
    .composite([{ input: await scaled(mask, 'mask'), blend: 'dest-in' }])
    .png()
    .toBuffer();
  return await sharp(edited)
    .composite([{ input: kept }])
    .png()
    .toBuffer();
}
