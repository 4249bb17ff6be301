/** Images, files and audio in a prompt, read without sharp: loading sharp takes 60 ms and 35 MB. */

export type MediaSource =
  | { readonly kind: 'base64'; readonly data: string }
  | { readonly kind: 'text'; readonly text: string }
  /** The address is never fetched: a request must not make the gateway connect to it. */
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'stored'; readonly id: string };

export type MediaKind = 'image' | 'file' | 'audio';

export type Media = {
  readonly kind: MediaKind;
  /** The declared type, or else the type detected from the bytes. Null when unknown. */
  readonly mediaType: string | null;
  readonly name: string | null;
  readonly source: MediaSource;
  /** Number of bytes. Null when the request does not contain them. */
  readonly bytes: number | null;
  /** Size in pixels. Null for media that is not an image, or with an unreadable header. */
  readonly size: { readonly width: number; readonly height: number } | null;
};

/** How many bytes are decoded to find an image header: a JPEG may have a thumbnail before it. */
const HEADER_BYTES = 256 * 1024;

export function inspectMedia(
  kind: MediaKind,
  source: MediaSource,
  declared: { readonly mediaType?: string | undefined; readonly name?: string | undefined },
): Media {
  const named = { kind, source, name: declared.name ?? null };
  const mediaType = declared.mediaType ?? null;
  if (source.kind === 'text') {
    return { ...named, mediaType, bytes: Buffer.byteLength(source.text), size: null };
  }
  if (source.kind !== 'base64') return { ...named, mediaType, bytes: null, size: null };
  const header = Buffer.from(source.data.slice(0, Math.ceil(HEADER_BYTES / 3) * 4), 'base64');
  const found = readHeader(header);
  return {
    ...named,
    mediaType: mediaType ?? found?.mediaType ?? null,
    bytes: Buffer.byteLength(source.data, 'base64'),
    size: found?.size ?? null,
  };
}

/** Splits a URL such as `data:image/png;base64,AAAA`. Null when it is not a base64 data URL. */
export function parseDataUrl(url: string): { mediaType: string; data: string } | null {
  const comma = url.indexOf(',');
  const match = /^data:([^;,]*)(?:;[^,]*)?;base64$/i.exec(url.slice(0, Math.max(comma, 0)));
  if (match === null) return null;
  return { mediaType: match[1] || 'application/octet-stream', data: url.slice(comma + 1) };
}

function readHeader(bytes: Buffer): Pick<Media, 'mediaType' | 'size'> | null {
  const starts = (text: string, at = 0): boolean =>
    bytes.toString('latin1', at, at + text.length) === text;
  if (starts('\x89PNG\r\n\x1a\n') && bytes.length >= 24) {
    const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    return { mediaType: 'image/png', size };
  }
  if ((starts('GIF87a') || starts('GIF89a')) && bytes.length >= 10) {
    const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    return { mediaType: 'image/gif', size };
  }
  if (starts('RIFF') && starts('WEBP', 8)) return { mediaType: 'image/webp', size: webp(bytes) };
  if (starts('\xff\xd8\xff')) return { mediaType: 'image/jpeg', size: jpeg(bytes) };
  if (starts('%PDF-')) return { mediaType: 'application/pdf', size: null };
  return null;
}

/** Returns the size of a WebP image with a lossy, lossless or extended header. */
function webp(bytes: Buffer): Media['size'] {
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

/** Returns the size of a JPEG image, which is in the frame header after other segments. */
function jpeg(bytes: Buffer): Media['size'] {
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // C0 to CF are frame headers, except Huffman tables, a reserved marker and arithmetic coding.
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].some((code) => code === marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Pixels per token of an image, and an image's maximum tokens, as published by the providers. */
const PIXELS_PER_TOKEN = 750;
const MAX_IMAGE_TOKENS = 1600;
/** Tokens of media whose size is unknown. */
const UNSEEN_TOKENS = 765;
const FILE_BYTES_PER_TOKEN = 16;

/** Returns the prompt tokens of media. Text documents are counted as text instead. */
export function mediaTokens(media: Media): number {
  if (media.kind === 'image' && media.size !== null) {
    const pixels = media.size.width * media.size.height;
    return Math.max(1, Math.min(MAX_IMAGE_TOKENS, Math.ceil(pixels / PIXELS_PER_TOKEN)));
  }
  if (media.bytes === null || media.kind === 'image') return UNSEEN_TOKENS;
  return Math.max(1, Math.ceil(media.bytes / FILE_BYTES_PER_TOKEN));
}
