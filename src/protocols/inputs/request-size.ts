/** Measures the parts of a request that a model reads: the text, and the media by kind and size. */
import { isAscii } from 'node:buffer';
import { BACKSLASH, COLON, type Span } from '../../json/cursor.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { invalid } from '../validation.ts';
import { HEADER_BYTES, type ImageSize, readHeader } from './image-header.ts';
import type { MediaInput } from './media-input.ts';
import { pdfPages, type WorkBudget } from './pdf-pages.ts';
import { mostTokens } from './text-tokens.ts';

export type MediaSize =
  | ({ readonly kind: 'image' } & ImageSize)
  | { readonly kind: 'pdf'; readonly pages: number }
  | { readonly kind: 'audio'; readonly seconds: number }
  | { readonly kind: 'text'; readonly bytes: number }
  /** Media that the request names by URL or id, or whose size cannot be read from its bytes. */
  | { readonly kind: 'unmeasured'; readonly modality: MediaInput['modality'] };

export type RequestSize = {
  /** The number of bytes of the body without media. */
  readonly textBytes: number;
  /** Returns the maximum tokens of the body without media, or `atMost` if that is lower. */
  readonly textTokens: (atMost: number) => number;
  /** The number of bytes, without media, of the members that a model reads. */
  readonly promptBytes: number;
  readonly media: readonly MediaSize[];
  /**
   * The number of bytes of a predicted answer (`prediction`). Providers charge the rejected parts
   * of a prediction as output, even beyond the output limit.
   */
  readonly predictedBytes: number;
};

/**
 * Measures a request. Everything except the data of media parts is counted as text, because a model
 * may read base64 anywhere else as text.
 * @throws GatewayError `invalid_value` if there are more media parts than `MAX_INPUTS`.
 */
export function requestSize(body: ScannedObject, inputs: readonly MediaInput[]): RequestSize {
  let promptBytes = 0;
  for (const name of PROMPT) promptBytes += memberBytes(body, name);
  const predictedBytes = memberBytes(body, 'prediction');
  let textBytes = body.bytes.byteLength;
  if (inputs.length === 0) {
    const textTokens = (atMost: number) => mostTokens(body.bytes, NO_SPANS, atMost, body.ascii);
    return { textBytes, textTokens, promptBytes, media: NO_MEDIA, predictedBytes };
  }
  const media: MediaSize[] = [];
  const spans: Span[] = [];
  const budget = { left: MAX_DECODED_BYTES };
  const extra = inputs[MAX_INPUTS];
  if (extra !== undefined)
    throw invalid(extra.param, `is too much: send at most ${MAX_INPUTS} images and files`);
  for (const { modality, source } of inputs) {
    if (source.kind === 'text') continue;
    const bytes = source.kind === 'remote' ? NO_BYTES : body.bytesOf(source.data);
    const size = source.kind === 'sealed' ? sealed(bytes) : measured(bytes, modality, budget);
    media.push(size ?? { kind: 'unmeasured', modality });
    textBytes -= bytes.byteLength;
    const span = spanIn(body.bytes, bytes);
    if (span !== null) spans.push(span);
  }
  spans.sort((one, other) => one.start - other.start);
  return {
    textBytes,
    textTokens: (atMost) => mostTokens(body.bytes, spans, atMost, body.ascii),
    promptBytes: Math.max(0, promptBytes - (body.bytes.byteLength - textBytes)),
    media,
    predictedBytes,
  };
}

const NO_SPANS: readonly Span[] = [];
const NO_MEDIA: readonly MediaSize[] = [];

/** The members of a request that a model reads, in any protocol. */
const PROMPT = [
  ...['system', 'messages', 'tools', 'tool_choice', 'functions'],
  ...['response_format', 'output_config', 'instructions', 'input', 'text'],
] as const;

/**
 * Returns the size of reasoning in `encrypted_content`, which is base64. The size is the number of
 * bytes after the base64 is decoded, and it is counted as text.
 */
const sealed = ({ byteLength }: Uint8Array): MediaSize => ({
  kind: 'text',
  bytes: Math.ceil((byteLength * 3) / 4),
});

function memberBytes({ members }: ScannedObject, name: string): number {
  const member = members.get(name);
  return member === undefined ? 0 : member.end - member.start;
}

/** Returns the position of `bytes` in the body; null if `bytes` is a copy, as for a small body. */
const spanIn = (body: Uint8Array, { buffer, byteOffset, byteLength }: Uint8Array): Span | null =>
  buffer === body.buffer && byteLength > 0
    ? { start: byteOffset - body.byteOffset, end: byteOffset - body.byteOffset + byteLength }
    : null;

/** Maximum images, files and other media in a request. No provider accepts that many. */
const MAX_INPUTS = 2_000;
/** Maximum bytes that are decoded for one request. Decoding them takes about 20 ms. */
const MAX_DECODED_BYTES = 12 * 1024 * 1024;
const SLASH = 0x2f;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const DASH = 0x2d;
const UNDERSCORE = 0x5f;
const PADDING = 0x3d;
const MAX_PADDING = 2;
/** The start of a Unicode escape in JSON. Such an escape can represent any character. */
const ESCAPED_LETTER = '\\u';
const NO_BYTES = new Uint8Array(0);
/** Maximum bytes before the comma of a data URL, where only a media type and its parameters are. */
const MAX_HEAD_BYTES = 256;
/**
 * The number of bytes that are decoded first. They contain the complete header, except in some
 * JPEGs.
 */
const FIRST_BYTES = 3 * 1024;
/** Matches the start of a data URL with text in base64. */
const TEXT_TYPE =
  /^data:(?:;|text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|toml);)[^,]*base64,/i;

const IMAGE_URL = /^data:image\//i;
/** Matches base64 in JSON without a URL and without Unicode escapes, for example of a letter. */
const BASE64_ONLY = /^(?:[^:\\]|\\[^u])*$/;

/** Measures a media part; null if its type is unknown or decoding it would exceed the budget. */
function measured(
  bytes: Uint8Array,
  modality: MediaInput['modality'],
  budget: WorkBudget,
): MediaSize | null {
  // Videos are not measured: a video may look like a single image, but servers read several frames.
  if (modality === 'video') return null;
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = json.toString('latin1', 0, MAX_HEAD_BYTES);
  const isUrl = /^data:/i.test(head);
  const base64 = json.subarray(isUrl ? head.indexOf(',') + 1 : 0);
  const url = isUrl ? head.replaceAll('\\/', '/') : null;
  // Some servers read any media in the place of an image, by the type of the data URL. Escapes in
  // the JSON may hide that there is a URL.
  if (modality === 'image' && !(url === null ? BASE64_ONLY : IMAGE_URL).test(url ?? head))
    return { kind: 'unmeasured', modality: 'unknown' };
  const declared = modality === 'file' ? url : null;
  if (declared !== null && TEXT_TYPE.test(declared)) {
    const text = decodedWithin(budget, base64, base64.byteLength);
    const bytes = text === null ? null : normalizedBytes(text, budget);
    return bytes === null ? null : { kind: 'text', bytes };
  }
  if (modality === 'audio') return soundIn(base64);
  const header = readHeader(decoded(base64, FIRST_BYTES) ?? Buffer.from(NO_BYTES));
  if (header === null) return null;
  const [type = ''] = header.mediaType.split('/');
  if (header.mediaType === 'application/pdf') {
    if (declared !== null && !/^data:application\/pdf\b/i.test(declared)) return null;
    const pdf = decodedWithin(budget, base64, base64.byteLength);
    const pages = pdf === null ? null : pdfPages(pdf, budget);
    return pages === null ? null : { kind: 'pdf', pages };
  }
  // Without a data URL, nothing says that the file is an image, and a PDF may follow the header.
  if (modality === 'file' && declared === null) return null;
  if (declared !== null && !declared.toLowerCase().startsWith(`data:${type}/`)) return null;
  const size = header.size ?? sizeWithin(budget, base64);
  return size === null ? null : { kind: 'image', ...size };
}

/**
 * Measures audio; null for a URL. A URL is recognized by its colon, which may be written as an
 * escape.
 */
function soundIn(base64: Buffer): MediaSize | null {
  if (base64.byteLength === 0 || base64.includes(COLON) || base64.includes(ESCAPED_LETTER))
    return null;
  const first = decoded(base64, FIRST_BYTES) ?? Buffer.from(NO_BYTES);
  return { kind: 'audio', seconds: audioSeconds(first, (base64.byteLength * 3) / 4) };
}

/** How many times longer it takes to normalize a byte than to decode one from base64. */
const NORMALIZING = 16;

/**
 * Returns the number of bytes of a text after NFKC normalization, which some tokenizers apply; null
 * if normalizing would exceed the budget.
 */
function normalizedBytes(text: Buffer, budget: WorkBudget): number | null {
  if (isAscii(text)) return text.byteLength;
  budget.left -= NORMALIZING * text.byteLength;
  return budget.left < 0 ? null : Buffer.byteLength(text.toString().normalize('NFKC'));
}

function sizeWithin(budget: WorkBudget, base64: Buffer): ImageSize | null {
  const header = decodedWithin(budget, base64, HEADER_BYTES);
  return header === null ? null : (readHeader(header)?.size ?? null);
}

/** Decodes the first bytes of base64; null if this would exceed the budget. */
function decodedWithin(budget: WorkBudget, base64: Buffer, maxBytes: number): Buffer | null {
  budget.left -= Math.min(maxBytes, base64.byteLength);
  return budget.left < 0 ? null : decoded(base64, maxBytes);
}

/**
 * Decodes the first bytes of base64 in a JSON string, where slashes and line breaks may be escaped.
 * Returns null if another decoder may read different bytes, because much more content could be
 * hidden that way.
 */
function decoded(base64: Buffer, maxBytes: number): Buffer | null {
  const text = base64.subarray(0, Math.ceil(maxBytes / 3) * 4);
  if (text.includes(ESCAPED_LETTER)) return null;
  const isPlain = !text.includes(BACKSLASH) && !text.includes(LINE_FEED);
  const plain = isPlain ? text : withoutEscapes(text);
  // Refuses base64 with `-` or `_`, which some decoders skip, and base64 with data after the
  // padding, where some decoders continue.
  if (plain.includes(DASH) || plain.includes(UNDERSCORE)) return null;
  const bytes = Buffer.from(plain.toString('latin1'), 'base64');
  const padding = plain.indexOf(PADDING);
  const letters = padding < 0 ? plain.byteLength : padding;
  const isWhole = plain.byteLength - letters <= MAX_PADDING;
  return isWhole && bytes.byteLength === Math.floor((letters * 3) / 4) ? bytes : null;
}

/**
 * Removes escapes. This is a loop, because a regular expression would take a second for a body full
 * of escapes.
 */
function withoutEscapes(text: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(text.byteLength);
  let length = 0;
  for (let at = 0; at < text.byteLength; at++) {
    const byte = text[at] ?? 0;
    if (byte === BACKSLASH) {
      if (text[++at] === SLASH) plain[length++] = SLASH;
    } else if (byte > SPACE) plain[length++] = byte;
  }
  return plain.subarray(0, length);
}

/** The lowest bit rate of speech in any common format, 6 kbit/s, in bytes per second. */
const MIN_BYTES_PER_SECOND = 750;
const WAV_HEADER_BYTES = 12;

/**
 * Returns the maximum duration in seconds of a file of `totalBytes`.
 * @param bytes the first bytes of the file.
 */
const audioSeconds = (bytes: Buffer, totalBytes: number): number =>
  Math.ceil(totalBytes / (wavBytesPerSecond(bytes) ?? MIN_BYTES_PER_SECOND));

/**
 * Returns the bytes per second of a WAV file; null if it is not PCM. The header states this rate,
 * and also the sample rate, from which it can be computed. If the two differ, returns the lower
 * one, because it yields the longer duration.
 */
function wavBytesPerSecond(bytes: Buffer): number | null {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF') return null;
  for (let at = WAV_HEADER_BYTES; at + 24 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    if (name === 'fmt ') {
      const stated = bytes.readUInt32LE(at + 16);
      const samples = bytes.readUInt32LE(at + 12) * bytes.readUInt16LE(at + 20);
      const isPcm = [1, 3].includes(bytes.readUInt16LE(at + 8));
      return isPcm && stated > 0 && samples > 0 ? Math.min(stated, samples) : null;
    }
    at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2);
  }
  return null;
}
