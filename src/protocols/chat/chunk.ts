/** Rewrites a single chunk of a stream, and recognizes the end mark. Has no side effects. */
import { GatewayError } from '../../errors.ts';
import { joinBytes } from '../../json/bytes.ts';
import { replaceMembers } from '../../json/edit.ts';
import { isJsonObject, type JsonObject } from '../../json/object.ts';
import { scanObject } from '../../json/scan.ts';
import { isForeignTier } from './answer-fields.ts';

/**
 * Maximum nesting depth of a chunk. The model's text is in strings, but results of an upstream's
 * tools may be nested.
 */
const MAX_CHUNK_DEPTH = 64;

const LF = 0x0a;
const SPACE = 0x20;
const DATA = new TextEncoder().encode('data: ');
const BLANK_LINE = new TextEncoder().encode('\n\n');

/** The members that typed clients require in each chunk. Some upstreams omit them. */
export type ChunkHead = {
  readonly id: string;
  readonly object: string;
  readonly created: number;
};

/** The members of `json` that belong in a chunk's head and have the right type. */
export function headIn(json: JsonObject): Partial<ChunkHead> {
  const { id, object, created } = json;
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof object === 'string' ? { object } : {}),
    ...(typeof created === 'number' ? { created } : {}),
  };
}

type EditOptions = {
  readonly model: string;
  readonly includeUsage: boolean;
  /** The members to add to a chunk that lacks them. */
  readonly head: ChunkHead;
};

/**
 * Returns the edited event to send. Returns null if nothing must be edited, and `unreadable` if the
 * chunk has duplicate keys or is nested too deeply.
 * @param json the parsed `data`.
 * @param choices the choices to send instead of those in `json`.
 */
export function editedChunk(
  data: Uint8Array,
  json: JsonObject,
  choices: readonly unknown[],
  options: EditOptions,
): Uint8Array | 'unreadable' | null {
  const edits = editsOf(json, choices, options);
  if (edits.size === 0) return null;
  try {
    const line = oneLine(data);
    const scanned = scanObject(line, MAX_CHUNK_DEPTH);
    return dataEvent(replaceMembers(scanned, edits));
  } catch (thrown) {
    if (thrown instanceof GatewayError) return 'unreadable';
    throw thrown;
  }
}

function editsOf(
  json: JsonObject,
  choices: readonly unknown[],
  { model, includeUsage, head }: EditOptions,
): ReadonlyMap<string, string | null> {
  const edits = new Map<string, string | null>();
  if (typeof json['id'] !== 'string') edits.set('id', JSON.stringify(head.id));
  if (typeof json['object'] !== 'string') edits.set('object', JSON.stringify(head.object));
  if (typeof json['created'] !== 'number') edits.set('created', JSON.stringify(head.created));
  if (json['model'] !== model) edits.set('model', JSON.stringify(model));
  if (choices !== json['choices']) edits.set('choices', JSON.stringify(choices));
  // Some clients treat even `error: null` as an error, so the key is removed.
  if ('error' in json) edits.set('error', null);
  // `obfuscation` is only padding that protects the upstream's events from traffic analysis, so it
  // is removed.
  if ('obfuscation' in json) edits.set('obfuscation', null);
  if (isForeignTier(json['service_tier'])) edits.set('service_tier', null);
  if ('usage' in json && !includeUsage) edits.set('usage', null);
  // The gateway sends the usage only once, at the end of the stream, with the cost.
  else if (isJsonObject(json['usage'])) edits.set('usage', 'null');
  return edits;
}

/** Returns a copy of the JSON text in which all line breaks are replaced with spaces. */
export const oneLine = (json: Uint8Array): Uint8Array<ArrayBuffer> => {
  const line = json.slice();
  for (let at = line.indexOf(LF); at >= 0; at = line.indexOf(LF, at + 1)) line[at] = SPACE;
  return line;
};

/** Returns an event with this line as its only data line. */
export const dataEvent = (line: Uint8Array): Uint8Array => joinBytes([DATA, line, BLANK_LINE]);

const decoder = new TextDecoder();

/** Maximum bytes of an end mark with the lines before it. */
const MAX_END_MARK_BYTES = 256;
/** Matches the end mark, with comments and lines of other fields before it. */
const END_MARK = /^(?:(?::|id|event|retry)[^\r\n]*[\r\n]+)*data: ?\[DONE\][\r\n]*$/;

/**
 * Whether the bytes after the last complete event are the end mark. Some upstreams omit the blank
 * line after it.
 */
export const isPendingEndMark = (pending: Uint8Array): boolean =>
  pending.byteLength <= MAX_END_MARK_BYTES && END_MARK.test(decoder.decode(pending));
