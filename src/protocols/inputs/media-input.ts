/** The parts of a prompt that are not text, and whether the request has their bytes. */

export type MediaInput = {
  /** `unknown` for a part that could be any media, such as a part of an unknown type. */
  readonly modality: 'image' | 'file' | 'audio' | 'video' | 'unknown';
  /** Path of the part, such as `messages[0].content[1]`. */
  readonly param: string;
  readonly source: MediaSource;
};

export type MediaSource =
  /** Base64 or a data URL. A long value is truncated; `ScannedObject.bytesOf` returns all of it. */
  | { readonly kind: 'inline'; readonly data: string }
  /** An address or an id of content that only the provider sees. */
  | { readonly kind: 'remote' }
  /** Text in base64 that only the provider or the gateway can read. */
  | { readonly kind: 'sealed'; readonly data: string }
  /** The part is text within the request, and counts as text. */
  | { readonly kind: 'text' };

export const REMOTE: MediaSource = { kind: 'remote' };
export const AS_TEXT: MediaSource = { kind: 'text' };

/** Returns the source of media that a string contains or points to. */
export function sourceIn(given: unknown): MediaSource {
  if (typeof given !== 'string' || given === '') return REMOTE;
  return ADDRESS.test(given) ? REMOTE : { kind: 'inline', data: given };
}

/** Matches a URL, but neither a data URL nor base64, which has no colon. */
const ADDRESS = /^\s*(?!data:)[a-z][a-z0-9+.-]*:/i;
