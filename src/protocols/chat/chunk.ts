/** Rewrites one chunk of a stream, and recognizes the end mark. Pure functions. */
import { GatewayError } from '../../errors.ts';
import { joinBytes } from '../../json/bytes.ts';
import { replaceMembers } from '../../json/edit.ts';
import { isJsonObject, type JsonObject } from '../../json/object.ts';
import { scanObject } from '../../json/scan.ts';

/** Maximum nesting of a chunk. Text is in strings, but results of an upstream's tools may nest. */
const MAX_CHUNK_DEPTH = 64;

const LF = 0x0a;
const SPACE = 0x20;
const DATA = new TextEncoder().encode('data: ');
const BLANK_LINE = new TextEncoder().encode('\n\n');

/**
 * Returns the edited event to send; null when nothing changes; `unreadable` for duplicate keys or
 * too deep nesting. `json` is `data` parsed, and `choices` are the choices to send.
 */
export function editedChunk(
  data: Uint8Array,
  json: JsonObject,
  choices: readonly unknown[],
  options: { readonly model: string; readonly includeUsage: boolean },
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
  { model, includeUsage }: { readonly model: string; readonly includeUsage: boolean },
): ReadonlyMap<string, string | null> {
  const edits = new Map<string, string | null>();
  if (json['model'] !== model) edits.set('model', JSON.stringify(model));
  if (choices !== json['choices']) edits.set('choices', JSON.stringify(choices));
  // Some clients treat even `error: null` as an error, so the key is removed.
  if ('error' in json) edits.set('error', null);
  // `obfuscation` only pads the upstream's events against traffic analysis, so it is removed.
  if ('obfuscation' in json) edits.set('obfuscation', null);
  if ('usage' in json && !includeUsage) edits.set('usage', null);
  // The gateway sends usage once, at the end, with the cost.
  else if (isJsonObject(json['usage'])) edits.set('usage', 'null');
  return edits;
}

/** Returns a copy of the JSON on one line. Line breaks outside of strings become spaces. */
export const oneLine = (json: Uint8Array): Uint8Array<ArrayBuffer> => {
  const line = json.slice();
  for (let at = line.indexOf(LF); at >= 0; at = line.indexOf(LF, at + 1)) line[at] = SPACE;
  return line;
};

/** Returns an event with one data line. */
export const dataEvent = (line: Uint8Array): Uint8Array => joinBytes([DATA, line, BLANK_LINE]);

const decoder = new TextDecoder();

/** Whether an incomplete event is the end mark, which some upstreams send without a blank line. */
export function isPendingEndMark(pending: Uint8Array): boolean {
  const shortest = 'data:[DONE]'.length;
  const { byteLength } = pending;
  if (byteLength < shortest || byteLength > shortest + 3) return false;
  return /^data: ?\[DONE\][\r\n]*$/.test(decoder.decode(pending));
}
