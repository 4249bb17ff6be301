/** Measures what a request asks a model to read: its text, and its media by kind and size. */
import type { ScannedObject } from '../../json/scan.ts';
import { audioSeconds } from './audio-length.ts';
import { HEADER_BYTES, type ImageSize, readHeader } from './image-header.ts';
import type { MediaInput } from './media-input.ts';
import { pdfPages } from './pdf-pages.ts';

export type MediaSize =
  | ({ readonly kind: 'image' } & ImageSize)
  | { readonly kind: 'pdf'; readonly pages: number }
  | { readonly kind: 'audio'; readonly seconds: number }
  /** Media by address or id, or whose bytes do not state their size. */
  | { readonly kind: 'unmeasured'; readonly modality: MediaInput['modality'] };

export type RequestSize = {
  /** Bytes of the body without media. */
  readonly textBytes: number;
  readonly media: readonly MediaSize[];
};

/** Everything but data where media belongs is text, whatever it looks like: callers choose both. */
export function requestSize(body: ScannedObject, inputs: readonly MediaInput[]): RequestSize {
  let mediaBytes = 0;
  const media: MediaSize[] = [];
  for (const { modality, source } of inputs) {
    if (source.kind === 'text') continue;
    const bytes = source.kind === 'inline' ? body.bytesOf(source.data) : NO_BYTES;
    const size = measured(bytes, modality);
    if (size === 'text') continue;
    media.push(size ?? { kind: 'unmeasured', modality });
    mediaBytes += bytes.byteLength;
  }
  return { textBytes: Math.max(0, body.bytes.byteLength - mediaBytes), media };
}

const NO_BYTES = new Uint8Array(0);
/** The longest beginning of a data URL: only a media type and parameters, which are short. */
const MAX_HEAD_BYTES = 256;
/** Bytes that are decoded first, enough for any header but that of some JPEG images. */
const FIRST_BYTES = 3 * 1024;
const TEXT_TYPE = /^data:(?:[;,]|text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|toml)[;,])/i;

/** Returns null for bytes of an unknown kind, and `text` for a file that is counted as text. */
function measured(bytes: Uint8Array, modality: MediaInput['modality']): MediaSize | 'text' | null {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = json.toString('latin1', 0, MAX_HEAD_BYTES);
  const base64 = json.subarray(/^data:/i.test(head) ? head.indexOf(',') + 1 : 0);
  const first = decoded(base64, FIRST_BYTES);
  const mediaType = readHeader(first)?.mediaType ?? null;
  if (mediaType === 'application/pdf') {
    const pages = pdfPages(decoded(base64, base64.byteLength));
    return pages === null ? null : { kind: 'pdf', pages };
  }
  if (modality === 'audio' && json.byteLength > 0) {
    return { kind: 'audio', seconds: audioSeconds(first, (base64.byteLength * 3) / 4) };
  }
  if (mediaType === null) return modality === 'file' && TEXT_TYPE.test(head) ? 'text' : null;
  const size = readHeader(first)?.size ?? readHeader(decoded(base64, HEADER_BYTES))?.size;
  return size === undefined || size === null ? null : { kind: 'image', ...size };
}

/** Decodes the first bytes of base64 text in JSON, which may have escaped slashes and lines. */
function decoded(base64: Buffer, maxBytes: number): Buffer {
  const text = base64.toString('latin1', 0, Math.ceil(maxBytes / 3) * 4);
  const plain = text.includes('\\')
    ? text.replace(/\\(.)/g, (_, by) => (by === '/' ? by : ''))
    : text;
  return Buffer.from(plain, 'base64');
}
