/** Translates images and files of chat to Messages blocks. Does not fetch remote URLs. */
import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';
import { invalid, missing, unsupportedValue } from '../validation.ts';

const IMAGE_TYPES: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
]);
/** Nonstandard media types of images that clients send, with the standard ones. */
const ALIASES: ReadonlyMap<string, string> = new Map([['image/jpg', 'image/jpeg']]);
const PDF = 'application/pdf';
/**
 * Matches the media types of text: `text/*`, and the text formats of other types, such as
 * `application/json`.
 */
const TEXT_TYPE =
  /^(?:text\/.+|application\/(?:json|xml|yaml|x-yaml|toml|javascript|x-ndjson|sql)|[^/]+\/[^/]+\+(?:json|xml))$/;

/** Maximum bytes of a text file, which is more than the context window of any model. */
const MAX_TEXT_FILE_BYTES = 8 * 1024 * 1024;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

type DataUrl = { readonly mediaType: string; readonly isBase64: boolean; readonly data: string };

/**
 * Translates an image part.
 * @throws GatewayError `unsupported_value`, `invalid_value` or `missing_required_parameter`, which
 *   names the part's path.
 */
export function imageBlock(part: JsonObject, path: string): JsonObject {
  const param = `${path}.image_url.url`;
  const url = asString(asJsonObject(part['image_url'])?.['url']);
  if (url === null) throw missing(param, 'it must be an https URL or a data URL');
  const data = dataUrl(url, param);
  if (data !== null) return imageOf(data, param);
  if (isRemote(url)) return { type: 'image', source: { type: 'url', url } };
  throw invalid(param, 'must be an https URL or a data URL');
}

/**
 * Translates a file part.
 * @throws GatewayError `unsupported_value`, `invalid_value` or `missing_required_parameter`.
 */
export function fileBlock(part: JsonObject, path: string, placeholders: Placeholders): JsonObject {
  const file = asJsonObject(part['file']) ?? {};
  const given = asString(file['file_data']);
  if (given === null) {
    if (asString(file['file_id']) === null) {
      throw missing(`${path}.file.file_data`, 'it must be a data URL');
    }
    throw unsupportedValue(
      `${path}.file.file_id`,
      'files are not stored for this model; send the file as a data URL in file_data',
    );
  }
  const param = `${path}.file.file_data`;
  const title = asString(file['filename']);
  const named = title === null || title.trim() === '' ? {} : { title };
  const data = dataUrl(given, param);
  if (data === null) {
    if (isRemote(given)) {
      return { type: 'document', source: { type: 'url', url: given }, ...named };
    }
    throw invalid(
      param,
      'must be a data URL such as "data:application/pdf;base64,..." or the URL of a PDF',
    );
  }
  if (data.mediaType.startsWith('image/')) return imageOf(data, param);
  return { type: 'document', source: documentSource(data, param, placeholders), ...named };
}

const isRemote = (url: string): boolean => /^https?:\/\//i.test(url);

function imageOf({ mediaType, isBase64, data }: DataUrl, param: string): JsonObject {
  const media_type = ALIASES.get(mediaType) ?? mediaType;
  if (!IMAGE_TYPES.has(media_type)) {
    throw unsupportedValue(
      param,
      `images of type "${mediaType}" are not supported; send ${[...IMAGE_TYPES].join(', ')}`,
    );
  }
  if (!isBase64) throw invalid(param, 'must contain base64 data');
  return { type: 'image', source: { type: 'base64', media_type, data } };
}

function documentSource(url: DataUrl, param: string, placeholders: Placeholders): JsonObject {
  const { mediaType, isBase64, data } = url;
  if (mediaType === PDF) {
    if (!isBase64) throw invalid(param, 'must contain base64 data');
    return { type: 'base64', media_type: PDF, data };
  }
  if (TEXT_TYPE.test(mediaType)) {
    if (placeholders.sizeOf(data) > MAX_TEXT_FILE_BYTES) {
      throw invalid(param, `must contain at most ${MAX_TEXT_FILE_BYTES} bytes of text`);
    }
    const text = textIn(placeholders.restore(data), isBase64, param);
    if (text.trim() === '') throw invalid(param, 'must contain text; the file is empty');
    return { type: 'text', media_type: 'text/plain', data: text };
  }
  throw unsupportedValue(
    param,
    `files of type "${mediaType}" are not supported; send a PDF, an image or text`,
  );
}

function textIn(data: string, isBase64: boolean, param: string): string {
  try {
    return isBase64 ? strictUtf8.decode(Buffer.from(data, 'base64')) : decodeURIComponent(data);
  } catch {
    throw invalid(param, 'must contain text in UTF-8');
  }
}

function dataUrl(url: string, param: string): DataUrl | null {
  if (!/^data:/i.test(url)) return null;
  const comma = url.indexOf(',');
  if (comma < 0) throw invalid(param, 'is a data URL without data: the comma is missing');
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';');
  return {
    // A data URL without a media type is plain text (RFC 2397).
    mediaType: mediaType.trim().toLowerCase() || 'text/plain',
    isBase64: parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64'),
    data: url.slice(comma + 1),
  };
}
