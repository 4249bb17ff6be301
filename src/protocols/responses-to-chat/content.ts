/**
 * Translates content of Responses items into chat parts, and records the path of each part in the
 * caller's request.
 */
import { asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { type ChatPart, textPart } from '../chat/content-parts.ts';
import { invalid, missing, unsupportedValue } from '../validation.ts';
import { refusedPart } from './field-table.ts';

export type PlacedPart = {
  readonly part: ChatPart;
  /**
   * The path in the caller's request from which the part was made, such as
   * `input[0].content[1].image_url`.
   */
  readonly path: string;
  /** Whether the caller marked the end of a cached prefix at this part. */
  readonly isMarked: boolean;
};

/** Returns the parts of a user message or of a tool's output. Empty text is left out. */
export function userParts(content: unknown, path: string): readonly PlacedPart[] {
  return partsOf(content, path, (part, at) => {
    switch (part['type']) {
      case 'input_image':
        return imagePart(part, at);
      case 'input_file':
        return filePart(part, at);
      case 'input_audio':
        return audioPart(part, at);
      default:
        throw refusedPart(part['type'], at);
    }
  });
}

/** Returns the parts of a message that may contain only text. */
export function textParts(content: unknown, path: string, role: string): readonly PlacedPart[] {
  return partsOf(content, path, (part, at) => {
    if (!MEDIA.has(part['type'])) throw refusedPart(part['type'], at);
    throw unsupportedValue(`${at}.type`, `a message with the role ${role} accepts text parts only`);
  });
}

const MEDIA: ReadonlySet<unknown> = new Set(['input_image', 'input_file', 'input_audio']);

/** For each type of part that is text, the member with the text. */
const TEXT_MEMBERS: ReadonlyMap<unknown, string> = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['text', 'text'],
  ['refusal', 'refusal'],
  // Codex writes the plain text of messages between agents into this member.
  ['encrypted_content', 'encrypted_content'],
]);

type ReadPart = { readonly part: ChatPart; readonly path: string };

function partsOf(
  content: unknown,
  path: string,
  readMedia: (part: JsonObject, path: string) => ReadPart,
): readonly PlacedPart[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ part: textPart(content), path, isMarked: false }];
  if (!Array.isArray(content)) throw invalid(path, 'must be a string or an array of parts');
  return content.flatMap((part: unknown, index) => {
    const at = `${path}[${index}]`;
    if (!isJsonObject(part)) throw invalid(at, 'must be a part: an object with a type');
    const member = TEXT_MEMBERS.get(part['type']);
    const text = member === undefined ? null : textIn(part, member, at);
    if (text === '') return [];
    const read =
      text === null ? readMedia(part, at) : { part: textPart(text), path: `${at}.${member}` };
    return [{ ...read, isMarked: isJsonObject(part['prompt_cache_breakpoint']) }];
  });
}

function textIn(part: JsonObject, member: string, path: string): string {
  const text = asString(part[member]);
  if (text === null) throw invalid(`${path}.${member}`, 'must be a string');
  return text;
}

function imagePart(part: JsonObject, path: string): ReadPart {
  const at = `${path}.image_url`;
  const url = asString(part['image_url']);
  if (url === null) {
    refuseFileId(part, path, 'image_url');
    throw missing(at, 'it must be an https URL or a data URL');
  }
  const given = asString(part['detail']);
  // In chat, `high` is the highest level of image detail.
  const detail = given === 'original' ? 'high' : given;
  return {
    part: { type: 'image_url', image_url: { url, ...(detail === null ? {} : { detail }) } },
    path: at,
  };
}

/**
 * Returns a file part for chat. Its `file_data` may be the URL of a remote file. Chat servers
 * accept no URL there, so `refuseRemoteFiles` refuses such a part for them.
 */
function filePart(part: JsonObject, path: string): ReadPart {
  const data = asString(part['file_data']);
  const url = asString(part['file_url']);
  const filename = asString(part['filename']);
  const named = filename === null ? {} : { filename };
  if (data !== null)
    return {
      part: { type: 'file', file: { ...named, file_data: data } },
      path: `${path}.file_data`,
    };
  if (url !== null) {
    if (!REMOTE.test(url)) throw invalid(`${path}.file_url`, 'must be an https URL');
    return { part: { type: 'file', file: { ...named, file_data: url } }, path: `${path}.file_url` };
  }
  refuseFileId(part, path, 'file_data');
  throw missing(`${path}.file_data`, 'it must be a data URL');
}

const REMOTE = /^https?:\/\//i;

/**
 * Refuses files that are given as a URL, because chat servers do not fetch them.
 * @throws GatewayError `unsupported_value` with the path of the file.
 */
export function refuseRemoteFiles(parts: readonly PlacedPart[]): void {
  for (const { part, path } of parts) {
    if (part.type !== 'file' || !REMOTE.test(part.file.file_data)) continue;
    throw unsupportedValue(
      path,
      'this model does not accept files by URL; send the file as a data URL in file_data',
    );
  }
}

function audioPart(part: JsonObject, path: string): ReadPart {
  const { data, format } = isJsonObject(part['input_audio']) ? part['input_audio'] : {};
  if (typeof data !== 'string' || typeof format !== 'string')
    throw invalid(`${path}.input_audio`, 'must be an object with data and format');
  return { part: { type: 'input_audio', input_audio: { data, format } }, path: `${path}.type` };
}

function refuseFileId(part: JsonObject, path: string, instead: string): void {
  if (asString(part['file_id']) === null) return;
  throw unsupportedValue(
    `${path}.file_id`,
    `files are not stored for this model; send the file as a data URL in ${instead}`,
  );
}
