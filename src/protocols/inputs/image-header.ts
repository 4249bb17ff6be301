/** Reads the media type from a file's first bytes, and the size of an image. */

export type ImageSize = { readonly width: number; readonly height: number };
export type MediaHeader = { readonly mediaType: string; readonly size: ImageSize | null };

/**
 * The bytes of a file that are searched for the image size. A thumbnail in a JPEG may precede it.
 */
export const HEADER_BYTES = 256 * 1024;

/** Returns the media type and the size of an image; null if the type is unknown. */
export function readHeader(bytes: Buffer): MediaHeader | null {
  const starts = (text: string, at = 0): boolean =>
    bytes.toString('latin1', at, at + text.length) === text;
  if (starts('\x89PNG\r\n\x1a\n') && bytes.length >= 24) {
    const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    // Decoders skip other chunks until they find the header, but the format requires it first.
    return { mediaType: 'image/png', size: starts('IHDR', 12) ? size : null };
  }
  if (starts('GIF87a') || starts('GIF89a')) return { mediaType: 'image/gif', size: gif(bytes) };
  if (starts('RIFF') && starts('WEBP', 8)) return { mediaType: 'image/webp', size: webp(bytes) };
  if (starts('RIFF') && starts('WAVE', 8)) return { mediaType: 'audio/wav', size: null };
  if (starts('\xff\xd8\xff')) return { mediaType: 'image/jpeg', size: jpeg(bytes) };
  if (starts('%PDF-')) return { mediaType: 'application/pdf', size: null };
  return null;
}

/**
 * Returns the size of a GIF image: that of its screen, or larger if a frame is larger, because
 * decoders enlarge the screen. Returns null if the first frame is not found.
 */
function gif(bytes: Buffer): ImageSize | null {
  if (bytes.length < GIF_HEADER_BYTES) return null;
  let width = bytes.readUInt16LE(6);
  let height = bytes.readUInt16LE(8);
  let frames = 0;
  let at = GIF_HEADER_BYTES + colorTableBytes(bytes[10]);
  while (at + 10 <= bytes.length) {
    if (bytes[at] === FRAME) {
      frames += 1;
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5));
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7));
      // One byte, the code size, stands before the blocks.
      at += 11 + colorTableBytes(bytes[at + 9]);
    } else if (bytes[at] === EXTENSION && bytes[at + 2] !== 0) at += 2;
    // Decoders do not agree on where an empty extension ends, or on other bytes.
    else break;
    for (; (bytes[at] ?? 0) > 0; at += 1 + (bytes[at] ?? 0));
    at += 1;
  }
  return frames === 0 ? null : { width, height };
}
const GIF_HEADER_BYTES = 13;
const FRAME = 0x2c;
const EXTENSION = 0x21;
const colorTableBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Returns the size of a WebP image, whose header is lossy, lossless or extended. */
function webp(bytes: Buffer): ImageSize | null {
  if (bytes.length < 30) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/**
 * Returns the size of a JPEG image. It is in the frame header, which comes after other segments.
 */
function jpeg(bytes: Buffer): ImageSize | null {
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // Skips a fill byte, or a marker without a segment: 01 or D0 to D7.
    if (marker === 0xff || marker === 0x01 || (marker & 0xf8) === 0xd0) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    // Decoders skip these without a segment, or fail. No image has them before its frame header.
    if (marker < 0xc0 || (marker >= 0xd8 && marker <= 0xda)) return null;
    // The markers C0 to CF begin frame headers, except for C4 (Huffman tables), C8 (reserved) and
    // CC (arithmetic coding).
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].some((code) => code === marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
