/**
 * Images, files and audio in a prompt. Image headers are parsed without the library sharp, because
 * loading it takes 60 ms and 35 MB.
 */

import { HEADER_BYTES, type ImageSize, readHeader } from '../protocols/inputs/image-header.ts';

export type MediaSource =
  | { readonly kind: 'base64'; readonly data: string }
  | { readonly kind: 'text'; readonly text: string }
  /** A URL is never fetched, since a request must not make the gateway connect to a host. */
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'stored'; readonly id: string };

export type MediaKind = 'image' | 'file' | 'audio';

export type Media = {
  readonly kind: MediaKind;
  /** The declared type, or else the type detected from the bytes; null when unknown. */
  readonly mediaType: string | null;
  readonly name: string | null;
  readonly source: MediaSource;
  /** The number of bytes; null when the request refers to the media instead of containing it. */
  readonly bytes: number | null;
  /** The size in pixels; null for other media, or for an image with an unreadable header. */
  readonly size: ImageSize | null;
};

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

/** Parses a URL such as `data:image/png;base64,AAAA`; null if it is not a base64 data URL. */
export function parseDataUrl(url: string): { mediaType: string; data: string } | null {
  const comma = url.indexOf(',');
  const match = /^data:([^;,]*)(?:;[^,]*)?;base64$/i.exec(url.slice(0, Math.max(comma, 0)));
  if (match === null) return null;
  return { mediaType: match[1] || 'application/octet-stream', data: url.slice(comma + 1) };
}

/**
 * The number of pixels per token of an image, and the maximum number of tokens of an image, as
 * published by the providers.
 */
const PIXELS_PER_TOKEN = 750;
const MAX_IMAGE_TOKENS = 1600;
/** The number of tokens assumed for media of unknown size. */
const UNSEEN_TOKENS = 765;
const FILE_BYTES_PER_TOKEN = 16;

/** Returns the prompt tokens of media, except of text documents, whose text is counted instead. */
export function mediaTokens(media: Media): number {
  if (media.kind === 'image' && media.size !== null) {
    const pixels = media.size.width * media.size.height;
    return Math.max(1, Math.min(MAX_IMAGE_TOKENS, Math.ceil(pixels / PIXELS_PER_TOKEN)));
  }
  if (media.bytes === null || media.kind === 'image') return UNSEEN_TOKENS;
  return Math.max(1, Math.ceil(media.bytes / FILE_BYTES_PER_TOKEN));
}
