/** Parses the logo of a brand: an SVG as text, or a PNG as a `data:` URL. */
import { createHash } from 'node:crypto';
import { harmlessSvg } from './harmless-svg.ts';

export type Logo = {
  readonly mediaType: 'image/svg+xml' | 'image/png';
  readonly base64: string;
  /**
   * A hash of the content. It is part of the logo's URL, so that the logo can be cached forever.
   */
  readonly version: string;
};

/**
 * The maximum size of a logo in bytes. It is small, because the first page that a visitor opens
 * loads the logo.
 */
export const MAX_LOGO_BYTES = 64 * 1024;
/** The maximum length of a logo as text. Base64 takes four characters for three bytes. */
export const MAX_LOGO_CHARACTERS = 90_000;
/** The maximum width and the maximum height of a PNG. */
const MAX_PIXELS = 2048;

const PNG_URL = /^data:image\/png;base64,(?<data>[a-z\d+/]+={0,2})$/i;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** Returns the logo, or the reason why the text is not a valid logo. */
export function logoOf(text: string): Logo | { readonly problem: string } {
  const data = PNG_URL.exec(text.trim())?.groups?.['data'];
  if (data !== undefined) return pngOf(Buffer.from(data, 'base64'));
  const cleaned = harmlessSvg(text.trim());
  if ('problem' in cleaned) {
    return text.trimStart().startsWith('<')
      ? cleaned
      : { problem: 'must be an SVG, or a PNG as data:image/png;base64,...' };
  }
  return limited('image/svg+xml', Buffer.from(cleaned.svg));
}

function pngOf(bytes: Buffer) {
  if (!bytes.subarray(0, PNG_SIGNATURE.byteLength).equals(PNG_SIGNATURE) || bytes.length < 24) {
    return { problem: 'is not a PNG' };
  }
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return width > MAX_PIXELS || height > MAX_PIXELS
    ? { problem: `has ${width} × ${height} pixels; each side may have at most ${MAX_PIXELS}` }
    : limited('image/png', bytes);
}

function limited(mediaType: Logo['mediaType'], bytes: Buffer) {
  if (bytes.byteLength > MAX_LOGO_BYTES) {
    return { problem: `has ${bytes.byteLength} bytes; it may have at most ${MAX_LOGO_BYTES}` };
  }
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return { mediaType, base64: bytes.toString('base64'), version };
}
