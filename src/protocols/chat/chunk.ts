/** Rewrites one chunk of a stream, and recognizes the end mark. Pure. */
import { GatewayError } from '../../errors.ts';
import { joinBytes } from '../../json/bytes.ts';
import { replaceMembers } from '../../json/edit.ts';
import { isJsonObject, type JsonObject } from '../../json/object.ts';
import { scanObject } from '../../json/scan.ts';

/** Model output is in strings, so a chunk is flat; an upstream's own tools may nest deeper. */
const MAX_CHUNK_DEPTH = 64;

const LF = 0x0a;
const SPACE = 0x20;
const DATA = new TextEncoder().encode('data: ');
const BLANK_LINE = new TextEncoder().encode('\n\n');

/**
 * The event to send for a chunk: edited where necessary, otherwise the same bytes.
 * @param data of the event; `json` is the same parsed, and `choices` are those to send.
 * @returns null when there is nothing to edit; `unreadable` when a key appears twice, which is
 *   ambiguous.
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
  // Some clients treat the mere presence of the key as an error.
  if ('error' in json) edits.set('error', null);
  // Padding against traffic analysis between the upstream and us; useless on our connection.
  if ('obfuscation' in json) edits.set('obfuscation', null);
  if ('usage' in json && !includeUsage) edits.set('usage', null);
  // Usage is sent once, at the end, with the cost.
  else if (isJsonObject(json['usage'])) edits.set('usage', 'null');
  return edits;
}

/** A copy on one line. JSON strings contain no line breaks; elsewhere a space replaces them. */
export const oneLine = (json: Uint8Array): Uint8Array<ArrayBuffer> => {
  const line = json.slice();
  for (let at = line.indexOf(LF); at >= 0; at = line.indexOf(LF, at + 1)) line[at] = SPACE;
  return line;
};

/** An event of one data line. */
export const dataEvent = (line: Uint8Array): Uint8Array => joinBytes([DATA, line, BLANK_LINE]);

const decoder = new TextDecoder();

/**
 * Whether an incomplete event is already the end mark: no other event begins like it, and some
 * upstreams close without a blank line after it.
 */
export function isPendingEndMark(pending: Uint8Array): boolean {
  const shortest = 'data:[DONE]'.length;
  const { byteLength } = pending;
  if (byteLength < shortest || byteLength > shortest + 3) return false;
  return /^data: ?\[DONE\][\r\n]*$/.test(decoder.decode(pending));
}
