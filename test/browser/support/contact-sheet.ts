/** For screenshots: combines the pictures of one scene into one small file. */
import sharp, { type OverlayOptions } from 'sharp';

const GAP_PX = 12;
const PAPER = '#8b8f98';
const QUALITIES = [72, 60, 45, 30];

/**
 * Returns a WebP file of the best quality whose size is at most `maxBytes`.
 * @throws Error when even the lowest quality is larger.
 */
export async function smallWebp(picture: Buffer, maxBytes: number): Promise<Buffer> {
  for (const quality of QUALITIES) {
    const file = await sharp(picture).webp({ quality, effort: 5 }).toBuffer();
    if (file.byteLength <= maxBytes) return file;
  }
  throw new Error(`a picture takes more than ${maxBytes} bytes in the lowest quality`);
}

/** Arranges rows of pictures on one sheet, each picture reduced by the scale. */
export async function contactSheet(
  rows: readonly (readonly Buffer[])[],
  scale: number,
): Promise<Buffer> {
  const parts: OverlayOptions[] = [];
  let [width, top] = [0, GAP_PX];
  for (const row of rows) {
    let [left, height] = [GAP_PX, 0];
    for (const picture of row) {
      const full = await sharp(picture).metadata();
      const wide = Math.round(full.width * scale);
      const input = await sharp(picture).resize({ width: wide }).png().toBuffer();
      parts.push({ input, left, top });
      left += wide + GAP_PX;
      height = Math.max(height, Math.ceil(full.height * scale));
    }
    width = Math.max(width, left);
    top += height + GAP_PX;
  }
  return await sharp({ create: { width, height: top, channels: 3, background: PAPER } })
    .composite(parts)
    .png()
    .toBuffer();
}
