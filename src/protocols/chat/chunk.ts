/** Rewrites one chunk of a stream, and recognizes the end mark. Pure. */
import { GatewayError } from '../../errors.ts';
import { joinBytes } from '../../json/bytes.ts';
import { replaceMembers } from '../../json/edit.ts';
import { isJsonObject, type JsonObject } from '../../json/object.ts';
import { scanObject } from '../../json/scan.ts';

/** What the model writes nests in strings, so a chunk is flat; tools of an upstream's own may go deeper. */
const MAX_CHUNK_DEPTH = 64;

const LF = 0x0a;
const SPACE = 0x20;
const DATA = new TextEncoder().encode('data: ');
const BLANK_LINE = new TextEncoder().encode('\n\n');

/**
 * The event to send for a chunk, edited where it has to be, byte for byte the same elsewhere.
 *
 * @param data of the event, and `json` the same parsed; `choices` as they are to be sent.
 * @returns null when nothing has to be edited; `unreadable` when the same key stands twice in it, since
 *   then nobody can say what it means.
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
  // The mere presence of the key is an error to some clients.
  if ('error' in json) edits.set('error', null);
  // Padding against eavesdroppers on the upstream's wire, of no use on ours.
  if ('obfuscation' in json) edits.set('obfuscation', null);
  if ('usage' in json && !includeUsage) edits.set('usage', null);
  // The totals come once, at the end, with the cost.
  else if (isJsonObject(json['usage'])) edits.set('usage', 'null');
  return edits;
}

/**
 * A copy on one line. Between the tokens of JSON a line break is as good as a space, and inside of
 * strings it cannot stand.
 */
export const oneLine = (json: Uint8Array): Uint8Array<ArrayBuffer> => {
  const line = json.slice();
  for (let at = line.indexOf(LF); at >= 0; at = line.indexOf(LF, at + 1)) line[at] = SPACE;
  return line;
};

/** An event of one data line. */
export const dataEvent = (line: Uint8Array): Uint8Array => joinBytes([DATA, line, BLANK_LINE]);

const decoder = new TextDecoder();

/**
 * Whether an event that is not whole yet is the end mark all the same: nothing else begins like it, and
 * some upstreams close without a blank line behind it.
 */
export function isPendingEndMark(pending: Uint8Array): boolean {
  const shortest = 'data:[DONE]'.length;
  const { byteLength } = pending;
  if (byteLength < shortest || byteLength > shortest + 3) return false;
  return /^data: ?\[DONE\][\r\n]*$/.test(decoder.decode(pending));
}
