/** The parts of a prompt that are not text, and whether the request contains their bytes. */
import { invalid } from '../validation.ts';

export type MediaInput = {
  /** `unknown` for a part that may be any kind of media, such as a part of an unknown type. */
  readonly modality: 'image' | 'file' | 'audio' | 'video' | 'unknown';
  /** The path of the part, such as `messages[0].content[1]`. */
  readonly param: string;
  readonly source: MediaSource;
};

export type MediaSource =
  /**
   * Base64 or a data URL. A long value is truncated here; `ScannedObject.bytesOf` returns the
   * complete value.
   */
  | { readonly kind: 'inline'; readonly data: string }
  /** The URL or the id of content that only the provider can read. */
  | { readonly kind: 'remote' }
  /** Reasoning in base64 (`encrypted_content`) that only the provider or the gateway can read. */
  | { readonly kind: 'sealed'; readonly data: string }
  /** The part is text in the request, and is counted as text. */
  | { readonly kind: 'text' };

export const REMOTE: MediaSource = { kind: 'remote' };
export const AS_TEXT: MediaSource = { kind: 'text' };

/**
 * Returns the source of media.
 * @param given a string that contains the data or is its URL.
 * @param param the path of the string, if the caller chose it: see `refuseScheme`.
 */
export function sourceIn(given: unknown, param?: string): MediaSource {
  if (param !== undefined) refuseScheme(given, param);
  if (typeof given !== 'string' || given === '') return REMOTE;
  return ADDRESS.test(given) ? REMOTE : { kind: 'inline', data: given };
}

/**
 * Refuses a URL of a scheme other than http and https, such as `gs:`. A server would open it with
 * the operator's identity.
 * @throws GatewayError `invalid_value`.
 */
export function refuseScheme(given: unknown, param: string): void {
  if (typeof given === 'string' && PRIVATE_ADDRESS.test(given))
    throw invalid(param, 'must be a URL that begins with http:// or https://, or base64 data');
}

const PRIVATE_ADDRESS = /^\s*(?!data:|https?:)[a-z][a-z0-9+.-]*:/i;
/** Matches a URL other than a data URL. Base64 does not match, because it has no colon. */
const ADDRESS = /^\s*(?!data:)[a-z][a-z0-9+.-]*:/i;

/**
 * Whether media are certainly in the request. This is false for a URL with an escaped letter, which
 * `sourceIn` may take for base64: in a long body, the view of a long string ends before the escape.
 */
export const isDataUrl = (given: unknown): boolean => typeof given === 'string' && DATA.test(given);
const DATA = /^data:/i;

/**
 * Whether a URL ends like that of a video, a sound or a document. Some servers, such as LiteLLM,
 * read such a file by its ending, also in the place of an image.
 */
export const isOtherFile = (given: unknown): boolean =>
  typeof given === 'string' && OTHER_FILE.test(given);
const OTHER_FILE =
  /^\s*https?:[^?#]*\.(?:3gpp?|aac|avi|flac|flv|m4[av]|mkv|mov|mp[34]|mpe?g|mpegps|ogg|pdf|wav|webm|wmv)\s*(?:[?#]|$)/i;
